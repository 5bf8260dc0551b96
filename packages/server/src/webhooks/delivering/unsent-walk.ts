import type { Queries } from '../../database/index.ts';
import { listUnsentEvents, type UnsentEventRow } from './take-queries.ts';

/**
 * Iterates over the organizations with waiting events, so that a burst of one does not delay another's first attempt.
 * It only remembers its position, so any number of processes may run it.
 */
export class UnsentWalk {
  readonly #database: Queries;
  /** The last organization read: the next portion begins after it. */
  #after = '';
  #isFull = false;
  #isRoundOver = true;
  /** Whether a portion of this round could be fanned out. */
  #hasProgressed = false;

  constructor(database: Queries) {
    this.#database = database;
  }

  /** The next portion: the first event of each organization, then the second of each, and so on. */
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

  /** Whether there may be more to read immediately. Not after a round in which nothing could be fanned out. */
  hasMore(hasProgressed: boolean): boolean {
    const hasMore = this.#isRoundOver ? this.#isFull && (hasProgressed || this.#hasProgressed) : true;
    this.#hasProgressed = !this.#isRoundOver && (hasProgressed || this.#hasProgressed);
    return hasMore;
  }
}

/** Events per portion. */
const PORTION = 200;
/** An organization with more waiting events does not fill a portion alone while others wait. */
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
