import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { endOfRetention, type Job, RetentionWalk } from '../../jobs/index.ts';
import { listAllOrganizations } from '../../organizations/index.ts';
import { deleteOldRefusals, listRefusalAges } from '../refusals/queries.ts';
import { deleteOldWaits } from '../seats/line-queries.ts';

/** Deletes refusals, and waits that ended, past their retention. There is no job if they are kept forever. */
export function refusalRetentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const before = () => endOfRetention(clock.nowMs(), days);
  const walk = new RetentionWalk({
    listOrganizations: (after, limit) => listAllOrganizations(database, { after, limit }),
    listAges: (organizationIds) => listRefusalAges(database, { organizationIds, before: before() }),
    deletePortion: async (organizationId) => {
      const old = { organizationId, before: before(), limit: PORTION };
      const deleted = [await deleteOldRefusals(database, old), await deleteOldWaits(database, old)];
      return Math.max(...deleted) >= PORTION;
    },
  });
  return days === 0 ? [] : [{ name: 'licensing.delete-old-refusals', everyMs: HOUR_MS, run: () => walk.run() }];
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
