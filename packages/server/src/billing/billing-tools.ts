import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Outbox } from '../events/index.ts';
import type { Nudge } from '../jobs/index.ts';
import type { Logger } from '../log/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { MasterKey } from '../security/index.ts';
import type { QueueNotices } from './ledger/ledger-notice.ts';
import type { PaymentProvider } from './payment-provider/payment-provider.ts';
import type { ChargeRecovery } from './payments/charge-recovery.ts';

/** The issuer of invoices. */
export interface Seller {
  name: string;
  /** As on an envelope; lines are separated by line feeds. Empty if not set. */
  address: string;
  taxId: string;
}

/** How much one organization can subscribe to in total. */
export interface SubscriptionCaps {
  /** Live ones. */
  maxSubscriptions: number;
  /** Across all of them. */
  maxSeats: number;
}

/** What the operator set for this room. */
export interface BillingSettings {
  /** Days between the failed charge and each retry. */
  dunningDays: readonly number[];
  seller: Seller;
  /** The address for mails about payments that need manual review; without it, no mail is sent. */
  financeEmail: { address: string } | undefined;
  caps: SubscriptionCaps;
}

/** The dependencies of the room's use cases in one environment. */
export interface BillingTools {
  database: Queries;
  outbox: Outbox;
  mailer: Mailer;
  masterKey: MasterKey;
  log: Logger;
  /**
   * The real time of this process: for leases and pauses, never for decisions that depend on the organization's clock.
   */
  clock: Clock;
  baseUrl: string;
  settings: BillingSettings;
  /** Undefined if no payments are configured: nothing can be bought then. */
  provider: PaymentProvider | undefined;
  /** Counts payments that succeeded too late, by why they were late. */
  latePayments: { count(lateness: string): void };
  queueNotices: QueueNotices;
  recovery: ChargeRecovery;
  /** Wakes the job that renews, retries and ends subscriptions. */
  due: Nudge;
  /** Wakes the job that mails finance about orphaned payments. */
  orphaned: Nudge;
}
