import { announcement } from '../../events/index.ts';
import { newId } from '../../ids/index.ts';
import type { Books } from '../books/books.ts';
import { findCouponById, presentCoupon } from '../coupons/queries.ts';
import { SUBSCRIPTION_CREATED, type SUBSCRIPTION_EXPIRED, type SUBSCRIPTION_UPDATED } from '../events.ts';
import { periodAt } from '../money/periods.ts';
import { openLedger } from '../money/proration.ts';
import type { PaymentIntent } from '../payments/payment-state.ts';
import { findPlan, type PlanRow } from '../plans/queries.ts';
import { presentSubscription } from './present-subscription.ts';
import { outOfDunning, periodPriceOf } from './subscription-rules.ts';
import { AT_FIRST, type SoldPlan, type SubscriptionState } from './subscription-state.ts';

type CreateIntent = Extract<PaymentIntent, { kind: 'create' }>;
type ChangeIntent = Extract<PaymentIntent, { kind: 'change' }>;

/** What a new subscription is: its first period from the anchor. Incomplete, without a license, until somebody says that it is paid. */
export async function newSubscription(
  books: Books,
  id: string,
  order: Pick<CreateIntent, 'planId' | 'quantity' | 'couponId' | 'anchorMs'>,
): Promise<SubscriptionState> {
  const plan = await soldPlan(books, order.planId);
  const coupon = order.couponId === null ? undefined : await findCouponById(books.tx, order.couponId);
  const held = coupon === undefined ? null : presentCoupon(coupon);
  const period = periodAt(order.anchorMs, 0);
  const price = periodPriceOf(plan, order.quantity, held, 0);
  const ledger = openLedger(period, price.total);
  return {
    organizationId: books.organizationId,
    id,
    status: 'incomplete',
    plan,
    quantity: order.quantity,
    coupon: held,
    anchorMs: order.anchorMs,
    periodIndex: 0,
    periodStartMs: period.startMs,
    periodEndMs: period.endMs,
    accrued: ledger.accrued,
    billed: ledger.billed,
    ...AT_FIRST,
    createdAtMs: books.nowMs,
  };
}

/** The plan as subscriptions carry it. What is sold by contact has no price and never gets here. */
async function soldPlan(books: Books, planId: string): Promise<SoldPlan> {
  const plan = await findPlan(books.tx, planId);
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

/** Writes a subscription that did not exist, and announces it. */
export function addSubscription(books: Books, subscription: SubscriptionState): void {
  books.subscriptions.set(subscription.id, subscription);
  books.events.push(() =>
    announcement(SUBSCRIPTION_CREATED, told(books.subscriptions.get(subscription.id) ?? subscription)),
  );
}

/** Writes what became of a subscription, and announces it unless only our own bookkeeping changed. */
export function updateSubscription(
  books: Books,
  subscription: SubscriptionState,
  event: typeof SUBSCRIPTION_UPDATED | typeof SUBSCRIPTION_EXPIRED | undefined,
): void {
  books.subscriptions.set(subscription.id, subscription);
  if (event !== undefined) {
    books.events.push(() => announcement(event, told(books.subscriptions.get(subscription.id) ?? subscription)));
  }
}

/** Usable from now on: with its license, out of dunning. */
export function activated(subscription: SubscriptionState): SubscriptionState {
  return { ...outOfDunning(subscription), licenseId: subscription.licenseId ?? newId('license') };
}

/** The subscription after a change of which `billed` minor units were billed (or, negative, credited). */
export async function changed(
  books: Books,
  subscription: SubscriptionState,
  change: Pick<ChangeIntent, 'planId' | 'quantity'> & { accrued: bigint; billed: bigint },
): Promise<SubscriptionState> {
  const plan = change.planId === subscription.plan.id ? subscription.plan : await soldPlan(books, change.planId);
  books.mayChangeTier ||= plan.tier !== subscription.plan.tier;
  return {
    ...subscription,
    plan,
    quantity: change.quantity,
    accrued: change.accrued,
    billed: subscription.billed + change.billed,
    pending: null,
  };
}

function told(subscription: SubscriptionState) {
  return {
    ...presentSubscription(subscription),
    subscription_id: subscription.id,
    plan_id: subscription.plan.id,
  };
}
