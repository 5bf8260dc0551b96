import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../jobs/index.ts';
import { DELETE_OLD_AUDIT_ENTRIES, LIST_AUDIT_AGES } from './erasure-queries.ts';

/** Deletes audit log entries past their retention; no job if they are kept forever. */
export function auditRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listAges: (after, limit) => database.query(LIST_AUDIT_AGES, [after, limit, before()]),
    deletePortion: async (id) => {
      const gone = await database.query(DELETE_OLD_AUDIT_ENTRIES, [id, before(), PORTION]);
      return gone.length >= PORTION;
    },
  });
  return days === 0 ? [] : [{ name: 'audit.delete-old-entries', everyMs: HOUR_MS, run: () => walk.run() }];
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
