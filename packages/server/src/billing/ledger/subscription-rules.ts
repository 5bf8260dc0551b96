import { isoTime } from '../../clock/index.ts';
import type { Entitlement } from '../events.ts';
import { chargeUnitOf, roundToUnit } from '../money/amounts.ts';
import {
  type Accrual,
  accrueWholePeriod,
  type CouponTerms,
  discountOf,
  periodAt,
  unbilledAmountOf,
} from '../money/periods.ts';
import type { SoldPlan, SubscriptionState } from './subscription-state.ts';

/** How long a first payment may wait to be authenticated (contract §8). */
const INCOMPLETE_MS = 23 * 3_600_000;
/** How long a change may wait for its payment; never past its period. */
const PENDING_MS = 23 * 3_600_000;
const DAY_MS = 86_400_000;
/**
 * How long the license outlasts the last retry, whose outcome takes seconds, so that no seat is refused in the
 * meantime.
 */
const LAST_RETRY_MS = 600_000;

export function isEnded({ status }: Pick<SubscriptionState, 'status'>): boolean {
  return status === 'canceled' || status === 'expired';
}

/** When a subscription is due for processing next; null when it has ended. */
export function nextActionAtMs(subscription: SubscriptionState): number | null {
  switch (subscription.status) {
    case 'incomplete':
      return subscription.createdAtMs + INCOMPLETE_MS;
    case 'active':
      return Math.min(subscription.periodEndMs, subscription.pending?.expiresAtMs ?? Number.POSITIVE_INFINITY);
    case 'past_due':
      return subscription.nextAttemptAtMs ?? subscription.dunningEndsAtMs;
    default:
      return null;
  }
}

export function pendingExpiresAtMs(subscription: SubscriptionState, nowMs: number): number {
  return Math.min(nowMs + PENDING_MS, subscription.periodEndMs);
}

/**
 * The entitlement of a subscription; undefined until something is paid. A pure function, so the license always matches
 * it.
 */
export function entitlementOf(subscription: SubscriptionState): Entitlement | undefined {
  const { licenseId, plan } = subscription;
  return licenseId === null
    ? undefined
    : {
        subscription_id: subscription.id,
        license_id: licenseId,
        product: plan.product,
        max_seats: subscription.quantity,
        features: plan.license_features,
        expires_at: isoTime(licenseEndsAtMs(subscription)),
        renews: subscription.status === 'active' && !subscription.cancelAtPeriodEnd,
        ended: subscription.endedAtMs !== null,
        heartbeat_interval_seconds: plan.heartbeat_interval_seconds,
        session_timeout_seconds: plan.session_timeout_seconds,
        policy: plan.policy,
      };
}

function licenseEndsAtMs(subscription: SubscriptionState): number {
  if (subscription.endedAtMs !== null) {
    return subscription.endedAtMs;
  }
  if (subscription.dunningEndsAtMs !== null) {
    return subscription.dunningEndsAtMs;
  }
  return subscription.cancelAtPeriodEnd
    ? subscription.periodEndMs
    : subscription.periodEndMs + subscription.plan.grace_seconds * 1000;
}

/** What a whole period costs, in minor units. */
export interface PeriodPrice {
  subtotal: bigint;
  discount: bigint;
  /** subtotal - discount */
  total: bigint;
}

/** The price of a period with this many seats, rounded to the currency's charge unit. */
export function periodPriceOf(
  plan: Pick<SoldPlan, 'price' | 'currency'>,
  quantity: number,
  coupon: CouponTerms | null,
  periodIndex: number,
): PeriodPrice {
  const unit = BigInt(chargeUnitOf(plan.currency));
  const subtotal = roundToUnit(BigInt(plan.price) * BigInt(quantity), unit);
  const discount = discountOf(coupon, periodIndex, subtotal, unit);
  return { subtotal, discount, total: subtotal - discount };
}

export function accrualOf(subscription: SubscriptionState): Accrual {
  const { periodStartMs: startMs, periodEndMs: endMs, accrued, billed, plan } = subscription;
  return { startMs, endMs, accrued, billed, unit: BigInt(chargeUnitOf(plan.currency)) };
}

/**
 * The amount of this period that is billed with the next one, because it was too small to charge. It is waived if it is
 * too small to charge even with the next period.
 */
export function carriedAmountOf(period: Accrual, { total }: PeriodPrice, minAmount: number): bigint {
  const rest = unbilledAmountOf(period);
  return rest > 0n && total > 0n && total + rest >= BigInt(minAmount) ? rest : 0n;
}

/** Moves the subscription to its next period, which is billed in advance. */
export function startNextPeriod(subscription: SubscriptionState): { next: SubscriptionState; price: PeriodPrice } {
  const period = periodAt(subscription.anchorMs, subscription.periodIndex + 1);
  const price = periodPriceOf(subscription.plan, subscription.quantity, subscription.coupon, period.index);
  const { accrued, billed } = accrueWholePeriod(period, price.total);
  const { index: periodIndex, startMs: periodStartMs, endMs: periodEndMs } = period;
  return { next: { ...subscription, periodIndex, periodStartMs, periodEndMs, accrued, billed }, price };
}

/** A renewal could not be charged: dunning starts, or ends immediately if there are no retries. */
export function startDunning(
  subscription: SubscriptionState,
  nowMs: number,
  days: readonly number[],
): SubscriptionState {
  const [first] = days;
  return first === undefined
    ? expire(subscription, nowMs)
    : {
        ...subscription,
        status: 'past_due',
        dunningRetries: 0,
        nextAttemptAtMs: nowMs + first * DAY_MS,
        dunningEndsAtMs: nowMs + sumOf(days) * DAY_MS + LAST_RETRY_MS,
      };
}

/**
 * Starts one of the scheduled retries. The schedule advances before the outcome is known, so that no retry is made
 * twice. After the last retry there is no next one.
 */
export function startRetry(subscription: SubscriptionState, nowMs: number, days: readonly number[]): SubscriptionState {
  const dunningRetries = subscription.dunningRetries + 1;
  const rest = days.slice(dunningRetries);
  return {
    ...subscription,
    dunningRetries,
    nextAttemptAtMs: rest[0] === undefined ? null : nowMs + rest[0] * DAY_MS,
    dunningEndsAtMs: nowMs + sumOf(rest) * DAY_MS + LAST_RETRY_MS,
  };
}

/** Its open invoice was paid. */
export function endDunning(subscription: SubscriptionState): SubscriptionState {
  return {
    ...subscription,
    status: 'active',
    dunningRetries: 0,
    nextAttemptAtMs: null,
    dunningEndsAtMs: null,
  };
}

/** Ends a subscription that was not paid for. */
export function expire(subscription: SubscriptionState, atMs: number): SubscriptionState {
  return end(subscription, 'expired', atMs);
}

/** Ends a subscription that was canceled. */
export function endCanceled(subscription: SubscriptionState, atMs: number): SubscriptionState {
  return end(subscription, 'canceled', atMs);
}

function end(subscription: SubscriptionState, status: 'canceled' | 'expired', endedAtMs: number): SubscriptionState {
  return {
    ...subscription,
    status,
    endedAtMs,
    pending: null,
    pendingPaymentId: null,
    requiresAction: false,
    nextAttemptAtMs: null,
    dunningEndsAtMs: null,
  };
}

function sumOf(days: readonly number[]): number {
  return days.reduce((sum, each) => sum + each, 0);
}
