/** What is charged for. During a renewal or a retry, no customer is present to authenticate. */
export type ChargePurpose = 'create' | 'change' | 'renewal' | 'retry' | 'pay';

/** What a charge is for. The provider keeps it beside the charge, so it is recognized even when our own rows are lost. */
export interface ChargeReason {
  subscriptionId: string;
  /** The billing period, counted from 0. */
  periodIndex: number;
  /** When the period begins, in milliseconds since 1970 on the organization's clock. */
  periodStartMs: number;
  /** Counts the attempts to collect the period, and apart from them the changes of the subscription, from 1. */
  attempt: number;
  /** What the customer is to have when they buy or change; null where an invoice is collected. */
  order: { planId: string; quantity: number } | null;
  /**
   * A keyed hash of the request that began it, if it had an Idempotency-Key: a lost purchase has no other name that
   * a repetition of the request knows.
   */
  request: string | null;
}

/** The status of a charge at the provider. `failed`: declined, but anyone who holds its secret could still pay it. */
export type ProviderChargeStatus =
  | 'unconfirmed'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'failed'
  | 'declined'
  | 'canceled'
  | 'unknown';

/** A charge as the provider holds it. */
export interface ProviderCharge {
  paymentRef: string;
  customerRef: string | null;
  /** The card, where the provider still names it. */
  methodRef: string | null;
  /** Minor units of the currency. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  status: ProviderChargeStatus;
  /** Real time, in milliseconds since 1970. */
  createdAtMs: number;
  /** Whose it is; undefined for a charge that this service did not make. */
  organizationId: string | undefined;
  purpose: ChargePurpose | undefined;
  /** Undefined also for what an earlier version of the service charged. */
  reason: ChargeReason | undefined;
}
