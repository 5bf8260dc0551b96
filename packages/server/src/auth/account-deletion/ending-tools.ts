import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { LeavingTools } from '../../organizations/index.ts';
import type { ConnectedApps } from '../connected-apps.ts';

/** The dependencies of ending an account. */
export interface EndingTools extends LeavingTools {
  clock: Clock;
  connectedApps: ConnectedApps;
  /** Removes the metadata of seats that the user holds; provided by the room above that owns them. */
  eraseHeldSeats(tx: Queries, organizationIds: readonly string[], userId: string): Promise<void>;
}

/** What deleting unverified users needs. */
export interface ForgettingTools extends EndingTools {
  database: Queries;
  /** Whether an organization has a license that has not ended; provided by the room above that owns licenses. */
  hasLiveLicense(database: Queries, organizationId: string, at: Date): Promise<boolean>;
}

/** What deleting abandoned sandbox organizations needs in addition. */
export interface AbandonedTools extends ForgettingTools {
  /** Whether a seat is held, or was taken by a session with this identifier or a later one. */
  hasSeatUseSince(database: Queries, organizationId: string, firstSessionId: string): Promise<boolean>;
  /** Deletes live subscriptions and payments, which are test money. */
  discardLiveBilling(tx: Queries, organizationId: string): Promise<void>;
  /** Events that time alone causes, such as renewals: they are not a sign of use. */
  eventsOfTime: readonly string[];
}
