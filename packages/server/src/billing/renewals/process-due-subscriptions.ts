import { newId } from '../../ids/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { isHardDecline } from '../errors.ts';
import { SUBSCRIPTION_EXPIRED, SUBSCRIPTION_UPDATED } from '../events.ts';
import { draftPeriodInvoice } from '../ledger/draft-invoice.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';
import { type Ledger, withLedger } from '../ledger/ledger.ts';
import { findNextAttempt, listPaymentsInFlight, listTriedMethods } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import { beginPayment, finalizeInvoice, markPaid, useCredit } from '../ledger/record-money.ts';
import { expireUnpaid, updateSubscription } from '../ledger/record-subscription.ts';
import { accrualOf, carriedAmountOf, endCanceled, startNextPeriod, startRetry } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { findDefaultMethod, type MethodRow } from '../payment-methods/queries.ts';
import { failCollection } from '../payments/settle-payment.ts';
import { listDueSubscriptions } from './queries.ts';

/** The remaining work at the provider after the ledger is committed. */
export interface DueWork {
  /** The organization's clock. */
  nowMs: number;
  /** How many subscriptions were due. */
  count: number;
  toCollect: readonly PaymentState[];
  toCancel: readonly PaymentState[];
}

/** How many subscriptions of one organization are processed in one transaction. */
export const PORTION = 50;
/** How long to wait for a payment whose outcome is unknown. */
const DEFER_MS = 60_000;
const UNCONFIGURED_MS = 3_600_000;

/**
 * Renews, retries, ends and expires an organization's due subscriptions, in order. Payments are begun here, and the
 * caller collects them afterwards. A second process waits for the account's lock and then finds nothing due. `only`:
 * one subscription of the portion, which is processed alone.
 */
export async function processDueSubscriptions(
  tools: BillingTools,
  organizationId: string,
  only?: string,
): Promise<DueWork> {
  return withLedger(tools.database, tools, organizationId, async (ledger) => {
    const all = await listDueSubscriptions(ledger.tx, { organizationId, now: ledger.nowMs, limit: PORTION });
    const due = only === undefined ? all : all.filter((each) => each.id === only);
    if (due.length === 0) {
      return { nowMs: ledger.nowMs, count: 0, toCollect: [], toCancel: [] };
    }
    const subscriptionIds = due.map((each) => each.id);
    const payments = await listPaymentsInFlight(ledger.tx, { organizationId, subscriptionIds });
    const inFlight = new Map(payments.map((each) => [each.subscriptionId, each]));
    const method = await findDefaultMethod(ledger.tx, { organizationId });
    const toCancel: PaymentState[] = [];
    for (const subscription of due) {
      const payment = inFlight.get(subscription.id);
      if (payment === undefined && isToBeCharged(subscription) && ledger.tools.provider === undefined) {
        // Nothing can be charged; the open amount waits until payments are configured again.
        ledger.dueAtMs.set(subscription.id, ledger.nowMs + UNCONFIGURED_MS);
        ledger.subscriptions.set(subscription.id, subscription);
      } else if (payment === undefined) {
        await processOne(ledger, subscription, method);
      } else {
        toCancel.push(...deferToPayment(ledger, subscription, payment));
      }
    }
    return { nowMs: ledger.nowMs, count: due.length, toCollect: ledger.claimed, toCancel };
  });
}

/** A subscription that ends with its period, or is free, needs no payment provider. */
function isToBeCharged({ status, plan, cancelAtPeriodEnd }: SubscriptionState): boolean {
  return status === 'past_due' || (status === 'active' && plan.price > 0 && !cancelAtPeriodEnd);
}

/**
 * Waits for a payment in flight, because its outcome will be known soon. One that waits for the customer has waited
 * long enough and is returned to be canceled: otherwise it would block renewals and dunning forever.
 */
function deferToPayment(ledger: Ledger, subscription: SubscriptionState, payment: PaymentState): PaymentState[] {
  ledger.dueAtMs.set(subscription.id, ledger.nowMs + DEFER_MS);
  ledger.subscriptions.set(subscription.id, subscription);
  return payment.status === 'requires_action' ? [payment] : [];
}

async function processOne(
  ledger: Ledger,
  subscription: SubscriptionState,
  method: MethodRow | undefined,
): Promise<void> {
  switch (subscription.status) {
    case 'incomplete':
      await expireUnpaid(ledger, subscription, await latestInvoice(ledger, subscription));
      return;
    case 'active':
      if (subscription.periodEndMs > ledger.nowMs) {
        // A change whose payment is overdue is no longer in flight.
        updateSubscription(ledger, { ...subscription, pending: null }, SUBSCRIPTION_UPDATED);
      } else if (subscription.cancelAtPeriodEnd) {
        ledger.mayChangeTier = true;
        updateSubscription(ledger, endCanceled(subscription, subscription.periodEndMs), SUBSCRIPTION_EXPIRED);
      } else {
        await renew(ledger, subscription, method);
      }
      return;
    case 'past_due':
      await retry(ledger, subscription, method);
      return;
    default:
  }
}

/** Starts the next period and bills it in advance, even if the payment then fails. Each period is billed once, by its index. */
async function renew(ledger: Ledger, subscription: SubscriptionState, method: MethodRow | undefined): Promise<void> {
  const { next, price } = startNextPeriod({ ...subscription, pending: null });
  const terms = await ledger.chargeTerms(next.plan.currency);
  const rest = carriedAmountOf(accrualOf(subscription), price, terms.minAmount);
  const carried = { amount: rest, fromMs: subscription.periodStartMs };
  const draft = draftPeriodInvoice(newId('invoice'), 'renewal', next, price, terms, carried);
  await useCredit(ledger, draft, next.id);
  const renewed = { ...next, latestInvoiceId: draft.id };
  const invoice = await finalizeInvoice(ledger, draft, next.id);
  if (invoice.amount_due === 0) {
    markPaid(ledger, invoice, null);
    updateSubscription(ledger, renewed, SUBSCRIPTION_UPDATED);
    return;
  }
  if (method === undefined) {
    const declineCode = 'no_payment_method';
    await failCollection(ledger, renewed, invoice, { declineCode, methodId: null, purpose: 'renewal' });
    return;
  }
  const payment = collect(ledger, renewed, invoice, 1, 'renewal', method);
  updateSubscription(ledger, { ...renewed, pendingPaymentId: payment.id }, SUBSCRIPTION_UPDATED);
}

/**
 * Makes a scheduled retry, or an additional one because there is a new card. A card with a hard decline is not tried
 * again for this invoice, and an additional retry uses only a card that was not tried before.
 */
async function retry(ledger: Ledger, subscription: SubscriptionState, method: MethodRow | undefined): Promise<void> {
  const { tx, organizationId, tools } = ledger;
  const invoice = await latestInvoice(ledger, subscription);
  if (invoice === undefined || invoice.status !== 'open') {
    await expireUnpaid(ledger, subscription, invoice);
    return;
  }
  const tried = await listTriedMethods(tx, { organizationId, invoiceId: invoice.id });
  const codes = method === undefined ? [] : tried.find((each) => each.payment_method_id === method.id)?.decline_codes;
  const isScheduled = subscription.nextAttemptAtMs !== null && subscription.nextAttemptAtMs <= ledger.nowMs;
  const mayTry = codes === undefined || (isScheduled && !codes.some(isHardDecline));
  const next = isScheduled ? startRetry(subscription, ledger.nowMs, tools.settings.dunningDays) : subscription;
  if (method !== undefined && mayTry) {
    const period = { organizationId, subscriptionId: next.id, periodIndex: invoice.period_index };
    const attempt = await findNextAttempt(tx, period);
    const payment = collect(ledger, next, invoice, attempt, 'retry', method);
    updateSubscription(ledger, { ...next, pendingPaymentId: payment.id }, undefined);
  } else if (next.nextAttemptAtMs === null) {
    await expireUnpaid(ledger, subscription, invoice);
  } else {
    // Only another card can help. Without one, scheduled retries are skipped.
    updateSubscription(ledger, next, undefined);
  }
}

function collect(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  attempt: number,
  purpose: 'renewal' | 'retry',
  method: MethodRow,
): PaymentState {
  return beginPayment(ledger, {
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

async function latestInvoice(ledger: Ledger, { latestInvoiceId }: SubscriptionState) {
  return latestInvoiceId === null ? undefined : ledger.invoice(latestInvoiceId);
}
