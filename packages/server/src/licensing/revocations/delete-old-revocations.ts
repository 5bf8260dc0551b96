import type { Job } from '../../jobs/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { deleteOldRevocations } from './queries.ts';

/** Deletes revocations of tokens that have all expired. */
export function revocationRetentionJob({ database, clock }: Pick<LicensingTools, 'database' | 'clock'>): Job {
  return {
    name: 'licensing.delete-old-revocations',
    everyMs: HOUR_MS,
    run: async () => (await deleteOldRevocations(database, { now: clock.nowMs(), limit: PORTION })) >= PORTION,
  };
}

const PORTION = 1_000;
const HOUR_MS = 3_600_000;
