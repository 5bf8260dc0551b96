import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Books } from '../books/books.ts';
import { keepBooks } from '../books/close-books.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import { draftPeriodInvoice } from '../invoices/make-invoice.ts';
import type { InvoiceRow } from '../invoices/read-queries.ts';
import { closeUnpaid, finalizeInvoice, markPaid, useCredit } from '../invoices/write-invoices.ts';
import { periodAt } from '../money/periods.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import type { HeldCharge } from '../payment-provider/held-charge.ts';
import { isEnded, periodPriceOf } from '../subscriptions/subscription-rules.ts';
import type { SubscriptionState } from '../subscriptions/subscription-state.ts';
import { activated, updateSubscription } from '../subscriptions/write-subscriptions.ts';
import { creditLateMoney } from './credit-late-money.ts';
import { failCollection } from './fail-collection.ts';
import { beginPayment } from './new-payment.ts';
import { closeAdoptedOrphan } from './orphan-queries.ts';
import type { PaymentState } from './payment-state.ts';
import { findPaymentByRef } from './queries.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * The provider collected another amount for the same, in a history that was lost: that money becomes credit, and what is due
 * is billed again with it, so the customer pays the difference and nothing twice. A change is given up instead; when it is
 * asked for again, it uses the credit.
 */
export async function creditHeldCharge(tools: BillingTools, payment: PaymentState, charge: HeldCharge): Promise<void> {
  const { organizationId, id } = payment;
  await keepBooks(tools, tools.database, organizationId, async (books) => {
    const own = await books.payment(id);
    const isTaken = (await findPaymentByRef(books.tx, payment.provider, charge.paymentRef)) !== undefined;
    if (own === undefined || own.settledAtMs !== null || own.providerRef !== null || isTaken) {
      return;
    }
    await creditInstead(books, own, charge);
  });
}

/** Makes the provider's charge credit, and bills what the payment was for again, or gives the payment up. */
export async function creditInstead(books: Books, own: PaymentState, charge: HeldCharge): Promise<void> {
  await recordAsCredit(books, own, charge);
  if (own.intent.kind === 'collect') {
    await billAgain(books, own, charge.reason?.attempt ?? 0);
  } else {
    await settlePayment(books, own.id, { kind: 'canceled' });
  }
}

/** Writes the provider's charge as a payment that became credit, and tells the customer and finance of it. */
async function recordAsCredit(books: Books, like: PaymentState, charge: HeldCharge): Promise<void> {
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
  await creditLateMoney(books, paid, 'lost_record');
  await closeAdoptedOrphan(books.tx, like.provider, providerRef, books.tools.clock.nowMs());
}

/** Voids the invoice of a period, and bills the period again with the current credit. */
async function billAgain(books: Books, own: PaymentState, heldAttempt: number): Promise<void> {
  books.payments.set(own.id, {
    ...own,
    status: 'canceled',
    settledAtMs: books.nowMs,
    nextCheckAtMs: null,
    requestKey: null,
  });
  const subscription = await books.subscription(own.subscriptionId);
  const invoice = own.invoiceId === null ? undefined : await books.invoice(own.invoiceId);
  if (subscription === undefined) {
    return;
  }
  const freed = { ...subscription, requiresAction: false, pendingPaymentId: null };
  if (invoice === undefined || invoice.status !== 'open' || isEnded(subscription)) {
    updateSubscription(books, freed, undefined);
    return;
  }
  const next = await redraw(books, freed, invoice);
  const attempt = Math.max(own.attempt ?? 0, heldAttempt) + 1;
  await collectRest(books, { ...freed, latestInvoiceId: next.id }, next, { purpose: own.purpose, attempt });
}

async function redraw(books: Books, subscription: SubscriptionState, invoice: InvoiceRow): Promise<InvoiceRow> {
  const { plan, quantity, coupon, periodIndex } = subscription;
  const price = periodPriceOf(plan, quantity, coupon, periodIndex);
  const rest = BigInt(invoice.subtotal) - price.subtotal;
  if (invoice.reason === 'change' || invoice.period_index !== periodIndex || rest < 0n) {
    throw new Error(`the invoice ${invoice.id} cannot be drawn up again`);
  }
  await closeUnpaid(books, invoice, 'void');
  const means = await books.means(plan.currency);
  const previous = periodAt(subscription.anchorMs, Math.max(0, periodIndex - 1));
  const carried = { amount: rest, fromMs: previous.startMs };
  const draft = draftPeriodInvoice(newId('invoice'), invoice.reason, subscription, price, means, carried);
  await useCredit(books, draft, subscription.id);
  return finalizeInvoice(books, draft, subscription.id);
}

/** Leaves the rest of the invoice to the job that looks payments up, which collects it. */
async function collectRest(
  books: Books,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  { purpose, attempt }: { purpose: PaymentState['purpose']; attempt: number },
): Promise<void> {
  if (invoice.amount_due === 0) {
    books.mayChangeTier ||= subscription.status === 'incomplete';
    markPaid(books, invoice, null);
    updateSubscription(books, activated(subscription), SUBSCRIPTION_UPDATED);
    return;
  }
  const method = await findDefaultMethod(books.tx, books.organizationId);
  if (method === undefined) {
    await failCollection(books, subscription, invoice, { declineCode: 'no_payment_method', methodId: null, purpose });
    return;
  }
  const payment = beginPayment(books, {
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
  });
  // Nobody here goes on with it, so it is not kept from the job.
  books.claimed.splice(books.claimed.indexOf(payment), 1);
  updateSubscription(books, { ...subscription, pendingPaymentId: payment.id }, undefined);
}
