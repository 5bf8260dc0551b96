import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Books } from '../books/books.ts';
import { keepBooks } from '../books/close-books.ts';
import { SUBSCRIPTION_EXPIRED, SUBSCRIPTION_UPDATED } from '../events.ts';
import { draftPeriodInvoice } from '../invoices/make-invoice.ts';
import type { InvoiceRow } from '../invoices/read-queries.ts';
import { finalizeInvoice, markPaid, useCredit } from '../invoices/write-invoices.ts';
import { findDefaultMethod, type MethodRow } from '../payment-methods/queries.ts';
import { isHardDecline } from '../payment-provider/payment-provider.ts';
import { findNextAttempt } from '../payments/attempt-queries.ts';
import { expireUnpaid, failCollection } from '../payments/fail-collection.ts';
import { beginPayment } from '../payments/new-payment.ts';
import type { PaymentState } from '../payments/payment-state.ts';
import { listPaymentsInFlight, listTriedMethods } from '../payments/queries.ts';
import { listDueSubscriptions } from '../subscriptions/queries.ts';
import { canceled, inNextPeriod, ledgerOf, restToBill, withRetryBegun } from '../subscriptions/subscription-rules.ts';
import type { SubscriptionState } from '../subscriptions/subscription-state.ts';
import { updateSubscription } from '../subscriptions/write-subscriptions.ts';

/** What is to be done at the provider once the books are closed. */
export interface DueWork {
  /** The organization's clock. */
  nowMs: number;
  /** How many subscriptions were due. */
  count: number;
  toCollect: readonly PaymentState[];
  toGiveUp: readonly PaymentState[];
}

/** How many subscriptions of one organization are done in one transaction. */
export const PORTION = 50;
/** Where a payment is in the way whose outcome nobody knows yet. */
const DEFER_MS = 60_000;
const UNCONFIGURED_MS = 3_600_000;

/**
 * Does what is due with an organization's subscriptions, in order: renews, ends, retries, lets expire. Payments are begun
 * here and collected by the caller afterwards. Whoever comes second waits for the account and finds nothing due any more.
 * `only` is one subscription of the portion, to be done alone.
 */
export async function actOnDue(tools: BillingTools, organizationId: string, only?: string): Promise<DueWork> {
  return keepBooks(tools, tools.database, organizationId, async (books) => {
    const all = await listDueSubscriptions(books.tx, organizationId, books.nowMs, PORTION);
    const due = only === undefined ? all : all.filter((each) => each.id === only);
    if (due.length === 0) {
      return { nowMs: books.nowMs, count: 0, toCollect: [], toGiveUp: [] };
    }
    const ids = due.map((each) => each.id);
    const inFlight = new Map(
      (await listPaymentsInFlight(books.tx, organizationId, ids)).map((each) => [each.subscriptionId, each]),
    );
    const method = await findDefaultMethod(books.tx, organizationId);
    const toGiveUp: PaymentState[] = [];
    for (const subscription of due) {
      const payment = inFlight.get(subscription.id);
      if (payment === undefined && isToBeCharged(subscription) && books.tools.provider === undefined) {
        // Nothing can be charged here any more; what it owes waits until payments are configured again.
        books.dueAtMs.set(subscription.id, books.nowMs + UNCONFIGURED_MS);
        books.subscriptions.set(subscription.id, subscription);
      } else if (payment === undefined) {
        await act(books, subscription, method);
      } else {
        toGiveUp.push(...standAside(books, subscription, payment));
      }
    }
    return { nowMs: books.nowMs, count: due.length, toCollect: books.claimed, toGiveUp };
  });
}

/** What ends by itself, or costs nothing, needs nobody who moves money. */
function isToBeCharged({ status, plan, cancelAtPeriodEnd }: SubscriptionState): boolean {
  return status === 'past_due' || (status === 'active' && plan.price > 0 && !cancelAtPeriodEnd);
}

/**
 * A payment is in flight: what waits for the customer has waited long enough, a payment of what is past due too, or it
 * would hold up dunning for ever; anything else will be known soon.
 */
function standAside(books: Books, subscription: SubscriptionState, payment: PaymentState): PaymentState[] {
  books.dueAtMs.set(subscription.id, books.nowMs + DEFER_MS);
  books.subscriptions.set(subscription.id, subscription);
  return payment.status === 'requires_action' ? [payment] : [];
}

async function act(books: Books, subscription: SubscriptionState, method: MethodRow | undefined): Promise<void> {
  switch (subscription.status) {
    case 'incomplete':
      await expireUnpaid(books, subscription, await latestInvoice(books, subscription));
      return;
    case 'active':
      if (subscription.periodEndMs > books.nowMs) {
        // A change that was to be paid by now is not in flight any more.
        updateSubscription(books, { ...subscription, pending: null }, SUBSCRIPTION_UPDATED);
      } else if (subscription.cancelAtPeriodEnd) {
        books.mayChangeTier = true;
        updateSubscription(books, canceled(subscription, subscription.periodEndMs), SUBSCRIPTION_EXPIRED);
      } else {
        await renew(books, subscription, method);
      }
      return;
    case 'past_due':
      await retry(books, subscription, method);
      return;
    default:
  }
}

/** The next period begins and is billed in advance, whatever becomes of the payment: once, by its place in the row of periods. */
async function renew(books: Books, subscription: SubscriptionState, method: MethodRow | undefined): Promise<void> {
  const { next, price } = inNextPeriod({ ...subscription, pending: null });
  const means = await books.means(next.plan.currency);
  const rest = restToBill(ledgerOf(subscription), price, means.minAmount);
  const carried = { amount: rest, fromMs: subscription.periodStartMs };
  const draft = draftPeriodInvoice(newId('invoice'), 'renewal', next, price, means, carried);
  await useCredit(books, draft, next.id);
  const renewed = { ...next, latestInvoiceId: draft.id };
  const invoice = await finalizeInvoice(books, draft, next.id);
  if (invoice.amount_due === 0) {
    markPaid(books, invoice, null);
    updateSubscription(books, renewed, SUBSCRIPTION_UPDATED);
    return;
  }
  if (method === undefined) {
    const declineCode = 'no_payment_method';
    await failCollection(books, renewed, invoice, { declineCode, methodId: null, purpose: 'renewal' });
    return;
  }
  const payment = collect(books, renewed, invoice, 1, 'renewal', method);
  updateSubscription(books, { ...renewed, pendingPaymentId: payment.id }, SUBSCRIPTION_UPDATED);
}

/**
 * One of the scheduled retries, or one more because a new card came, which counts as none of them. A card that refused for
 * good is not tried again for this invoice, and out of turn only one that was not tried at all.
 */
async function retry(books: Books, subscription: SubscriptionState, method: MethodRow | undefined): Promise<void> {
  const { dunningDays } = books.tools.settings;
  const invoice = await latestInvoice(books, subscription);
  if (invoice === undefined || invoice.status !== 'open') {
    await expireUnpaid(books, subscription, invoice);
    return;
  }
  const tried = await listTriedMethods(books.tx, books.organizationId, invoice.id);
  const codes = method === undefined ? [] : tried.get(method.id);
  const isScheduled = subscription.nextAttemptAtMs !== null && subscription.nextAttemptAtMs <= books.nowMs;
  const mayTry = codes === undefined || (isScheduled && !codes.some(isHardDecline));
  const next = isScheduled ? withRetryBegun(subscription, books.nowMs, dunningDays) : subscription;
  if (method !== undefined && mayTry) {
    const attempt = await findNextAttempt(books.tx, books.organizationId, next.id, invoice.period_index);
    const payment = collect(books, next, invoice, attempt, 'retry', method);
    updateSubscription(books, { ...next, pendingPaymentId: payment.id }, undefined);
  } else if (next.nextAttemptAtMs === null) {
    await expireUnpaid(books, subscription, invoice);
  } else {
    // Only another card can help, and each retry that passes without one is one less.
    updateSubscription(books, next, undefined);
  }
}

function collect(
  books: Books,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  attempt: number,
  purpose: 'renewal' | 'retry',
  method: MethodRow,
): PaymentState {
  return beginPayment(books, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    purpose,
    periodIndex: invoice.period_index,
    periodStartMs: subscription.periodStartMs,
    attempt,
    intent: { kind: 'collect' },
    amount: invoice.amount_due,
    currency: subscription.plan.currency,
    isOnSession: false,
    method,
  });
}

async function latestInvoice(books: Books, { latestInvoiceId }: SubscriptionState) {
  return latestInvoiceId === null ? undefined : books.invoice(latestInvoiceId);
}
