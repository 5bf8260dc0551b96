import { actorOf, recordAudit } from '../../audit/index.ts';
import { type Answer, type Answered, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentFailed } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findNextAttempt } from '../ledger/payment-queries.ts';
import type { RequestKey } from '../ledger/payment-state.ts';
import { beginPayment } from '../ledger/record-money.ts';
import { presentCreated } from '../ledger/record-subscription.ts';
import { isEnded } from '../ledger/subscription-rules.ts';
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

/**
 * Pays an open invoice now with the default method while the customer is present to authenticate, as for a renewal that
 * required authentication. Throws payment_failed if the card is declined; the invoice stays open, and dunning
 * continues.
 */
export async function payInvoice(
  context: AuthorizedContext,
  tools: BillingTools,
  id: string,
): Promise<Answer<unknown>> {
  const request = chargeRequestOf(context, tools, id);
  return charge(context, tools, request, (ledger) => decide(ledger, id, request.key));
}

function chargeRequestOf(context: AuthorizedContext, tools: BillingTools, id: string): ChargeRequest {
  const present: ChargeRequest['present'] = (subscription, clientSecret) => ({
    data: presentCreated(subscription, clientSecret),
  });
  return {
    key: requestKeyOf(context, tools, 'POST /v1/invoices/pay', id),
    present,
    answer: async (tx, { after, clientSecret, refusal }) => {
      if (refusal !== undefined || after === undefined) {
        return { refusal: refusal ?? notFound('invoice') };
      }
      await recordAudit(tx, actorOf(context), {
        action: 'invoice.payment_begun',
        targetType: 'invoice',
        targetId: id,
      });
      return present(after, clientSecret);
    },
  };
}

async function decide(
  ledger: Ledger,
  id: string,
  key: RequestKey | undefined,
): Promise<Answered | ToCollect | Blocked> {
  const { tx, tools, nowMs, organizationId } = ledger;
  const invoice = await ledger.invoice(id);
  const subscription = invoice === undefined ? undefined : await ledger.subscription(invoice.subscription_id);
  if (invoice === undefined || subscription === undefined) {
    throw notFound('invoice');
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
    request: key,
  });
  ledger.subscriptions.set(subscription.id, { ...subscription, pendingPaymentId: payment.id });
  return { kind: 'collect', payment, nowMs };
}
