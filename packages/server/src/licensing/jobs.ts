import type { Job } from '../jobs/index.ts';
import { announceExpiredLicenses, warnOfExpiringLicenses } from './licenses/announce-expiries.ts';
import type { LicensingTools } from './licensing-tools.ts';
import { writeRefusals } from './refusals/write-refusals.ts';
import { refusalRetentionJob } from './retention/refusal-retention-job.ts';
import { sessionRetentionJob } from './retention/session-retention-job.ts';
import { revocationRetentionJob } from './revocations/delete-old-revocations.ts';
import { reapSeats } from './seats/reap-seats.ts';
import { settleDueLines } from './seats/settle-lines.ts';

/** The background jobs of licensing. */
export function licensingJobs(tools: LicensingTools): Job[] {
  return [
    // Half a second keeps license.seat.timeout well within 2 s of the timeout.
    { name: 'licensing.reap-silent-seats', everyMs: 500, run: () => reapSeats(tools) },
    { name: 'licensing.settle-lines', everyMs: 500, run: () => settleDueLines(tools) },
    { name: 'licensing.warn-of-expiring-licenses', everyMs: 5_000, run: () => warnOfExpiringLicenses(tools) },
    { name: 'licensing.announce-expired-licenses', everyMs: 1_000, run: () => announceExpiredLicenses(tools) },
    { name: 'licensing.write-refusals', everyMs: 2_000, runsInEveryRole: true, run: () => writeRefusals(tools) },
    revocationRetentionJob(tools),
    ...refusalRetentionJob(tools.database, tools.clock, tools.settings.retentionRefusalsDays ?? 0),
    ...sessionRetentionJob(tools.database, tools.clock, tools.settings.retentionSeatSessionsDays ?? 0),
  ];
}
