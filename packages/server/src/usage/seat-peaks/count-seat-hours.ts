import type { Queries } from '../../database/index.ts';
import { nextHours } from './counting-rules.ts';
import { COUNT_HOURS, LIST_COUNTING } from './queries.ts';

/**
 * Counts the seats of hours that are over, organization by organization in the order of their ids. Where it stands is
 * remembered here alone: a process that begins anew finds what others counted done.
 */
export class SeatHourCounter {
  readonly #database: Queries;
  #after = '';

  constructor(database: Queries) {
    this.#database = database;
  }

  /** Counts one portion of the organizations; answers whether the walk goes on, or somebody has more to count. */
  async run(stopping?: AbortSignal): Promise<boolean> {
    const rows = await this.#database.query(LIST_COUNTING, [this.#after, PORTION]);
    const failures: unknown[] = [];
    let hasMore = false;
    for (const row of rows) {
      const hours = nextHours(row);
      if (hours === undefined || stopping?.aborted === true) {
        continue;
      }
      const { organization_id: organizationId, clock_offset_ms: offset, counted_until_ms: mark } = row;
      const values = [organizationId, offset, hours.fromMs, hours.untilMs, mark !== null];
      // One organization that cannot be counted must not keep the others from it.
      const moved = await this.#database.query(COUNT_HOURS, values).catch((error: unknown) => {
        failures.push(error);
        return [];
      });
      hasMore ||= moved.length > 0 && nextHours({ ...row, counted_until_ms: hours.untilMs }) !== undefined;
    }
    const isEnd = rows.length < PORTION;
    // Those that have more stay in the portion, which is then read once more.
    this.#after = hasMore ? this.#after : isEnd ? '' : (rows.at(-1)?.organization_id ?? '');
    if (failures.length > 0) {
      const [cause] = failures;
      throw new Error(`the seats of ${failures.length} organizations could not be counted`, { cause });
    }
    return hasMore || !isEnd;
  }
}

const PORTION = 200;
