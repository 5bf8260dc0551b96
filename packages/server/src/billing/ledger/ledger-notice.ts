import type { Queries } from '../../database/index.ts';
import type { Account } from '../accounts/queries.ts';
import type { InvoiceRow } from './invoice-queries.ts';
import type { Lateness, PaymentState } from './payment-state.ts';

/** The mails that follow from a change of the ledger. */
export type LedgerNotice =
  /** A receipt, unless no money moved. */
  | { kind: 'invoice_paid'; invoice: InvoiceRow }
  | { kind: 'payment_failed'; invoice: InvoiceRow; charge: FailedCharge }
  | { kind: 'late_payment'; late: LatePayment };

/** Queues the mails of notices in the transaction that writes the ledger, and logs what operators need to know. */
export type QueueNotices = (tx: Queries, account: Account, notices: readonly LedgerNotice[]) => Promise<void>;

/** Why a charge failed, and when the next one is; null if there is none until another card is added. */
export interface FailedCharge {
  declineCode: string;
  /** ISO 8601. */
  nextAttemptAt: string | null;
  /** Whether another card would still pay it. */
  canBePaid: boolean;
}

/** A payment that succeeded too late or whose record was lost, and the organization's credit including it. */
export interface LatePayment {
  payment: PaymentState;
  lateness: Lateness;
  /** The number of the invoice that it was for, if there is one. */
  invoiceNumber: string | null;
  /** The organization's credit in the payment's currency, in minor units. */
  balance: number;
}
