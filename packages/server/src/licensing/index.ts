import { Batcher } from '../batching/index.ts';
import { type Clock, systemClock } from '../clock/index.ts';
import { DatabaseUnavailable, type Queries } from '../database/index.ts';
import type { EventDefinition, Outbox, Reaction } from '../events/index.ts';
import { ApiError, type Route } from '../http/index.ts';
import type { Job, TimeTraveler } from '../jobs/index.ts';
import { findProjectStatuses } from '../organizations/index.ts';
import type { MasterKey } from '../security/index.ts';
import { LICENSING_EVENTS } from './events.ts';
import { licensingJobs } from './jobs.ts';
import { SigningKeys } from './license-tokens/signing-keys.ts';
import type { LicenseChangeTools } from './licenses/license-change-tools.ts';
import type { LicensingSettings, LicensingTools } from './licensing-tools.ts';
import { ON_ENTITLEMENTS_CHANGED } from './on-entitlements-changed.ts';
import { RefusalLog } from './refusals/refusal-log.ts';
import { writeRefusals } from './refusals/write-refusals.ts';
import { RevocationList } from './revocations/get-revocations.ts';
import { ON_ORGANIZATION_REINSTATED, ON_ORGANIZATION_SUSPENDED } from './revocations/on-organization-suspended.ts';
import { licensingRoutes } from './routes.ts';
import { releaseLiveSessions } from './seats/release-live-sessions.ts';
import { releaseSeats } from './seats/release-seats.ts';
import { EVENTS_OF_SEAT_STATEMENTS, type SeatStatements, UNHEARD_SEAT_STATEMENTS } from './seats/seat-statements.ts';
import { SeatTotals } from './seats/seat-totals.ts';
import { sendHeartbeats } from './seats/send-heartbeat.ts';
import { takeFreeSeats } from './seats/take-free-seats.ts';
import { takeSeats } from './seats/take-seats.ts';
import { licensingTraveler } from './time-traveler.ts';
import { LINE_REACTIONS } from './waits/reactions.ts';
import { WaitingCalls } from './waits/waiting-calls.ts';

export { withActivationTokens } from './activations/resolve-activation-token.ts';
export { LICENSING_CIPHERTEXTS } from './license-tokens/signing-keys.ts';
export { changeLicense, type LicenseChange } from './licenses/change-license.ts';
export { issueLicense, type LicenseTerms } from './licenses/issue-license.ts';
export { findLicenseByTypedKey } from './licenses/key-aliases.ts';
export type { LicenseChangeTools } from './licenses/license-change-tools.ts';
export { listNamesOfUsedFeatures } from './licenses/list-names-of-used-features.ts';
export type { LicensingSettings } from './licensing-tools.ts';
export { measureSeats } from './measure-seats.ts';
export { countRefusals } from './refusals/queries.ts';
export {
  eraseHeldSeats,
  hasLiveLicense,
  hasSeatUseSince,
  LICENSING_ERASURES,
  LICENSING_TABLES,
} from './retention/queries.ts';

export { countSeats, listSeatFaults, listSeatsOfOrganizations } from './seats/seat-count-queries.ts';
export { defineSeatStatements } from './seats/seat-statements.ts';
export { countSeatsInUse, countSoldSeats } from './seats/seats-in-use-queries.ts';

/** The room licensing in one environment. */
export interface Licensing {
  routes: Route[];
  jobs: Job[];
  events: readonly EventDefinition[];
  reactions: readonly Reaction[];
  traveler: TimeTraveler;
  /** Makes a new key sign license tokens; existing tokens stay valid. Returns the new key's ID. */
  rotateSigningKey(by: LicenseChangeTools['by']): Promise<string>;
  /** Writes the remaining refusals, if the database is available. */
  close(): Promise<void>;
}

/** Creates the room. It reads nothing before the first request. */
export function createLicensing(given: {
  database: Queries;
  clock?: Clock;
  outbox: Outbox;
  masterKey: MasterKey;
  settings: LicensingSettings;
  countRefusal?: (code: string) => void;
  /** The statements that queue their events for listeners; by default those that only write them. */
  seatStatements?: SeatStatements;
  stopping?: AbortSignal;
}): Licensing {
  const { database, clock = systemClock, outbox, settings, seatStatements = UNHEARD_SEAT_STATEMENTS } = given;
  const { stopping = new AbortController().signal } = given;
  outbox.inStatement.requireNoReaction(EVENTS_OF_SEAT_STATEMENTS);
  const signingKeys = new SigningKeys(database, given.masterKey, settings.licenseTokenTtlSeconds);
  const tools: LicensingTools = {
    database,
    clock,
    outbox,
    settings,
    signingKeys,
    seatTotals: new SeatTotals(database),
    revocations: new RevocationList(),
    countRefusal: given.countRefusal,
    refusals: new RefusalLog(),
    waitingCalls: new WaitingCalls(database, stopping),
    stopping,
    ...seatStatements,
    freeSeats: new Batcher({
      ...BATCHES,
      run: (organizationId, items) => takeFreeSeats(database, tools, organizationId, items),
    }),
    acquires: new Batcher({
      ...BATCHES,
      run: (organizationId, items) => database.transaction((tx) => takeSeats(tx, tools, organizationId, items)),
    }),
    heartbeats: new Batcher({
      ...BATCHES,
      run: (_key, items) => sendHeartbeats(database, tools, items),
    }),
    liveReleases: new Batcher({
      ...BATCHES,
      run: (organizationId, items) => releaseLiveSessions(database, tools, organizationId, items),
    }),
    releases: new Batcher({
      ...BATCHES,
      run: (organizationId, items) => database.transaction((tx) => releaseSeats(tx, tools, organizationId, items)),
    }),
    projectStatuses: new Batcher({
      ...BATCHES,
      identityOf: (projectId) => projectId,
      run: async (organizationId, projectIds) => {
        const statuses = await findProjectStatuses(database, organizationId, projectIds);
        return projectIds.map((projectId) => statuses.get(projectId));
      },
    }),
  };
  return {
    routes: licensingRoutes(tools),
    jobs: licensingJobs(tools),
    events: LICENSING_EVENTS,
    reactions: [ON_ENTITLEMENTS_CHANGED, ON_ORGANIZATION_SUSPENDED, ON_ORGANIZATION_REINSTATED, ...LINE_REACTIONS],
    traveler: licensingTraveler(tools),
    close: () => writeAllRefusals(tools),
    rotateSigningKey: async (by) => (await signingKeys.rotate(by)).id,
  };
}

async function writeAllRefusals(tools: LicensingTools): Promise<void> {
  try {
    while (await writeRefusals(tools)) {
      // There is more.
    }
  } catch {
    // The process is ending, and only counts are lost.
  }
}

const BATCHES = {
  maxBatch: 128,
  maxWaiting: 10_000,
  overflow: () => new DatabaseUnavailable('too many requests of one organization are waiting'),
  isolates: (error: unknown) => !(error instanceof DatabaseUnavailable) && !(error instanceof ApiError),
};
