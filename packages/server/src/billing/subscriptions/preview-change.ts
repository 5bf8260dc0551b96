import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, invalidRequest, notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { lockLedger } from '../ledger/ledger.ts';
import { requireChangeable } from './order-rules.ts';
import type { SubscriptionChange } from './schemas.ts';
import { weighChange } from './weigh-change.ts';

/** The cost of a change if it were made now, calculated like the change itself. Nothing is written. */
export async function previewChange(
  context: AuthorizedContext,
  tools: BillingTools,
  id: string,
  change: SubscriptionChange,
) {
  if (change.quantity === undefined && change.plan_id === undefined) {
    throw invalidRequest('quantity', 'required', 'Provide quantity, plan_id, or both.');
  }
  return context.database.transaction(async (tx) => {
    const ledger = await lockLedger(tx, tools, context.principal.organizationId);
    const subscription = await ledger.subscription(id);
    if (subscription === undefined) {
      throw notFound('subscription');
    }
    requireChangeable(subscription, ledger.nowMs);
    const { amount, carried, invoice, ...weighed } = await weighChange(ledger, subscription, change);
    return {
      quantity: weighed.quantity,
      plan_id: weighed.plan.id,
      proration_at: isoTime(Math.floor(ledger.nowMs / 1000) * 1000),
      amount: Number(amount + carried),
      lines: [...(invoice?.lines ?? [])],
      subtotal: invoice?.subtotal ?? 0,
      discount: invoice?.discount ?? 0,
      tax: invoice?.tax ?? 0,
      tax_lines: [...(invoice?.taxLines ?? [])],
      total: invoice?.total ?? 0,
      credit_applied: invoice?.creditApplied ?? 0,
      amount_due: invoice?.amountDue ?? 0,
      credit_added: amount < 0n ? Number(-amount) : 0,
      carried: Number(carried),
      currency: weighed.plan.currency,
      description: weighed.description,
      next_period_amount: Number(weighed.nextPeriodAmount),
    };
  });
}
