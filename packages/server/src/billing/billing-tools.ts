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

/** Whose name stands on invoices. */
export interface Seller {
  name: string;
  /** As on an envelope; lines are separated by line feeds. Empty when it was not set. */
  address: string;
  taxId: string;
}

/** What one organization can subscribe to in all. */
export interface SubscriptionCaps {
  /** Live ones. */
  maxSubscriptions: number;
  /** Across all of them. */
  maxSeats: number;
}

/** What the operator set for this room. */
export interface BillingSettings {
  /** Days between the failed charge and the retries, one after the other. */
  dunningDays: readonly number[];
  seller: Seller;
  /** The address for mails about payments that need manual review; without it, nobody is mailed. */
  financeEmail: { address: string } | undefined;
  caps: SubscriptionCaps;
}

/** What the room's use cases run with in one environment. */
export interface BillingTools {
  database: Queries;
  outbox: Outbox;
  mailer: Mailer;
  masterKey: MasterKey;
  log: Logger;
  /** Real time of this process: for leases and for pauses, never for what the organization's clock decides. */
  clock: Clock;
  baseUrl: string;
  settings: BillingSettings;
  /** Undefined where no payments are configured: nothing can be bought then. */
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
