import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type Answer, type Answered, type AuthorizedContext, invalidRequest, notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findNextChange } from '../ledger/payment-queries.ts';
import type { PaymentState, RequestKey } from '../ledger/payment-state.ts';
import { beginPayment, finalizeInvoice, markPaid, useCredit } from '../ledger/record-money.ts';
import { applyChange, presentChanged, updateSubscription } from '../ledger/record-subscription.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { requireProvider } from '../payment-methods/attach-method.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import {
  type Blocked,
  type ChargeRequest,
  charge,
  paymentInProgress,
  requestKeyOf,
  type ToCollect,
} from '../payments/charge-flow.ts';
import { requireChangeable } from './order-rules.ts';
import type { SubscriptionChange } from './schemas.ts';
import { type WeighedChange, weighChange } from './weigh-change.ts';

/**
 * Changes a subscription's seats or plan. A change that costs more is charged immediately and takes effect when it is
 * paid; one that costs less takes effect immediately and becomes credit. Throws payment_failed if the card is declined;
 * nothing has then changed.
 */
export async function changeSubscription(
  context: AuthorizedContext,
  tools: BillingTools,
  id: string,
  change: SubscriptionChange,
): Promise<Answer<unknown>> {
  if (change.quantity === undefined && change.plan_id === undefined) {
    throw invalidRequest('quantity', 'required', 'Provide quantity, plan_id, or both.');
  }
  const request = chargeRequestOf(context, tools, id, change);
  return charge(context, tools, request, (ledger) => decide(ledger, context, id, change, request.key));
}

function chargeRequestOf(
  context: AuthorizedContext,
  tools: BillingTools,
  id: string,
  change: SubscriptionChange,
): ChargeRequest {
  const present: ChargeRequest['present'] = (subscription, clientSecret) => ({
    data: presentChanged(subscription, clientSecret),
  });
  return {
    key: requestKeyOf(context, tools, 'PATCH /v1/subscriptions', [id, change]),
    present,
    answer: async (tx, { before, after, clientSecret, refusal }) => {
      if (before === undefined || after === undefined) {
        throw notFound('subscription');
      }
      if (refusal !== undefined) {
        return { refusal };
      }
      await audit(tx, context, before, after, change);
      return present(after, clientSecret);
    },
  };
}

async function decide(
  ledger: Ledger,
  context: AuthorizedContext,
  id: string,
  change: SubscriptionChange,
  key: RequestKey | undefined,
): Promise<Answered | ToCollect | Blocked> {
  const { nowMs } = ledger;
  const subscription = await ledger.subscription(id);
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  requireChangeable(subscription, nowMs);
  const weighed = await weighChange(ledger, subscription, change);
  const inFlight = await ledger.paymentInFlight(id);
  if (inFlight !== undefined) {
    if (inFlight.purpose !== 'change' || inFlight.status !== 'requires_action') {
      throw paymentInProgress();
    }
    return { kind: 'blocked', payment: inFlight, nowMs };
  }
  if (weighed.isNone) {
    return { kind: 'answered', answer: { data: presentChanged(subscription, '') } };
  }
  const payment = await apply(ledger, subscription, weighed, key);
  if (payment !== undefined) {
    return { kind: 'collect', payment, nowMs };
  }
  const after = (await ledger.subscription(id)) ?? subscription;
  await audit(ledger.tx, context, subscription, after);
  return { kind: 'answered', answer: { data: presentChanged(after, '') } };
}

/** Applies the change if nothing has to be charged; otherwise begins and returns the payment that applies it. */
async function apply(
  ledger: Ledger,
  subscription: SubscriptionState,
  weighed: WeighedChange,
  key: RequestKey | undefined,
): Promise<PaymentState | undefined> {
  const { invoice, plan, quantity, accrued, amount } = weighed;
  const change = { planId: plan.id, quantity, accrued, billed: amount };
  if (invoice === undefined) {
    const { currency } = plan;
    const subscriptionId = subscription.id;
    await ledger.changeCredit({
      currency,
      amount: Number(-amount),
      reason: 'decrease',
      subscriptionId,
      invoiceId: null,
    });
    updateSubscription(ledger, await applyChange(ledger, subscription, change), SUBSCRIPTION_UPDATED);
    return undefined;
  }
  const { tx, organizationId } = ledger;
  const method = invoice.amountDue === 0 ? undefined : await findDefaultMethod(tx, { organizationId });
  if (invoice.amountDue > 0 && method === undefined) {
    throw paymentFailed('no_payment_method');
  }
  await useCredit(ledger, invoice, subscription.id);
  if (method === undefined) {
    const after = await applyChange(ledger, subscription, change);
    markPaid(ledger, await finalizeInvoice(ledger, invoice, subscription.id), null);
    updateSubscription(ledger, { ...after, latestInvoiceId: invoice.id }, SUBSCRIPTION_UPDATED);
    return undefined;
  }
  requireProvider(ledger.tools);
  return beginPayment(ledger, {
    subscriptionId: subscription.id,
    invoiceId: null,
    purpose: 'change',
    periodIndex: subscription.periodIndex,
    periodStartMs: subscription.periodStartMs,
    attempt: await findNextChange(tx, { organizationId, subscriptionId: subscription.id }),
    intent: {
      kind: 'change',
      planId: plan.id,
      quantity,
      accrued: String(accrued),
      invoice,
      latestInvoiceId: subscription.latestInvoiceId,
    },
    amount: invoice.amountDue,
    currency: invoice.currency,
    isOnSession: true,
    method,
    request: key,
  });
}

async function audit(
  tx: Queries,
  context: AuthorizedContext,
  before: SubscriptionState,
  after: SubscriptionState,
  asked?: SubscriptionChange,
): Promise<void> {
  await recordAudit(tx, actorOf(context), {
    action: after.pending === null ? 'subscription.updated' : 'subscription.change_requested',
    targetType: 'subscription',
    targetId: after.id,
    before: { plan_id: before.plan.id, quantity: before.quantity },
    after: after.pending === null ? { plan_id: after.plan.id, quantity: after.quantity } : { ...asked },
  });
}
