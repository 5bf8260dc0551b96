import { newId } from '../../ids/index.ts';
import type { Books } from '../books/books.ts';
import { describeChange } from '../invoices/describe-line.ts';
import { draftChangeInvoice, type InvoiceDraft } from '../invoices/make-invoice.ts';
import { settleChange } from '../money/proration.ts';
import { findPlan, holdPlan } from '../plans/queries.ts';
import { requireRoomForSeats } from './caps.ts';
import { requireNoFreeSubscription } from './live-billing-queries.ts';
import { refused, requireChargeable, requireSeats, requireSellable } from './order-rules.ts';
import type { SubscriptionChange } from './schemas.ts';
import { ledgerOf, periodPriceOf } from './subscription-rules.ts';
import type { SoldPlan, SubscriptionState } from './subscription-state.ts';

/** A change and what it comes to, to the second of the organization's clock. */
export interface WeighedChange {
  quantity: number;
  plan: SoldPlan;
  /** To be charged when positive, to be credited when negative; minor units. */
  amount: bigint;
  /** Instead of an amount: too little to be charged, so the change takes effect and the next that is billed bills it. */
  carried: bigint;
  accrued: bigint;
  /** Only where something is to be charged. */
  invoice: InvoiceDraft | undefined;
  description: string;
  /** What the next period would cost, before credit. */
  nextPeriodAmount: bigint;
  /** Whether it changes nothing. */
  isNone: boolean;
}

/** Works out a change, the same for a preview and for the change itself. Throws validation_failed. */
export async function weighChange(
  books: Books,
  subscription: SubscriptionState,
  change: SubscriptionChange,
): Promise<WeighedChange> {
  const quantity = change.quantity ?? subscription.quantity;
  const plan = await planAfter(books, subscription, change.plan_id, quantity);
  const { coupon, periodIndex } = subscription;
  const before = periodPriceOf(subscription.plan, subscription.quantity, coupon, periodIndex);
  const after = periodPriceOf(plan, quantity, coupon, periodIndex);
  requireChargeable(after.subtotal, books.tools.provider?.maxAmount(plan.currency));
  await requireRoomForSeats(books, subscription, quantity);
  const { amount, ledger } = settleChange(ledgerOf(subscription), books.nowMs, before.total, after.total);
  const made = { quantity, planName: plan.name };
  const means = await books.means(plan.currency);
  const invoice =
    amount > 0n ? draftChangeInvoice(newId('invoice'), subscription, made, books.nowMs, amount, means) : undefined;
  const isCarried = invoice !== undefined && invoice.amountDue > 0 && invoice.amountDue < means.minAmount;
  return {
    quantity,
    plan,
    amount: isCarried ? 0n : amount,
    carried: isCarried ? amount : 0n,
    accrued: ledger.accrued,
    invoice: isCarried ? undefined : invoice,
    description: describeChange(subscription, made, books.nowMs),
    nextPeriodAmount: periodPriceOf(plan, quantity, coupon, periodIndex + 1).total,
    isNone: quantity === subscription.quantity && plan.id === subscription.plan.id,
  };
}

/** Whoever has a plan that is no longer on sale may keep changing its seats. */
async function planAfter(
  books: Books,
  subscription: SubscriptionState,
  planId: string | undefined,
  quantity: number,
): Promise<SoldPlan> {
  if (planId === undefined || planId === subscription.plan.id) {
    const plan = await findPlan(books.tx, subscription.plan.id);
    if (plan !== undefined && quantity > subscription.quantity) {
      requireSeats(plan, quantity);
    }
    return subscription.plan;
  }
  const plan = requireSellable(await holdPlan(books.tx, planId), quantity);
  if (plan.currency !== subscription.plan.currency) {
    throw refused('plan_id', 'currency', 'A subscription stays in its currency: subscribe anew for another one.');
  }
  if (plan.price === 0) {
    await requireNoFreeSubscription(books.tx, books.organizationId, subscription.id);
  }
  return plan;
}
