import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import { draftPeriodInvoice } from '../ledger/draft-invoice.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';
import { type Ledger, withLedger } from '../ledger/ledger.ts';
import { findPaymentByRef } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import {
  beginPayment,
  closePayment,
  closeUnpaid,
  creditLatePayment,
  finalizeInvoice,
  markPaid,
  useCredit,
} from '../ledger/record-money.ts';
import { activate, updateSubscription } from '../ledger/record-subscription.ts';
import { isEnded, periodPriceOf } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { periodAt } from '../money/periods.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { failCollection, settlePayment } from '../payments/settle-payment.ts';
import { updateAdoptedOrphan } from './queries.ts';

/**
 * The provider collected a different amount for the same purpose, and its record was lost. The money becomes credit,
 * and the period is billed again with it, so the customer pays only the difference. A change is canceled instead; when
 * it is requested again, it uses the credit.
 */
export async function creditUnrecordedCharge(
  tools: BillingTools,
  payment: PaymentState,
  charge: ProviderCharge,
): Promise<void> {
  const { organizationId, id } = payment;
  await withLedger(tools.database, tools, organizationId, async (ledger) => {
    const own = await ledger.payment(id);
    const taken = await findPaymentByRef(ledger.tx, { provider: payment.provider, ref: charge.paymentRef });
    if (own === undefined || own.settledAtMs !== null || own.providerRef !== null || taken !== undefined) {
      return;
    }
    await creditInstead(ledger, own, charge);
  });
}

/** Turns the provider's charge into credit, and bills the period again or cancels the payment. */
export async function creditInstead(ledger: Ledger, own: PaymentState, charge: ProviderCharge): Promise<void> {
  await recordAsCredit(ledger, own, charge);
  if (own.intent.kind === 'collect') {
    await rebillPeriod(ledger, own, charge.reason?.attempt ?? 0);
  } else {
    await settlePayment(ledger, own.id, { kind: 'canceled' });
  }
}

/** Writes the provider's charge as a payment that became credit, and notifies the customer and finance. */
async function recordAsCredit(ledger: Ledger, like: PaymentState, charge: ProviderCharge): Promise<void> {
  const { amount, currency, paymentRef: providerRef } = charge;
  const paid: PaymentState = {
    ...like,
    id: newId('payment'),
    intent: { kind: 'collect' },
    amount,
    currency,
    methodRef: charge.methodRef ?? like.methodRef,
    attempt: charge.reason?.attempt ?? like.attempt,
    providerRef,
    requestKey: null,
    requestHash: null,
  };
  await creditLatePayment(ledger, paid, 'lost_record');
  const { tx, tools } = ledger;
  await updateAdoptedOrphan(tx, { provider: like.provider, ref: providerRef, now: tools.clock.nowMs() });
}

/** Voids the invoice of a period, and bills the period again with the current credit. */
async function rebillPeriod(ledger: Ledger, own: PaymentState, chargedAttempt: number): Promise<void> {
  closePayment(ledger, own, 'canceled');
  const subscription = await ledger.subscription(own.subscriptionId);
  const invoice = own.invoiceId === null ? undefined : await ledger.invoice(own.invoiceId);
  if (subscription === undefined) {
    return;
  }
  const freed = { ...subscription, requiresAction: false, pendingPaymentId: null };
  if (invoice === undefined || invoice.status !== 'open' || isEnded(subscription)) {
    updateSubscription(ledger, freed, undefined);
    return;
  }
  const next = await reissueInvoice(ledger, freed, invoice);
  const attempt = Math.max(own.attempt ?? 0, chargedAttempt) + 1;
  await collectRest(ledger, { ...freed, latestInvoiceId: next.id }, next, { purpose: own.purpose, attempt });
}

async function reissueInvoice(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
): Promise<InvoiceRow> {
  const { plan, quantity, coupon, periodIndex } = subscription;
  const price = periodPriceOf(plan, quantity, coupon, periodIndex);
  const rest = BigInt(invoice.subtotal) - price.subtotal;
  if (invoice.reason === 'change' || invoice.period_index !== periodIndex || rest < 0n) {
    throw new Error(`the invoice ${invoice.id} cannot be issued again`);
  }
  await closeUnpaid(ledger, invoice, 'void');
  const terms = await ledger.chargeTerms(plan.currency);
  const previous = periodAt(subscription.anchorMs, Math.max(0, periodIndex - 1));
  const carried = { amount: rest, fromMs: previous.startMs };
  const draft = draftPeriodInvoice(newId('invoice'), invoice.reason, subscription, price, terms, carried);
  await useCredit(ledger, draft, subscription.id);
  return finalizeInvoice(ledger, draft, subscription.id);
}

/** Leaves the rest of the invoice to the job that looks payments up, which collects it. */
async function collectRest(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  { purpose, attempt }: { purpose: PaymentState['purpose']; attempt: number },
): Promise<void> {
  if (invoice.amount_due === 0) {
    ledger.mayChangeTier ||= subscription.status === 'incomplete';
    markPaid(ledger, invoice, null);
    updateSubscription(ledger, activate(subscription), SUBSCRIPTION_UPDATED);
    return;
  }
  const method = await findDefaultMethod(ledger.tx, { organizationId: ledger.organizationId });
  if (method === undefined) {
    await failCollection(ledger, subscription, invoice, { declineCode: 'no_payment_method', methodId: null, purpose });
    return;
  }
  const payment = beginPayment(ledger, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    purpose,
    periodIndex: invoice.period_index,
    periodStartMs: subscription.periodStartMs,
    attempt,
    intent: { kind: 'collect' },
    amount: invoice.amount_due,
    currency: invoice.currency,
    isOnSession: false,
    method,
    isLeftToJob: true,
  });
  updateSubscription(ledger, { ...subscription, pendingPaymentId: payment.id }, undefined);
}
