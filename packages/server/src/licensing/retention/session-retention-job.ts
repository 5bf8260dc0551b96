import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../../jobs/index.ts';
import { listAllOrganizations } from '../../organizations/index.ts';
import { deleteOldProjectDays, deleteOldSessions, listSessionAges } from './queries.ts';

/**
 * Deletes seat sessions past their retention, and the project usage of equally old days. Seat hours are counted from
 * sessions within minutes, so peaks do not change. There is no job if sessions are kept forever.
 */
export function sessionRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listOrganizations: (after, limit) => listAllOrganizations(database, { after, limit }),
    listAges: (organizationIds) => listSessionAges(database, { organizationIds, before: before() }),
    deletePortion: async (id) => {
      const portion = { organizationId: id, before: before(), limit: PORTION };
      const sessions = await deleteOldSessions(database, portion);
      const projectDays = await deleteOldProjectDays(database, portion);
      return sessions >= PORTION || projectDays >= PORTION;
    },
  });
  return days === 0 ? [] : [{ name: 'licensing.delete-old-sessions', everyMs: HOUR_MS, run: () => walk.run() }];
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
