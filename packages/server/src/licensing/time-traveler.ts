import type { TimeTraveler } from '../jobs/index.ts';
import { announceExpiriesOfOrganization } from './licenses/announce-expiries.ts';
import { FIND_NEXT_EXPIRY } from './licenses/expiry-queries.ts';
import { reapSilentSeatsOfOrganization } from './seats/reap-silent-seats.ts';
import { FIND_NEXT_LOOK } from './seats/reaper-queries.ts';
import type { LicensingState } from './state.ts';

/**
 * Seats time out, and licenses are warned of and expire, as one organization's clock is moved. Nothing here is kept in real
 * time, so nothing is shifted: every reader compares with the organization's clock.
 */
export function licensingTraveler(state: LicensingState): TimeTraveler {
  const { database } = state;
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const found = [
        ...(await database.query(FIND_NEXT_LOOK, [organizationId])),
        ...(await database.query(FIND_NEXT_EXPIRY, [organizationId])),
      ].flatMap((row) => row.due_ms ?? []);
      const dueMs = Math.min(...found);
      return dueMs <= untilMs ? dueMs : undefined;
    },
    // A seat that timed out before its license expired is told of first.
    runDue: async (organizationId) =>
      (await reapSilentSeatsOfOrganization(state, organizationId)) +
      (await announceExpiriesOfOrganization(state, organizationId)),
  };
}
