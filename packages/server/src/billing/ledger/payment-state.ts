import type { AttachedMethod } from '../payment-provider/payment-provider.ts';
import type { InvoiceDraft } from './draft-invoice.ts';

/** What is written when a payment succeeds. It is stored as JSON: times are milliseconds, and bigints are text. */
export type PaymentIntent =
  /** A new subscription; nothing is stored before the provider has answered. */
  | {
      kind: 'create';
      planId: string;
      quantity: number;
      couponId: string | null;
      anchorMs: number;
      invoice: InvoiceDraft;
      /** The method, if it was not attached before this. */
      newMethod: AttachedMethod | null;
    }
  /** More of a subscription for the rest of its period. */
  | {
      kind: 'change';
      planId: string;
      quantity: number;
      accrued: string;
      invoice: InvoiceDraft;
      /** The invoice before this one, which becomes the latest again if this payment fails. */
      latestInvoiceId: string | null;
    }
  /** An invoice that exists already. */
  | { kind: 'collect' };

export type PaymentStatus = 'pending' | 'requires_action' | 'processing' | 'succeeded' | 'declined' | 'canceled';

/**
 * Why money became credit: its purpose had ended; or the payment was booked as failed but the provider collected it
 * anyway, which should never happen; or its record was lost, for example by restoring a backup, and a different amount
 * is due now.
 */
export type Lateness = 'ended' | 'booked_as_failed' | 'lost_record';

/** One attempt to collect money, as stored. Times in milliseconds since 1970 on the organization's clock. */
export interface PaymentState {
  readonly organizationId: string;
  readonly id: string;
  readonly subscriptionId: string;
  /** Null while the invoice waits for the outcome. */
  readonly invoiceId: string | null;
  readonly purpose: 'create' | 'change' | 'renewal' | 'retry' | 'pay';
  /** The billing period that it is for; like the next two, null in payments begun by an earlier version. */
  readonly periodIndex: number | null;
  readonly periodStartMs: number | null;
  /** Counts the attempts to collect the period and, separately, the changes of the subscription, from 1. */
  readonly attempt: number | null;
  readonly intent: PaymentIntent;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly isOnSession: boolean;
  /** Whether it requests a mandate, so that the card can be charged later without the customer. */
  readonly setsUpMandate: boolean;
  readonly paymentMethodId: string;
  readonly methodRef: string;
  readonly customerRef: string;
  readonly provider: 'test' | 'stripe';
  readonly providerRef: string | null;
  readonly status: PaymentStatus;
  readonly declineCode: string | null;
  readonly nextCheckAtMs: number | null;
  readonly checks: number;
  /** Keyed hashes of the request that began it, if it had an Idempotency-Key. */
  readonly requestKey: Buffer | null;
  readonly requestHash: Buffer | null;
  readonly createdAtMs: number;
  readonly settledAtMs: number | null;
}

/** A request with an Idempotency-Key, as payments store it: keyed hashes of its caller and of its content. */
export interface RequestKey {
  key: Buffer;
  hash: Buffer;
}
