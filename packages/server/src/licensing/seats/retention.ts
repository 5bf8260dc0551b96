import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../../jobs/index.ts';
import { DELETE_OLD_PROJECT_DAYS, DELETE_OLD_SESSIONS, LIST_SESSION_AGES } from './erasure-queries.ts';

/**
 * Deletes seat sessions past their retention, and project usage of days as old. Seat hours were counted from them within
 * minutes, so peaks do not change. No job if they are kept forever.
 */
export function sessionRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listAges: (after, limit) => database.query(LIST_SESSION_AGES, [after, limit, before()]),
    deletePortion: async (id) => {
      const sessions = await database.query(DELETE_OLD_SESSIONS, [id, before(), PORTION]);
      const projectDays = await database.query(DELETE_OLD_PROJECT_DAYS, [id, before(), PORTION]);
      return sessions.length >= PORTION || projectDays.length >= PORTION;
    },
  });
  return days === 0 ? [] : [{ name: 'licensing.delete-old-sessions', everyMs: HOUR_MS, run: () => walk.run() }];
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
