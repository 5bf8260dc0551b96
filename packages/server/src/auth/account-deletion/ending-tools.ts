import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { LeavingTools } from '../../organizations/index.ts';

/** What ending an account needs, whoever ends it. */
export interface EndingTools extends LeavingTools {
  clock: Clock;
  /** Takes out of held seats what programs told of their user; from the room that has them, which is above this one. */
  eraseHeldSeats(tx: Queries, organizationIds: readonly string[], userId: string): Promise<void>;
}

/** What forgetting people who never came back needs. */
export interface ForgettingTools extends EndingTools {
  database: Queries;
  /** Whether an organization has a license that has not ended; from the room that has them, which is above this one. */
  hasLiveLicense(database: Queries, organizationId: string, at: Date): Promise<boolean>;
}

/** What deleting abandoned organizations of the sandbox needs besides. */
export interface AbandonedTools extends ForgettingTools {
  /** Whether a seat is held, or was taken by a session with this identifier or a later one. */
  hasSeatUseSince(database: Queries, organizationId: string, firstSessionId: string): Promise<boolean>;
  /** Forgets live subscriptions and payments, which are play money. */
  discardLiveBilling(tx: Queries, organizationId: string): Promise<void>;
  /** Events that time alone makes, such as renewals: they show nobody's interest. */
  eventsOfTime: readonly string[];
}
