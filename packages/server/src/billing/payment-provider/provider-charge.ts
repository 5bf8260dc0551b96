/** The purpose of a charge. During a renewal or a retry, no customer is present to authenticate. */
export type ChargePurpose = 'create' | 'change' | 'renewal' | 'retry' | 'pay';

/**
 * What a charge is for. The provider stores it with the charge, so the charge is recognized even if our own rows are
 * lost.
 */
export interface ChargeReason {
  subscriptionId: string;
  /** The billing period, counted from 0. */
  periodIndex: number;
  /** When the period begins, in milliseconds since 1970 on the organization's clock. */
  periodStartMs: number;
  /** Counts the attempts to collect the period and, separately, the changes of the subscription, from 1. */
  attempt: number;
  /** What the customer gets by a purchase or change; null if an invoice is collected. */
  order: { planId: string; quantity: number } | null;
  /**
   * A keyed hash of the request that began it, if it had an Idempotency-Key: the only way for a repeated request to
   * find a lost purchase.
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

/** A charge at the provider. */
export interface ProviderCharge {
  paymentRef: string;
  customerRef: string | null;
  /** The card, if the provider still names it. */
  methodRef: string | null;
  /** Minor units of the currency. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  status: ProviderChargeStatus;
  /** Real time, in milliseconds since 1970. */
  createdAtMs: number;
  /** Its organization; undefined for a charge that this service did not make. */
  organizationId: string | undefined;
  purpose: ChargePurpose | undefined;
  /** Also undefined for charges of earlier versions. */
  reason: ChargeReason | undefined;
}
