import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import type { CouponRow } from '../coupons/queries.ts';
import { requireCoupon } from '../coupons/redeem-coupon.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { soldPlanOf } from '../ledger/record-subscription.ts';
import { findStanding, hasFreeSubscription, type Standing } from '../ledger/subscription-queries.ts';
import { periodPriceOf } from '../ledger/subscription-rules.ts';
import type { SoldPlan, SubscriptionState } from '../ledger/subscription-state.ts';
import { requireProvider } from '../payment-methods/attach-method.ts';
import { lockPlanForSale, maxQuantityOf, type PlanRow } from '../plans/queries.ts';
import type { Order } from './schemas.ts';

/** Who orders, and when. A preview needs less than a whole ledger. */
export type OrderContext = Pick<Ledger, 'tx' | 'organizationId' | 'nowMs' | 'tools'>;

/** The refusal of one field by a business rule. */
export function refused(field: string, reason: string, message: string): ApiError {
  return httpError('validation_failed', message, { details: { field, reason } });
}

/**
 * The coupon of an order that the organization can place now, if it names one. Throws validation_failed or conflict if it
 * cannot.
 */
export async function requireOrder(ledger: OrderContext, input: Order): Promise<CouponRow | undefined> {
  const { tx, organizationId, nowMs, tools } = ledger;
  const { plan_id: planId, quantity, coupon_code: code } = input;
  const plan = requireSellable(await lockPlanForSale(tx, { planId }), quantity);
  if (plan.price === 0) {
    await requireNoFreeSubscription(tx, organizationId);
  }
  const { currency } = plan;
  const coupon = code === undefined ? undefined : await requireCoupon(tx, { organizationId, code, currency, nowMs });
  const price = periodPriceOf(plan, quantity, coupon ?? null, 0);
  requireChargeable(price.subtotal, requireProvider(tools).maxAmount(currency));
  await requireRoomForSubscription(ledger, quantity);
  return coupon;
}

/** The plan, if this many seats of it can be bought now. Throws validation_failed. */
export function requireSellable(plan: PlanRow | undefined, quantity: number): SoldPlan {
  if (plan === undefined || plan.is_archived) {
    throw refused('plan_id', 'unknown', 'No such plan, or it is no longer available.');
  }
  const sold = soldPlanOf(plan);
  if (sold === undefined || plan.contact_sales) {
    throw refused('plan_id', 'contact_sales', `The plan ${plan.name} cannot be purchased here. Contact sales.`);
  }
  requireSeats(plan, quantity);
  return sold;
}

/** Throws validation_failed if one subscription to the plan cannot have this many seats. */
export function requireSeats(plan: PlanRow, quantity: number): void {
  const most = maxQuantityOf(plan);
  if (quantity > most) {
    throw refused('quantity', 'max', `The plan ${plan.name} allows at most ${most} seats.`);
  }
}

/**
 * Throws validation_failed if a period would cost more than the maximum charge; without a provider, nothing is charged.
 */
export function requireChargeable(amount: bigint, maxAmount: number | undefined): void {
  if (maxAmount !== undefined && amount > BigInt(maxAmount)) {
    throw refused(
      'quantity',
      'amount',
      'The price of this many seats exceeds the maximum for a single payment. Contact sales.',
    );
  }
}

/**
 * Throws conflict if a subscription cannot be changed now. After the end of its period, until the job begins the next
 * one, there is no remaining time to prorate a change over.
 */
export function requireChangeable({ status, periodEndMs }: SubscriptionState, nowMs: number): void {
  if (status !== 'active') {
    throw httpError('conflict', `The subscription is ${status} and cannot be changed${HINTS[status] ?? ''}.`);
  }
  if (periodEndMs <= nowMs) {
    throw httpError('conflict', 'The subscription is about to renew. Try again in a moment.');
  }
}

const HINTS: Readonly<Record<string, string>> = {
  incomplete: ' until its first payment succeeds',
  past_due: ' until its open invoice is paid',
};

/** Throws validation_failed if another subscription with this many seats would exceed the caps. */
async function requireRoomForSubscription(ledger: OrderContext, quantity: number): Promise<void> {
  const { maxSubscriptions } = ledger.tools.settings.caps;
  const { subscriptions, seats } = await standingOf(ledger, '');
  if (subscriptions >= maxSubscriptions) {
    throw refused('plan_id', 'max', `An organization can have at most ${shown(maxSubscriptions)} live subscriptions.`);
  }
  requireRoom(ledger, seats, quantity);
}

/**
 * Throws validation_failed if the subscription cannot grow to this many seats. Pending orders and changes count as if
 * they were paid, so that nothing is refused after payment. Fewer seats are always allowed, even if the cap was
 * lowered.
 */
export async function requireRoomForSeats(
  ledger: Ledger,
  subscription: { id: string; quantity: number },
  quantity: number,
): Promise<void> {
  if (quantity > subscription.quantity) {
    requireRoom(ledger, (await standingOf(ledger, subscription.id)).seats, quantity);
  }
}

function requireRoom({ tools }: OrderContext, taken: number, quantity: number): void {
  const { maxSeats } = tools.settings.caps;
  if (taken + quantity > maxSeats) {
    throw refused(
      'quantity',
      'max',
      `An organization can have at most ${shown(maxSeats)} seats across its subscriptions; ${shown(Math.max(0, maxSeats - taken))} are left.`,
    );
  }
}

const shown = (count: number) => count.toLocaleString('en');

function standingOf({ tx, organizationId, tools }: OrderContext, exceptId: string): Promise<Standing> {
  const { maxSubscriptions, maxSeats } = tools.settings.caps;
  // Each has at least one seat, so a cap is exceeded before more rows need to be read.
  return findStanding(tx, { organizationId, exceptId, limit: Math.max(maxSubscriptions, maxSeats) + 1 });
}

/**
 * Throws conflict if an organization has a live subscription to a free plan, except for the one with the ID `exceptId`.
 * Otherwise, repeated purchases would give unlimited free seats. Its account is locked.
 */
export async function requireNoFreeSubscription(tx: Queries, organizationId: string, exceptId = ''): Promise<void> {
  if (await hasFreeSubscription(tx, { organizationId, exceptId })) {
    throw httpError('conflict', 'Your organization already has a free subscription. It can have only one.');
  }
}
