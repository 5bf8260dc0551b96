import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../jobs/index.ts';
import { deleteOldAuditEntries, listAuditAges } from './erasure-queries.ts';

/** Deletes audit log entries past their retention; no job if they are kept forever. */
export function auditRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listAges: (after, limit) => listAuditAges(database, { after, limit, before: before() }),
    deletePortion: async (organizationId) =>
      (await deleteOldAuditEntries(database, { organizationId, before: before(), limit: PORTION })) >= PORTION,
  });
  return days === 0 ? [] : [{ name: 'audit.delete-old-entries', everyMs: HOUR_MS, run: () => walk.run() }];
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
