import type { Batcher } from '../batching/index.ts';
import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Outbox } from '../events/index.ts';
import type { ProjectStatus } from '../organizations/index.ts';
import type { SigningKeys } from './license-tokens/signing-keys.ts';
import type { RefusalLog } from './refusals/refusal-log.ts';
import type { RevocationList } from './revocations/get-revocations.ts';
import type {
  AcquireItem,
  AcquireOutcome,
  HeartbeatItem,
  HeartbeatOutcome,
  ReleaseItem,
  ReleaseOutcome,
} from './seats/seat-items.ts';
import type { SeatStatements } from './seats/seat-statements.ts';
import type { SeatTotals } from './seats/seat-totals.ts';
import type { WaitingCalls } from './waits/waiting-calls.ts';

/** The licensing settings of one environment. */
export interface LicensingSettings {
  /** The issuer of license tokens. */
  baseUrl: string;
  licenseAudience: string;
  licenseTokenTtlSeconds: number;
  heartbeatIntervalSeconds: number;
  seatTimeoutSeconds: number;
  /** How long ended sessions are kept; forever if undefined. */
  retentionSeatSessionsDays?: number;
  /** The same for refusals. */
  retentionRefusalsDays?: number;
}

/** The room's state in one environment: its keys and its batchers, with one batch per organization. */
export interface LicensingTools extends SeatStatements {
  database: Queries;
  clock: Clock;
  outbox: Outbox;
  settings: LicensingSettings;
  signingKeys: SigningKeys;
  /** Counts a refused acquire, by its code. */
  countRefusal: ((code: string) => void) | undefined;
  /** Counts refused acquires by license, user and machine, until they are written. */
  refusals: RefusalLog;
  /** Acquires are tried here first; undefined results continue to `acquires`. */
  freeSeats: Batcher<AcquireItem, AcquireOutcome | undefined>;
  acquires: Batcher<AcquireItem, AcquireOutcome>;
  heartbeats: Batcher<HeartbeatItem, HeartbeatOutcome>;
  /** The same for releases. */
  liveReleases: Batcher<ReleaseItem, ReleaseOutcome | undefined>;
  releases: Batcher<ReleaseItem, ReleaseOutcome>;
  revocations: RevocationList;
  /** The requests of this process that wait for a seat. */
  waitingCalls: WaitingCalls;
  /** Aborts when the process is about to stop, which ends those waits. */
  stopping: AbortSignal;
  /** How many seats organizations have, for their rate limits. */
  seatTotals: SeatTotals;
  /** By project ID. */
  projectStatuses: Batcher<string, ProjectStatus | undefined>;
}
