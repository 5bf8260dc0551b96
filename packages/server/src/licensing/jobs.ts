import { ASLEEP_MS, type Job } from '../jobs/index.ts';
import { announceExpiredLicenses, warnOfExpiringLicenses } from './licenses/announce-expiries.ts';
import { licensesHaveExpired } from './licenses/expiry-queries.ts';
import type { LicensingTools } from './licensing-tools.ts';
import { keepOfflineEndsJob } from './offline/keep-offline-ends.ts';
import { writeRefusals } from './refusals/write-refusals.ts';
import { refusalRetentionJob } from './retention/refusal-retention-job.ts';
import { sessionRetentionJob } from './retention/session-retention-job.ts';
import { revocationRetentionJob } from './revocations/delete-old-revocations.ts';
import { linesAreDue } from './seats/due-line-queries.ts';
import { reapSeats } from './seats/reap-seats.ts';
import { seatsAreDue } from './seats/reaper-queries.ts';
import { settleDueLines } from './seats/settle-lines.ts';

/** The background jobs of licensing. */
export function licensingJobs(tools: LicensingTools): Job[] {
  return [
    {
      name: 'licensing.reap-silent-seats',
      everyMs: ASLEEP_MS,
      due: { check: seatsAreDue },
      run: () => reapSeats(tools),
    },
    {
      name: 'licensing.settle-lines',
      everyMs: ASLEEP_MS,
      due: { check: linesAreDue },
      run: () => settleDueLines(tools),
    },
    { name: 'licensing.warn-of-expiring-licenses', everyMs: 5_000, run: () => warnOfExpiringLicenses(tools) },
    {
      name: 'licensing.announce-expired-licenses',
      everyMs: ASLEEP_MS,
      due: { check: licensesHaveExpired },
      run: () => announceExpiredLicenses(tools),
    },
    { name: 'licensing.write-refusals', everyMs: 2_000, runsInEveryRole: true, run: () => writeRefusals(tools) },
    keepOfflineEndsJob(tools.database),
    revocationRetentionJob(tools),
    ...refusalRetentionJob(tools.database, tools.clock, tools.settings.retentionRefusalsDays ?? 0),
    ...sessionRetentionJob(tools.database, tools.clock, tools.settings.retentionSeatSessionsDays ?? 0),
  ];
}
