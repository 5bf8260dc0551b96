import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type Answered,
  type AuthorizedContext,
  httpError,
  notFound,
  type Refusal,
  requestInProgress,
} from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findNextAttempt } from '../ledger/payment-queries.ts';
import type { PaymentState, RequestKey } from '../ledger/payment-state.ts';
import { beginPayment } from '../ledger/record-payment.ts';
import { presentCreated } from '../ledger/record-subscription.ts';
import { isEnded } from '../ledger/subscription-rules.ts';
import { writeLedger } from '../ledger/write-ledger.ts';
import { requireProvider } from '../payment-methods/attach-token.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import {
  type Blocked,
  beginSuperseding,
  type Charged,
  collectAndAnswer,
  findBegun,
  paymentInProgress,
  requestKeyOf,
  type ToCollect,
} from '../payments/charge-flow.ts';
import { secretOf } from '../payments/settle-payment.ts';

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
  const request = requestKeyOf(tools, context, ROUTE, id);
  const begun = await beginSuperseding(context, tools, (ledger) => decide(ledger, id, request));
  return begun.kind === 'answered'
    ? begun.answer
    : collectAndAnswer(context, tools, begun, (tx, charged) => answer(tx, context, begun.payment, charged));
}

async function decide(
  ledger: Ledger,
  id: string,
  request: RequestKey | undefined,
): Promise<Answered | ToCollect | Blocked> {
  const { tx, tools, nowMs, organizationId } = ledger;
  const invoice = await ledger.invoice(id);
  const subscription = invoice === undefined ? undefined : await ledger.subscription(invoice.subscription_id);
  if (invoice === undefined || subscription === undefined) {
    throw notFound('invoice');
  }
  const done = await findBegun(ledger, request);
  if (done !== undefined) {
    if (done.payment.settledAtMs === null) {
      throw requestInProgress();
    }
    return { kind: 'answered', answer: { data: presentCreated(subscription, '') } };
  }
  if (invoice.status !== 'open' || isEnded(subscription)) {
    throw httpError(
      'conflict',
      `The invoice cannot be paid: it is ${invoice.status}, and its subscription is ${subscription.status}.`,
    );
  }
  if (invoice.reason === 'change') {
    throw httpError(
      'conflict',
      'The customer must first authenticate the payment for the change that this invoice bills.',
    );
  }
  const inFlight = await ledger.paymentInFlight(subscription.id);
  if (inFlight !== undefined) {
    if (inFlight.status !== 'requires_action') {
      throw paymentInProgress();
    }
    return { kind: 'blocked', payment: inFlight, nowMs };
  }
  const method = await findDefaultMethod(tx, { organizationId });
  if (method === undefined) {
    throw paymentFailed('no_payment_method');
  }
  requireProvider(tools);
  const period = { organizationId, subscriptionId: subscription.id, periodIndex: invoice.period_index };
  const payment = beginPayment(ledger, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    purpose: 'pay',
    periodIndex: invoice.period_index,
    periodStartMs: invoice.period_start.getTime(),
    attempt: await findNextAttempt(tx, period),
    intent: { kind: 'collect' },
    amount: invoice.amount_due,
    currency: invoice.currency,
    isOnSession: true,
    method,
    request,
  });
  ledger.subscriptions.set(subscription.id, { ...subscription, pendingPaymentId: payment.id });
  await writeLedger(ledger);
  return { kind: 'collect', payment, nowMs };
}

async function answer(
  tx: Queries,
  context: AuthorizedContext,
  payment: PaymentState,
  { outcome, after, refusal }: Charged,
): Promise<Answer<unknown> | Refusal> {
  if (refusal !== undefined || after === undefined) {
    return { refusal: refusal ?? notFound('invoice') };
  }
  await recordAudit(tx, actorOf(context), {
    action: 'invoice.payment_begun',
    targetType: 'invoice',
    targetId: payment.invoiceId ?? '',
  });
  return { data: presentCreated(after, secretOf(outcome)) };
}
