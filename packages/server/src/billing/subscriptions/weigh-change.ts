import { newId } from '../../ids/index.ts';
import { describeChange, draftChangeInvoice, type InvoiceDraft } from '../ledger/draft-invoice.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { accrualOf, periodPriceOf } from '../ledger/subscription-rules.ts';
import type { SoldPlan, SubscriptionState } from '../ledger/subscription-state.ts';
import { prorateChange } from '../money/periods.ts';
import { findPlan, lockPlanForSale } from '../plans/queries.ts';
import {
  refused,
  requireChargeable,
  requireNoFreeSubscription,
  requireRoomForSeats,
  requireSeats,
  requireSellable,
} from './order-rules.ts';
import type { SubscriptionChange } from './schemas.ts';

/** A change and what it costs, to the second of the organization's clock. */
export interface WeighedChange {
  quantity: number;
  plan: SoldPlan;
  /** Charged if positive, credited if negative; minor units. */
  amount: bigint;
  /** Instead of an amount: too small to charge, so the change takes effect and is billed with the next charge. */
  carried: bigint;
  accrued: bigint;
  /** Only if something has to be charged. */
  invoice: InvoiceDraft | undefined;
  description: string;
  /** The cost of the next period, before credit. */
  nextPeriodAmount: bigint;
  /** Whether it changes nothing. */
  isNone: boolean;
}

/** Calculates a change, the same way for a preview and for the change itself. Throws validation_failed. */
export async function weighChange(
  ledger: Ledger,
  subscription: SubscriptionState,
  change: SubscriptionChange,
): Promise<WeighedChange> {
  const quantity = change.quantity ?? subscription.quantity;
  const plan = await planAfter(ledger, subscription, change.plan_id, quantity);
  const { coupon, periodIndex } = subscription;
  const before = periodPriceOf(subscription.plan, subscription.quantity, coupon, periodIndex);
  const after = periodPriceOf(plan, quantity, coupon, periodIndex);
  requireChargeable(after.subtotal, ledger.tools.provider?.maxAmount(plan.currency));
  await requireRoomForSeats(ledger, subscription, quantity);
  const { amount, accrual } = prorateChange(accrualOf(subscription), ledger.nowMs, before.total, after.total);
  const made = { quantity, planName: plan.name };
  const terms = await ledger.chargeTerms(plan.currency);
  const invoice =
    amount > 0n ? draftChangeInvoice(newId('invoice'), subscription, made, ledger.nowMs, amount, terms) : undefined;
  const isCarried = invoice !== undefined && invoice.amountDue > 0 && invoice.amountDue < terms.minAmount;
  return {
    quantity,
    plan,
    amount: isCarried ? 0n : amount,
    carried: isCarried ? amount : 0n,
    accrued: accrual.accrued,
    invoice: isCarried ? undefined : invoice,
    description: describeChange(subscription, made, ledger.nowMs),
    nextPeriodAmount: periodPriceOf(plan, quantity, coupon, periodIndex + 1).total,
    isNone: quantity === subscription.quantity && plan.id === subscription.plan.id,
  };
}

/** A customer whose plan is no longer on sale may keep changing its seats. */
async function planAfter(
  ledger: Ledger,
  subscription: SubscriptionState,
  planId: string | undefined,
  quantity: number,
): Promise<SoldPlan> {
  if (planId === undefined || planId === subscription.plan.id) {
    const plan = await findPlan(ledger.tx, { planId: subscription.plan.id });
    if (plan !== undefined && quantity > subscription.quantity) {
      requireSeats(plan, quantity);
    }
    return subscription.plan;
  }
  const plan = requireSellable(await lockPlanForSale(ledger.tx, { planId }), quantity);
  if (plan.currency !== subscription.plan.currency) {
    throw refused(
      'plan_id',
      'currency',
      'The currency of a subscription cannot change. Create a new subscription instead.',
    );
  }
  if (plan.price === 0) {
    await requireNoFreeSubscription(ledger.tx, ledger.organizationId, subscription.id);
  }
  return plan;
}
