import type { Job } from '../jobs/index.ts';
import { announceExpiredLicenses, warnOfExpiringLicenses } from './licenses/announce-expiries.ts';
import { reapSilentSeats } from './seats/reap-silent-seats.ts';
import { sessionRetentionJob } from './seats/retention.ts';
import type { LicensingState } from './state.ts';

/** What licensing does in the background. */
export function licensingJobs(state: LicensingState): Job[] {
  return [
    // Half a second keeps license.seat.timeout well within 2 s of the timeout.
    { name: 'licensing.reap-silent-seats', everyMs: 500, run: () => reapSilentSeats(state) },
    { name: 'licensing.warn-of-expiring-licenses', everyMs: 5_000, run: () => warnOfExpiringLicenses(state) },
    { name: 'licensing.announce-expired-licenses', everyMs: 1_000, run: () => announceExpiredLicenses(state) },
    ...sessionRetentionJob(state.database, state.clock, state.settings.retentionSeatSessionsDays ?? 0),
  ];
}
