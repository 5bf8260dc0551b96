import type { ChargePurpose, ChargeReason, ProviderCharge } from './provider-charge.ts';

/**
 * The outcome of a charge. A business outcome is never an exception; `unknown` is looked up, never taken for another.
 */
export type ChargeOutcome =
  | { kind: 'succeeded' }
  /** The customer must authenticate it, with the provider's secret. */
  | { kind: 'requires_action'; clientSecret: string }
  /** The provider is processing it. When to ask again at the latest, on the organization's clock, in milliseconds. */
  | { kind: 'processing'; checkAtMs?: number }
  /** `isHard`: the same card will never pay this, so it is not tried again. */
  | { kind: 'declined'; declineCode: string; isHard: boolean }
  | { kind: 'canceled' }
  /** No answer, or one that cannot be believed: money may have moved or not. */
  | { kind: 'unknown'; reason: string };

/** What a look-up found; `unconfirmed` means that the provider was never told to charge, so no money moved. */
export type LookupOutcome = ChargeOutcome | { kind: 'unconfirmed' };

/** Money to be collected by one attempt. */
export interface Charge {
  /** The payment's id. Without a `reason`, the provider's idempotency key derives from it. */
  attemptId: string;
  /**
   * What it is for: the provider's idempotency key is made of it, so the same is never collected twice, and the provider
   * keeps it beside the charge. Undefined for what a version began that did not say.
   */
  reason?: ChargeReason | undefined;
  organizationId: string;
  /** Positive, in minor units of the currency. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  customerRef: string;
  methodRef: string;
  /** What it is for: providers may treat a renewal, when no customer is present, in another way. */
  purpose: ChargePurpose;
  /** Whether the customer is there to authenticate. */
  isOnSession: boolean;
  /** Whether this charge asks for a mandate to charge the card while the customer is away, because it has none yet. */
  setsUpMandate: boolean;
  description: string;
  /** The organization's clock, in milliseconds since 1970. */
  nowMs: number;
}

/** A card as the provider knows it. */
export interface AttachedMethod {
  ref: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

export type AttachOutcome =
  | { kind: 'attached'; method: AttachedMethod }
  /** There is no such method, or it is of another customer. */
  | { kind: 'refused'; reason: 'unknown' | 'in_use' | 'expired' }
  | { kind: 'declined'; declineCode: string }
  /** The provider no longer knows the customer, because it was deleted there. */
  | { kind: 'customer_gone' }
  | { kind: 'unknown'; reason: string };

/** What a provider's webhook says, its signature checked. It is only a hint: the state is looked up. */
export type ProviderEvent =
  | { kind: 'payment'; eventId: string; paymentRef: string }
  | { kind: 'method_detached'; eventId: string; methodRef: string }
  | { kind: 'other'; eventId: string }
  | { kind: 'forged'; reason: string };

/** Which charges are looked for. */
export interface ChargeSearch {
  customerRef: string;
  subscriptionIds: readonly string[];
  /** Those that these requests began are looked for, too; see ChargeReason. */
  requests: readonly string[];
  /** Real time, in milliseconds since 1970. */
  sinceMs: number;
  /** The organization's clock. */
  nowMs: number;
}

/** A part of all charges. */
export interface ChargePageRequest {
  /** Real time, in milliseconds since 1970. */
  sinceMs: number;
  /** Where the page before ended; undefined for the first. */
  cursor: string | undefined;
}

/** Who moves the money. One contract suite holds for every implementation: payment-provider/contract.test.ts. */
export interface PaymentProvider {
  readonly name: 'test' | 'stripe';
  /** The most that one charge may be, in minor units of the currency (ISO 4217, lower case). */
  maxAmount(currency: string): number;
  /** The least that one charge may be, in minor units of the currency, and at least 1. */
  minAmount(currency: string): number;
  /**
   * Makes the organization's customer, or returns the one that it made before for the same organization. `insteadOf`: one
   * that is gone, in whose place another is made, once as well.
   */
  createCustomer(customer: {
    organizationId: string;
    name: string;
    email: string | undefined;
    insteadOf?: string | undefined;
  }): Promise<{ kind: 'ready'; customerRef: string } | { kind: 'unknown'; reason: string }>;
  /** Attaches a method from the customer's browser (or a test card) to the customer. Doing it twice is harmless. */
  attachMethod(method: { customerRef: string; token: string; nowMs: number }): Promise<AttachOutcome>;
  /** Unties it for good. One that is not tied any more is as good. */
  detachMethod(method: {
    customerRef: string;
    methodRef: string;
  }): Promise<{ kind: 'detached' } | { kind: 'unknown'; reason: string }>;
  /**
   * Announces the charge without collecting anything. The same attempt again returns the same reference; with another
   * amount or card it is `unknown`, because another process has charged, or is charging, something else for it.
   */
  prepare(charge: Charge): Promise<
    /** `clientSecret` is what the customer's own program confirms it with. */
    | { kind: 'prepared'; paymentRef: string; clientSecret: string }
    | { kind: 'declined'; declineCode: string; isHard: boolean }
    | { kind: 'unknown'; reason: string }
  >;
  /** Collects what was prepared, once, however often it is called. */
  confirm(charge: Charge & { paymentRef: string }): Promise<ChargeOutcome>;
  /** Its current state. */
  lookup(payment: { paymentRef: string; nowMs: number }): Promise<LookupOutcome>;
  /** Cancels what is not collected yet. Returns its outcome, which may be that it succeeded after all. */
  cancel(payment: { paymentRef: string; nowMs: number }): Promise<ChargeOutcome>;
  /** The charges of a customer for these subscriptions or requests, however they stand, made at `sinceMs` (real time) or later. */
  findCharges(
    sought: ChargeSearch,
  ): Promise<{ kind: 'found'; charges: ProviderCharge[] } | { kind: 'unknown'; reason: string }>;
  /** Every charge that the provider's account made at `sinceMs` or later, newest first, in pages. */
  listCharges(
    page: ChargePageRequest,
  ): Promise<
    { kind: 'page'; charges: ProviderCharge[]; next: string | undefined } | { kind: 'unknown'; reason: string }
  >;
  /** One charge; `missing` if the provider does not know it. */
  describeCharge(payment: {
    paymentRef: string;
    nowMs: number;
  }): Promise<{ kind: 'found'; charge: ProviderCharge } | { kind: 'missing' } | { kind: 'unknown'; reason: string }>;
  /** Reads a webhook's raw bytes, whose signature is of real time. */
  parseWebhook(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): ProviderEvent | Promise<ProviderEvent>;
}
