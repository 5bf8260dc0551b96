import type { Queries } from '../../database/index.ts';
import { listUnsentEvents, type UnsentEventRow } from './take-queries.ts';

/**
 * Walks around the organizations for which events wait, so that no burst of one delays another's first attempt. It remembers nothing
 * but its place, so any number of processes may walk.
 */
export class UnsentWalk {
  readonly #database: Queries;
  /** The organization that was read last: the next portion begins after it. */
  #after = '';
  #isFull = false;
  #isRoundOver = true;
  /** Whether a portion of this round could be sent on. */
  #hasProgressed = false;

  constructor(database: Queries) {
    this.#database = database;
  }

  /** The next portion: of each organization the first event, then of each the second, and so on. */
  async read(): Promise<UnsentEventRow[]> {
    const found: UnsentEventRow[] = [];
    const hasBegunLate = this.#after !== '';
    let page: UnsentEventRow[] = [];
    let limit = PORTION;
    for (let counted = 0; counted < PORTION; limit = SHARE) {
      page = await listUnsentEvents(this.#database, { afterOrganizationId: this.#after, limit });
      found.push(...page);
      if (page.length < limit) {
        break;
      }
      this.#after = page.at(-1)?.organization_id ?? '';
      counted += countShares(page);
    }
    this.#isRoundOver = page.length < limit;
    if (this.#isRoundOver) {
      this.#after = '';
    }
    this.#isFull = found.length >= PORTION || (this.#isRoundOver && hasBegunLate);
    return interleave(found).slice(0, PORTION);
  }

  /** Whether there may be more to read at once. Not after a round in which nothing could be sent on. */
  hasMore(hasProgressed: boolean): boolean {
    const hasMore = this.#isRoundOver ? this.#isFull && (hasProgressed || this.#hasProgressed) : true;
    this.#hasProgressed = !this.#isRoundOver && (hasProgressed || this.#hasProgressed);
    return hasMore;
  }
}

/** Events that are sent on together. */
const PORTION = 200;
/** An organization with more waiting fills no portion alone while others wait. */
const SHARE = 25;

function countShares(page: readonly UnsentEventRow[]): number {
  const counts = [...Map.groupBy(page, (each) => each.organization_id).values()].map((each) => each.length);
  return counts.reduce((sum, each) => sum + Math.min(each, SHARE), 0);
}

function interleave(events: readonly UnsentEventRow[]): UnsentEventRow[] {
  const queues = [...Map.groupBy(events, (each) => each.organization_id).values()];
  if (queues.length === 1) {
    return [...events];
  }
  const longest = Math.max(0, ...queues.map((each) => each.length));
  return Array.from({ length: longest }, (_, place) => queues.flatMap((queue) => queue.slice(place, place + 1))).flat();
}
