import type { ChargePurpose, ChargeReason, ProviderCharge } from './provider-charge.ts';

/**
 * The outcome of a charge. A business outcome is never an exception; `unknown` is looked up, never treated as another
 * outcome.
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
  /** No response, or one that cannot be trusted: money may or may not have moved. */
  | { kind: 'unknown'; reason: string };

/** What a look-up found; `unconfirmed` means that the charge was never confirmed, so no money moved. */
export type LookupOutcome = ChargeOutcome | { kind: 'unconfirmed' };

/** One attempt to collect money. */
export interface Charge {
  /** The payment's id. Without a `reason`, the provider's idempotency key derives from it. */
  attemptId: string;
  /**
   * What it is for: the provider's idempotency key is derived from it, so nothing is collected twice, and the provider
   * stores it with the charge. Undefined for charges begun by a version that did not record it.
   */
  reason?: ChargeReason | undefined;
  organizationId: string;
  /** Positive, in minor units of the currency. */
  amount: number;
  /** ISO 4217, lower case. */
  currency: string;
  customerRef: string;
  methodRef: string;
  /** What it is for: providers may treat a renewal differently, because no customer is present. */
  purpose: ChargePurpose;
  /** Whether the customer is present to authenticate. */
  isOnSession: boolean;
  /** Whether this charge requests a mandate to charge the card without the customer, because it has none yet. */
  setsUpMandate: boolean;
  description: string;
  /** The organization's clock, in milliseconds since 1970. */
  nowMs: number;
}

/** A card at the provider. */
export interface AttachedMethod {
  ref: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

export type AttachOutcome =
  | { kind: 'attached'; method: AttachedMethod }
  /** The method does not exist or belongs to another customer. */
  | { kind: 'refused'; reason: 'unknown' | 'in_use' | 'expired' }
  | { kind: 'declined'; declineCode: string }
  /** The provider no longer knows the customer, because it was deleted there. */
  | { kind: 'customer_gone' }
  | { kind: 'unknown'; reason: string };

/** The content of a provider's webhook, after its signature was verified. It is only a hint: the state is looked up. */
export type ProviderEvent =
  | { kind: 'payment'; eventId: string; paymentRef: string }
  | { kind: 'method_detached'; eventId: string; methodRef: string }
  | { kind: 'other'; eventId: string }
  | { kind: 'forged'; reason: string };

/** The charges to look for. */
export interface ChargeSearch {
  customerRef: string;
  subscriptionIds: readonly string[];
  /** Charges begun by these requests are also included; see ChargeReason. */
  requests: readonly string[];
  /** Real time, in milliseconds since 1970. */
  sinceMs: number;
  /** The organization's clock. */
  nowMs: number;
}

/** A page of all charges. */
export interface ChargePageRequest {
  /** Real time, in milliseconds since 1970. */
  sinceMs: number;
  /** Where the previous page ended; undefined for the first. */
  cursor: string | undefined;
}

/** The payment provider. One contract suite applies to every implementation: payment-provider/contract.test.ts. */
export interface PaymentProvider {
  readonly name: 'test' | 'stripe';
  /** The maximum amount of one charge, in minor units of the currency (ISO 4217, lower case). */
  maxAmount(currency: string): number;
  /** The minimum amount of one charge, in minor units of the currency, and at least 1. */
  minAmount(currency: string): number;
  /**
   * Creates the organization's customer, or returns the existing one. `insteadOf`: a deleted customer to replace; also
   * idempotent.
   */
  createCustomer(customer: {
    organizationId: string;
    name: string;
    email: string | undefined;
    insteadOf?: string | undefined;
  }): Promise<{ kind: 'ready'; customerRef: string } | { kind: 'unknown'; reason: string }>;
  /** Attaches a method from the customer's browser (or a test card) to the customer. Doing it twice is harmless. */
  attachMethod(method: { customerRef: string; token: string; nowMs: number }): Promise<AttachOutcome>;
  /** Detaches it permanently. Succeeds if it is already detached. */
  detachMethod(method: {
    customerRef: string;
    methodRef: string;
  }): Promise<{ kind: 'detached' } | { kind: 'unknown'; reason: string }>;
  /**
   * Announces the charge without collecting anything. The same attempt again returns the same reference; with another
   * amount or card it is `unknown`, because another process has charged, or is charging, something else for it.
   */
  prepare(charge: Charge): Promise<
    /** The customer's program confirms it with `clientSecret`. */
    | { kind: 'prepared'; paymentRef: string; clientSecret: string }
    | { kind: 'declined'; declineCode: string; isHard: boolean }
    | { kind: 'unknown'; reason: string }
  >;
  /** Collects a prepared charge. Idempotent. */
  confirm(charge: Charge & { paymentRef: string }): Promise<ChargeOutcome>;
  /** Its current state. */
  lookup(payment: { paymentRef: string; nowMs: number }): Promise<LookupOutcome>;
  /** Cancels a charge that is not collected yet. Returns its outcome, which may be that it succeeded after all. */
  cancel(payment: { paymentRef: string; nowMs: number }): Promise<ChargeOutcome>;
  /**
   * The charges of a customer for these subscriptions or requests, in any state, made at `sinceMs` (real time) or
   * later.
   */
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
  /** Reads a webhook's raw bytes; its signature uses real time. */
  parseWebhook(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): ProviderEvent | Promise<ProviderEvent>;
}
