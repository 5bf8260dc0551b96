import type { TimeTraveler } from '../jobs/index.ts';
import { announceExpiriesOfOrganization } from './licenses/announce-expiries.ts';
import { findNextExpiry } from './licenses/expiry-queries.ts';
import type { LicensingTools } from './licensing-tools.ts';
import { findNextWaitDue } from './seats/line-queries.ts';
import { reapSeatsOfOrganization } from './seats/reap-seats.ts';
import { findNextReap } from './seats/reaper-queries.ts';
import { settleDueLinesOfOrganization } from './seats/settle-lines.ts';

/**
 * Lets seats time out, and licenses expire, as one organization's clock is moved. No row contains a real time, so none
 * is shifted: every reader compares with the organization's clock.
 */
export function licensingTraveler(tools: LicensingTools): TimeTraveler {
  const { database } = tools;
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const next = [
        await findNextReap(database, { organizationId }),
        await findNextExpiry(database, { organizationId }),
        await findNextWaitDue(database, { organizationId }),
      ];
      const dueMs = Math.min(...next.flatMap((row) => row?.due_ms ?? []));
      return dueMs <= untilMs ? dueMs : undefined;
    },
    // Seats first: a seat that timed out before its license expired is announced before it.
    runDue: async (organizationId) =>
      (await reapSeatsOfOrganization(tools, organizationId)) +
      (await settleDueLinesOfOrganization(database, organizationId)) +
      (await announceExpiriesOfOrganization(tools, organizationId)),
  };
}
