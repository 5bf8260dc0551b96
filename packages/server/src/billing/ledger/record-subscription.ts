import type { Static } from 'typebox';
import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { newId } from '../../ids/index.ts';
import { findCouponById, presentCoupon, updateCouponReleased } from '../coupons/queries.ts';
import { SUBSCRIPTION_CREATED, SUBSCRIPTION_EXPIRED, type SUBSCRIPTION_UPDATED } from '../events.ts';
import { accrueWholePeriod, periodAt } from '../money/periods.ts';
import { findPlan, type PlanRow } from '../plans/queries.ts';
import type { Subscription } from '../schemas.ts';
import type { InvoiceRow } from './invoice-queries.ts';
import type { Ledger } from './ledger.ts';
import type { PaymentIntent } from './payment-state.ts';
import { closeUnpaid } from './record-money.ts';
import { endDunning, expire, periodPriceOf } from './subscription-rules.ts';
import type { SoldPlan, SubscriptionState } from './subscription-state.ts';

type CreateIntent = Extract<PaymentIntent, { kind: 'create' }>;
type ChangeIntent = Extract<PaymentIntent, { kind: 'change' }>;

/** A new subscription in its first period. It is incomplete, and has no license, until it is paid. */
export async function newSubscription(
  ledger: Pick<Ledger, 'tx' | 'organizationId' | 'nowMs'>,
  id: string,
  order: Pick<CreateIntent, 'planId' | 'quantity' | 'couponId' | 'anchorMs'>,
): Promise<SubscriptionState> {
  const plan = await requireSoldPlan(ledger, order.planId);
  const coupon = order.couponId === null ? undefined : await findCouponById(ledger.tx, { couponId: order.couponId });
  const applied = coupon === undefined ? null : presentCoupon(coupon);
  const period = periodAt(order.anchorMs, 0);
  const price = periodPriceOf(plan, order.quantity, applied, 0);
  const accrual = accrueWholePeriod(period, price.total);
  return {
    organizationId: ledger.organizationId,
    id,
    status: 'incomplete',
    plan,
    quantity: order.quantity,
    coupon: applied,
    anchorMs: order.anchorMs,
    periodIndex: 0,
    periodStartMs: period.startMs,
    periodEndMs: period.endMs,
    accrued: accrual.accrued,
    billed: accrual.billed,
    ...INITIAL_STATE,
    createdAtMs: ledger.nowMs,
  };
}

/** The plan of a subscription. A plan sold by contact has no price, and never gets here. */
async function requireSoldPlan(ledger: Pick<Ledger, 'tx'>, planId: string): Promise<SoldPlan> {
  const plan = await findPlan(ledger.tx, { planId });
  const sold = plan === undefined ? undefined : soldPlanOf(plan);
  if (sold === undefined) {
    throw new Error(`the plan ${planId} is not for sale`);
  }
  return sold;
}

/** Undefined for a plan without a price. */
export function soldPlanOf(plan: PlanRow): SoldPlan | undefined {
  return plan.price === null ? undefined : { ...plan, price: plan.price };
}

/** Writes a new subscription, and announces it. */
export function addSubscription(ledger: Ledger, subscription: SubscriptionState): void {
  ledger.subscriptions.set(subscription.id, subscription);
  ledger.events.push(() =>
    announcement(SUBSCRIPTION_CREATED, eventOf(ledger.subscriptions.get(subscription.id) ?? subscription)),
  );
}

/** Writes the new state of a subscription, and announces it unless only our own bookkeeping changed. */
export function updateSubscription(
  ledger: Ledger,
  subscription: SubscriptionState,
  event: typeof SUBSCRIPTION_UPDATED | typeof SUBSCRIPTION_EXPIRED | undefined,
): void {
  ledger.subscriptions.set(subscription.id, subscription);
  if (event !== undefined) {
    ledger.events.push(() => announcement(event, eventOf(ledger.subscriptions.get(subscription.id) ?? subscription)));
  }
}

/** Makes a subscription active: with a license, and out of dunning. */
export function activate(subscription: SubscriptionState): SubscriptionState {
  return { ...endDunning(subscription), licenseId: subscription.licenseId ?? newId('license') };
}

/** The subscription after a change for which `billed` minor units were billed or, if negative, credited. */
export async function applyChange(
  ledger: Ledger,
  subscription: SubscriptionState,
  change: Pick<ChangeIntent, 'planId' | 'quantity'> & { accrued: bigint; billed: bigint },
): Promise<SubscriptionState> {
  const plan =
    change.planId === subscription.plan.id ? subscription.plan : await requireSoldPlan(ledger, change.planId);
  ledger.mayChangeTier ||= plan.tier !== subscription.plan.tier;
  return {
    ...subscription,
    plan,
    quantity: change.quantity,
    accrued: change.accrued,
    billed: subscription.billed + change.billed,
    pending: null,
  };
}

/** Ends a subscription whose dunning, or whose deadline for the first payment, is over. */
export async function expireUnpaid(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow | undefined,
): Promise<void> {
  if (invoice?.status === 'open') {
    await closeUnpaid(ledger, invoice, subscription.status === 'incomplete' ? 'void' : 'uncollectible');
  }
  if (subscription.status === 'incomplete' && subscription.coupon !== null) {
    await updateCouponReleased(ledger.tx, { couponId: subscription.coupon.id });
  }
  ledger.mayChangeTier = true;
  // If the last retry took longer than the license lasted, the end is that of the license, so that nothing expires
  // twice.
  const endedAtMs = Math.min(ledger.nowMs, subscription.dunningEndsAtMs ?? ledger.nowMs);
  updateSubscription(ledger, expire(subscription, endedAtMs), SUBSCRIPTION_EXPIRED);
}

function eventOf(subscription: SubscriptionState) {
  return {
    ...presentSubscription(subscription),
    subscription_id: subscription.id,
    plan_id: subscription.plan.id,
  };
}

/** A subscription as the API and the events show it. */
export function presentSubscription(subscription: SubscriptionState): Static<typeof Subscription> {
  const { plan, coupon, pending } = subscription;
  return {
    id: subscription.id,
    status: subscription.status,
    plan: { id: plan.id, name: plan.name, price: plan.price, currency: plan.currency, interval: plan.interval },
    quantity: subscription.quantity,
    current_period_start: isoTime(subscription.periodStartMs),
    current_period_end: isoTime(subscription.periodEndMs),
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    created_at: isoTime(subscription.createdAtMs),
    canceled_at: timeOrNull(subscription.canceledAtMs),
    ended_at: timeOrNull(subscription.endedAtMs),
    coupon,
    latest_invoice_id: subscription.latestInvoiceId,
    license_id: subscription.licenseId,
    requires_action: subscription.requiresAction,
    pending_change:
      pending === null
        ? null
        : { quantity: pending.quantity, plan_id: pending.planId, expires_at: isoTime(pending.expiresAtMs) },
  };
}

/** The answer to creating a subscription (service.md "Create-subscription result"), and to paying for one. */
export function presentCreated({ id, status, requiresAction }: SubscriptionState, clientSecret: string) {
  return { id, status, client_secret: clientSecret, requires_action: requiresAction };
}

/** The answer to the request for a change: it includes the secret to pay the pending change with. */
export function presentChanged(subscription: SubscriptionState, clientSecret: string) {
  const shown = presentSubscription(subscription);
  const pending = shown.pending_change;
  return { ...shown, pending_change: pending === null ? null : { ...pending, client_secret: clientSecret } };
}

function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : isoTime(timeMs);
}

/** The initial state of every subscription: nothing requested, pending or owed. */
export const INITIAL_STATE = {
  cancelAtPeriodEnd: false,
  canceledAtMs: null,
  canceledBy: null,
  cancelReason: null,
  endedAtMs: null,
  latestInvoiceId: null,
  licenseId: null,
  requiresAction: false,
  pendingPaymentId: null,
  pending: null,
  dunningRetries: 0,
  nextAttemptAtMs: null,
  dunningEndsAtMs: null,
} as const satisfies Partial<SubscriptionState>;
