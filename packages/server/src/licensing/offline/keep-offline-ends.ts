import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { DEADLINES_AT_ONCE, timeAway, updateOfflineDeadlines } from './queries.ts';

/**
 * After an outage, makes offline seats end at the promised time. It is due at startup and after each outage, and also
 * runs periodically for seats that were being written at the time.
 */
export function keepOfflineEndsJob(database: Queries): Job {
  let awayMs: unknown;
  let seenMs: unknown;
  return {
    name: 'licensing.keep-offline-ends',
    everyMs: 300_000,
    due: {
      check: timeAway,
      isDue: (value) => {
        seenMs = value;
        return seenMs !== awayMs;
      },
    },
    run: async () => {
      const untilMs = seenMs;
      const moved = await updateOfflineDeadlines(database);
      if (moved === DEADLINES_AT_ONCE) {
        return true;
      }
      awayMs = untilMs;
      return false;
    },
  };
}
