import type { AppliedCoupon, FeatureValue, PolicyOverrides } from '../schemas.ts';

/** The status of a subscription (contract §8). */
export type SubscriptionStatus = 'incomplete' | 'active' | 'past_due' | 'canceled' | 'expired';

/** A change that takes effect when it is paid. */
export interface PendingChange {
  quantity: number;
  planId: string;
  expiresAtMs: number;
}

/** The part of a plan that work on a subscription needs. */
export interface SoldPlan {
  id: string;
  name: string;
  /** For one seat and one period, in minor units. */
  price: number;
  currency: string;
  interval: 'month';
  tier: 'free' | 'pro' | 'enterprise';
  product: string;
  license_features: Readonly<Record<string, FeatureValue>>;
  grace_seconds: number;
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  policy: PolicyOverrides;
}

/** A subscription as stored, with its plan and coupon. Times in milliseconds since 1970 on the organization's clock. */
export interface SubscriptionState {
  readonly organizationId: string;
  readonly id: string;
  readonly status: SubscriptionStatus;
  readonly plan: SoldPlan;
  readonly quantity: number;
  readonly coupon: AppliedCoupon | null;
  readonly anchorMs: number;
  readonly periodIndex: number;
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  /** See money/periods.ts. */
  readonly accrued: bigint;
  readonly billed: bigint;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAtMs: number | null;
  readonly canceledBy: string | null;
  readonly cancelReason: string | null;
  readonly endedAtMs: number | null;
  readonly latestInvoiceId: string | null;
  readonly licenseId: string | null;
  readonly requiresAction: boolean;
  /** The payment in flight, of any purpose. */
  readonly pendingPaymentId: string | null;
  readonly pending: PendingChange | null;
  readonly dunningRetries: number;
  readonly nextAttemptAtMs: number | null;
  readonly dunningEndsAtMs: number | null;
  readonly createdAtMs: number;
}
