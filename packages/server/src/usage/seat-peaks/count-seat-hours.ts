import type { Queries } from '../../database/index.ts';
import { nextHours } from './counting-rules.ts';
import { countHours, listOrganizationsToCount } from './queries.ts';

/**
 * Counts the seats of past hours, organization by organization in the order of their IDs. Only this object remembers
 * its progress; a process that starts over finds the counted hours.
 */
export class SeatHourCounter {
  readonly #database: Queries;
  #after = '';

  constructor(database: Queries) {
    this.#database = database;
  }

  /** Counts one portion of the organizations. Returns whether there are more organizations or hours to count. */
  async run(stopping?: AbortSignal): Promise<boolean> {
    const rows = await listOrganizationsToCount(this.#database, { after: this.#after, limit: PORTION });
    const failures: unknown[] = [];
    let hasMore = false;
    for (const row of rows) {
      const hours = nextHours(row);
      if (hours === undefined || stopping?.aborted === true) {
        continue;
      }
      const counting = {
        organizationId: row.organization_id,
        clockOffsetMs: row.clock_offset_ms,
        from: hours.fromMs,
        until: hours.untilMs,
        hasMark: row.counted_until_ms !== null,
      };
      // An organization that cannot be counted must not affect the others.
      const moved = await countHours(this.#database, counting).catch((error: unknown) => {
        failures.push(error);
        return 0;
      });
      hasMore ||= moved > 0 && nextHours({ ...row, counted_until_ms: hours.untilMs }) !== undefined;
    }
    const isEnd = rows.length < PORTION;
    // If one has more hours to count, the same portion is read again.
    this.#after = hasMore ? this.#after : isEnd ? '' : (rows.at(-1)?.organization_id ?? '');
    if (failures.length > 0) {
      const [cause] = failures;
      throw new Error(`the seats of ${failures.length} organizations could not be counted`, { cause });
    }
    return hasMore || !isEnd;
  }
}

const PORTION = 200;
