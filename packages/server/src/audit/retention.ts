import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import { endOfRetention, type Job, RetentionWalk, type RetentionWalking } from '../jobs/index.ts';
import { deleteOldAuditEntries, listAuditAges } from './erasure-queries.ts';
import { INSTALLATION } from './record-audit.ts';

/** What deleting old entries depends on. */
interface AuditRetentionTools extends Pick<RetentionWalking, 'listOrganizations'> {
  database: Queries;
  clock: Clock;
}

/** Deletes audit log entries past their retention; no job if they are kept forever. */
export function auditRetentionJob({ database, clock, listOrganizations }: AuditRetentionTools, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const deletePortion = async (organizationId: string) =>
    (await deleteOldAuditEntries(database, { organizationId, before: before(), limit: PORTION })) >= PORTION;
  const walk = new RetentionWalk({
    listOrganizations,
    listAges: (organizationIds) => listAuditAges(database, { organizationIds, before: before() }),
    deletePortion,
  });
  const run = async () => (await deletePortion(INSTALLATION)) || walk.run();
  return days === 0 ? [] : [{ name: 'audit.delete-old-entries', everyMs: HOUR_MS, run }];
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
