import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  invalidRequest,
  notFound,
  requestInProgress,
  runBeginning,
  runEffect,
  type Unfinished,
} from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { type Books, openBooks } from '../books/books.ts';
import { closeBooks, keepBooks } from '../books/close-books.ts';
import { paymentFailed } from '../errors.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import { finalizeInvoice, markPaid, useCredit } from '../invoices/write-invoices.ts';
import { requireProvider } from '../payment-methods/attach-token.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import { findNextChange } from '../payments/attempt-queries.ts';
import { collectPayment } from '../payments/collect-payment.ts';
import { type BegunPayment, beginGivingWay, paymentUnderWay } from '../payments/give-way.ts';
import { beginPayment } from '../payments/new-payment.ts';
import type { PaymentState } from '../payments/payment-state.ts';
import { refusalOfPayment } from '../payments/refusal-of-payment.ts';
import { findBegun, type RequestKey, requestKeyOf } from '../payments/request-key.ts';
import { type Collected, secretOf, settlePayment } from '../payments/settle-payment.ts';
import { requireChangeable } from './order-rules.ts';
import { presentChanged } from './present-subscription.ts';
import type { SubscriptionChange } from './schemas.ts';
import type { SubscriptionState } from './subscription-state.ts';
import { type WeighedChange, weighChange } from './weigh-change.ts';
import { changed, updateSubscription } from './write-subscriptions.ts';

const ROUTE = 'PATCH /v1/subscriptions';

/**
 * Changes a subscription's seats or plan. What costs more is charged at once and takes effect when it is paid; what costs
 * less takes effect at once and becomes credit. Throws payment_failed when the card is declined: then nothing changed.
 */
export async function changeSubscription(
  tools: BillingTools,
  context: AuthorizedContext,
  id: string,
  change: SubscriptionChange,
): Promise<Answer<unknown>> {
  if (change.quantity === undefined && change.plan_id === undefined) {
    throw invalidRequest('quantity', 'required', 'Say which quantity or which plan_id it is to have.');
  }
  const request = requestKeyOf(tools.masterKey, context, ROUTE, [id, change]);
  const begun = await beginGivingWay(tools, () =>
    runBeginning(context, (tx) => beginChange(tools, tx, context, id, change, request)),
  );
  if (!('unfinished' in begun)) {
    return begun;
  }
  const { payment, nowMs } = begun.unfinished;
  const outcome = await collectPayment(tools, requireProvider(tools), payment, nowMs);
  return answerFor(tools, context, payment, outcome, change);
}

async function beginChange(
  tools: BillingTools,
  tx: Queries,
  context: AuthorizedContext,
  id: string,
  change: SubscriptionChange,
  request: RequestKey | undefined,
): Promise<Answer<unknown> | Unfinished<BegunPayment>> {
  const books = await openBooks(tools, tx, context.principal.organizationId);
  const subscription = await books.subscription(id);
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  const done = await findBegun(tx, books.organizationId, request);
  if (done !== undefined) {
    return answerRepeated(done.payment, subscription);
  }
  requireChangeable(subscription, books.nowMs);
  const weighed = await weighChange(books, subscription, change);
  const inFlight = await books.paymentInFlight(id);
  if (inFlight !== undefined) {
    if (inFlight.purpose !== 'change' || inFlight.status !== 'requires_action') {
      throw paymentUnderWay();
    }
    return { unfinished: { payment: inFlight, nowMs: books.nowMs, isInTheWay: true } };
  }
  if (weighed.isNone) {
    return { data: presentChanged(subscription, '') };
  }
  const payment = await apply(books, subscription, weighed, request);
  if (payment !== undefined) {
    await closeBooks(books);
    return { unfinished: { payment, nowMs: books.nowMs, isInTheWay: false } };
  }
  const after = (await books.subscription(id)) ?? subscription;
  await closeBooks(books);
  await audit(tx, context, subscription, after);
  return { data: presentChanged(after, '') };
}

/** A job or the provider has settled what this request began, or somebody is at it. */
function answerRepeated(payment: PaymentState, subscription: SubscriptionState): Answer<unknown> {
  if (payment.settledAtMs === null) {
    throw requestInProgress();
  }
  return { data: presentChanged(subscription, '') };
}

/** Changes it, where nothing is to be charged; else begins the payment by which it changes. */
async function apply(
  books: Books,
  subscription: SubscriptionState,
  weighed: WeighedChange,
  request: RequestKey | undefined,
): Promise<PaymentState | undefined> {
  const { invoice, plan, quantity, accrued, amount } = weighed;
  const change = { planId: plan.id, quantity, accrued, billed: amount };
  if (invoice === undefined) {
    const { currency } = plan;
    const subscriptionId = subscription.id;
    await books.changeCredit({
      currency,
      amount: Number(-amount),
      reason: 'decrease',
      subscriptionId,
      invoiceId: null,
    });
    updateSubscription(books, await changed(books, subscription, change), SUBSCRIPTION_UPDATED);
    return undefined;
  }
  const method = invoice.amountDue === 0 ? undefined : await findDefaultMethod(books.tx, books.organizationId);
  if (invoice.amountDue > 0 && method === undefined) {
    throw paymentFailed('no_payment_method');
  }
  await useCredit(books, invoice, subscription.id);
  if (method === undefined) {
    const after = await changed(books, subscription, change);
    markPaid(books, await finalizeInvoice(books, invoice, subscription.id), null);
    updateSubscription(books, { ...after, latestInvoiceId: invoice.id }, SUBSCRIPTION_UPDATED);
    return undefined;
  }
  requireProvider(books.tools);
  return beginPayment(books, {
    subscriptionId: subscription.id,
    invoiceId: null,
    purpose: 'change',
    periodIndex: subscription.periodIndex,
    periodStartMs: subscription.periodStartMs,
    attempt: await findNextChange(books.tx, books.organizationId, subscription.id),
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
    request,
  });
}

async function answerFor(
  tools: BillingTools,
  context: AuthorizedContext,
  payment: PaymentState,
  outcome: Collected,
  change: SubscriptionChange,
): Promise<Answer<unknown>> {
  return runEffect(context, async (tx) => {
    const { before, after, settled } = await keepBooks(tools, tx, payment.organizationId, async (books) => ({
      before: await books.subscription(payment.subscriptionId),
      settled: await settlePayment(books, payment.id, outcome),
      after: await books.subscription(payment.subscriptionId),
    }));
    if (before === undefined || after === undefined) {
      throw notFound('subscription');
    }
    const refusal = refusalOfPayment(outcome, settled);
    if (refusal !== undefined) {
      return { refusal };
    }
    await audit(tx, context, before, after, change);
    return { data: presentChanged(after, secretOf(outcome)) };
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
