import type { Static } from 'typebox';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { findOrganizationClock } from '../../organizations/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { draftPeriodInvoice } from '../ledger/draft-invoice.ts';
import { chargeTermsOf } from '../ledger/ledger.ts';
import { newSubscription } from '../ledger/record-subscription.ts';
import { periodPriceOf } from '../ledger/subscription-rules.ts';
import { listCredits } from '../ledger/write-queries.ts';
import { anchorAt } from '../money/periods.ts';
import { requireOrder } from './order-rules.ts';
import type { Order, OrderPreview } from './schemas.ts';

/**
 * The cost of an order if it were placed now, calculated like the order itself. Nothing is written. An organization
 * that has never bought anything needs no account for it. Throws validation_failed or conflict as the order would.
 */
export async function previewOrder(
  { database, principal }: AuthorizedContext,
  tools: BillingTools,
  order: Order,
): Promise<Static<typeof OrderPreview>> {
  return database.transaction(async (tx) => {
    const { organizationId } = principal;
    const clock = await findOrganizationClock(tx, organizationId);
    if (clock === undefined) {
      throw notFound('organization');
    }
    const { nowMs } = clock;
    const context = { tx, tools, organizationId, nowMs };
    const coupon = await requireOrder(context, order);
    const subscription = await newSubscription(context, newId('subscription'), {
      planId: order.plan_id,
      quantity: order.quantity,
      couponId: coupon?.id ?? null,
      anchorMs: anchorAt(nowMs),
    });
    const { plan, quantity, periodIndex, coupon: applied } = subscription;
    const price = periodPriceOf(plan, quantity, applied, periodIndex);
    const credits = await listCredits(tx, { organizationId });
    const credit = credits.find(({ currency }) => currency === plan.currency)?.balance ?? 0;
    const terms = chargeTermsOf(tools, plan.currency, credit);
    const invoice = draftPeriodInvoice(newId('invoice'), 'create', subscription, price, terms);
    return {
      plan_id: plan.id,
      quantity,
      coupon: applied,
      lines: [...invoice.lines],
      subtotal: invoice.subtotal,
      discount: invoice.discount,
      tax: invoice.tax,
      tax_lines: [...invoice.taxLines],
      total: invoice.total,
      credit_applied: invoice.creditApplied,
      amount_due: invoice.amountDue,
      currency: invoice.currency,
      next_period_amount: Number(periodPriceOf(plan, quantity, applied, periodIndex + 1).total),
    };
  });
}
