import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  httpError,
  notFound,
  requestInProgress,
  runBeginning,
  runEffect,
  type Unfinished,
} from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { openBooks } from '../books/books.ts';
import { closeBooks, keepBooks } from '../books/close-books.ts';
import { paymentFailed } from '../errors.ts';
import { requireProvider } from '../payment-methods/attach-token.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import { findNextAttempt } from '../payments/attempt-queries.ts';
import { collectPayment } from '../payments/collect-payment.ts';
import { type BegunPayment, beginGivingWay, paymentUnderWay } from '../payments/give-way.ts';
import { beginPayment } from '../payments/new-payment.ts';
import type { PaymentState } from '../payments/payment-state.ts';
import { refusalOfPayment } from '../payments/refusal-of-payment.ts';
import { findBegun, type RequestKey, requestKeyOf } from '../payments/request-key.ts';
import { type Collected, secretOf, settlePayment } from '../payments/settle-payment.ts';
import { presentCreated } from '../subscriptions/present-subscription.ts';
import { isEnded } from '../subscriptions/subscription-rules.ts';

const ROUTE = 'POST /v1/invoices/pay';

/**
 * Pays an open invoice now with the default method, with the customer there to authenticate: how a renewal that asked for
 * authentication is paid. Throws payment_failed when the card is declined; the invoice stays open, and dunning goes on.
 */
export async function payInvoice(
  tools: BillingTools,
  context: AuthorizedContext,
  id: string,
): Promise<Answer<unknown>> {
  const request = requestKeyOf(tools.masterKey, context, ROUTE, id);
  const begun = await beginGivingWay(tools, () =>
    runBeginning(context, (tx) => begin(tools, tx, context, id, request)),
  );
  if (!('unfinished' in begun)) {
    return begun;
  }
  const { payment, nowMs } = begun.unfinished;
  return answerFor(tools, context, payment, await collectPayment(tools, requireProvider(tools), payment, nowMs));
}

async function begin(
  tools: BillingTools,
  tx: Queries,
  context: AuthorizedContext,
  id: string,
  request: RequestKey | undefined,
): Promise<Answer<unknown> | Unfinished<BegunPayment>> {
  const books = await openBooks(tools, tx, context.principal.organizationId);
  const invoice = await books.invoice(id);
  const subscription = invoice === undefined ? undefined : await books.subscription(invoice.subscription_id);
  if (invoice === undefined || subscription === undefined) {
    throw notFound('invoice');
  }
  const done = await findBegun(tx, books.organizationId, request);
  if (done !== undefined) {
    if (done.payment.settledAtMs === null) {
      throw requestInProgress();
    }
    return { data: presentCreated(subscription, '') };
  }
  if (invoice.status !== 'open' || isEnded(subscription)) {
    throw httpError('conflict', `The invoice is ${invoice.status}, and its subscription ${subscription.status}.`);
  }
  if (invoice.reason === 'change') {
    throw httpError('conflict', 'This invoice waits for the customer to authenticate the change that it is for.');
  }
  const inFlight = await books.paymentInFlight(subscription.id);
  if (inFlight !== undefined) {
    if (inFlight.status !== 'requires_action') {
      throw paymentUnderWay();
    }
    return { unfinished: { payment: inFlight, nowMs: books.nowMs, isInTheWay: true } };
  }
  const method = await findDefaultMethod(tx, books.organizationId);
  if (method === undefined) {
    throw paymentFailed('no_payment_method');
  }
  requireProvider(tools);
  const payment = beginPayment(books, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    purpose: 'pay',
    periodIndex: invoice.period_index,
    periodStartMs: invoice.period_start.getTime(),
    attempt: await findNextAttempt(tx, books.organizationId, subscription.id, invoice.period_index),
    intent: { kind: 'collect' },
    amount: invoice.amount_due,
    currency: invoice.currency,
    isOnSession: true,
    method,
    request,
  });
  books.subscriptions.set(subscription.id, { ...subscription, pendingPaymentId: payment.id });
  await closeBooks(books);
  return { unfinished: { payment, nowMs: books.nowMs, isInTheWay: false } };
}

async function answerFor(
  tools: BillingTools,
  context: AuthorizedContext,
  payment: PaymentState,
  outcome: Collected,
): Promise<Answer<unknown>> {
  return runEffect(context, async (tx) => {
    const { settled, subscription } = await keepBooks(tools, tx, payment.organizationId, async (books) => ({
      settled: await settlePayment(books, payment.id, outcome),
      subscription: await books.subscription(payment.subscriptionId),
    }));
    const refusal = refusalOfPayment(outcome, settled);
    if (refusal !== undefined || subscription === undefined) {
      return { refusal: refusal ?? notFound('invoice') };
    }
    await recordAudit(tx, actorOf(context), {
      action: 'invoice.payment_begun',
      targetType: 'invoice',
      targetId: payment.invoiceId ?? '',
    });
    return { data: presentCreated(subscription, secretOf(outcome)) };
  });
}
