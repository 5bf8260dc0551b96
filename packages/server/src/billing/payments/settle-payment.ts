import { isHardDecline } from '../errors.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import type { InvoiceDraft } from '../ledger/draft-invoice.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { hasPaidByMethod, listTriedMethods } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import {
  announceDecline,
  closePayment,
  closeUnpaid,
  creditLatePayment,
  finalizeInvoice,
  markPaid,
  releaseReserved,
} from '../ledger/record-money.ts';
import {
  activate,
  addSubscription,
  applyChange,
  expireUnpaid,
  newSubscription,
  updateSubscription,
} from '../ledger/record-subscription.ts';
import { isEnded, pendingExpiresAtMs, startDunning } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { addChargedMethod, changeDefault } from '../payment-methods/attach-method.ts';
import { findDefaultMethod, type MethodRow, updateMandate } from '../payment-methods/queries.ts';
import type { ChargeOutcome } from '../payment-provider/payment-provider.ts';

/** The outcome of collecting a payment. `unreachable`: the charge was never confirmed, so no money moved. */
export type CollectOutcome = ChargeOutcome | { kind: 'unreachable' };

/**
 * Writes the outcome of a payment to the organization's ledger. A request, a job, and the provider's webhook can all
 * report it: the first one settles it, and the others change nothing. But if a payment that was booked as failed succeeds
 * after all, the money becomes credit. Returns the resulting payment.
 */
export async function settlePayment(
  ledger: Ledger,
  paymentId: string,
  outcome: CollectOutcome,
): Promise<PaymentState | undefined> {
  const payment = await ledger.payment(paymentId);
  if (payment === undefined) {
    return undefined;
  }
  if (payment.settledAtMs !== null) {
    const isLate = outcome.kind === 'succeeded' && payment.status !== 'succeeded';
    return isLate ? creditLatePayment(ledger, payment, 'booked_as_failed') : payment;
  }
  switch (outcome.kind) {
    case 'succeeded':
      return succeed(ledger, payment);
    case 'requires_action':
    case 'processing':
    case 'unknown':
      return wait(ledger, payment, outcome);
    case 'declined':
      return failPayment(ledger, payment, 'declined', outcome.declineCode);
    case 'canceled':
      return failPayment(ledger, payment, 'canceled', null);
    case 'unreachable':
      if (payment.providerRef !== null) {
        // Another process has announced it in the meantime and may be charging it. It is looked up when that process
        // has finished or exited.
        return payment;
      }
      // An existing invoice is retried later, because no card was declined. A purchase or change is canceled.
      return payment.intent.kind === 'collect'
        ? wait(ledger, payment, { kind: 'unknown', reason: 'unreachable' })
        : failPayment(ledger, payment, 'canceled', null);
  }
}

/** The outcome of a payment that a request collected, with its secret at the provider if known. */
export type Collected = CollectOutcome & { secret?: string };

async function succeed(ledger: Ledger, payment: PaymentState): Promise<PaymentState> {
  const { subscription, invoice, payment: written } = await fulfill(ledger, payment);
  if (payment.setsUpMandate) {
    await updateMandate(ledger.tx, { organizationId: ledger.organizationId, ref: payment.methodRef });
  }
  if (isEnded(subscription) || invoice.status !== 'open') {
    return creditLatePayment(ledger, written, 'ended');
  }
  const settled = closePayment(ledger, written, 'succeeded');
  const method = await ledger.methodOf(settled.methodRef);
  markPaid(ledger, invoice, method === undefined ? null : { brand: method.brand, last4: method.last4 });
  if (payment.intent.kind === 'create' && method !== undefined) {
    await preferPayingCard(ledger, method);
  }
  const freed = { ...subscription, requiresAction: false, pendingPaymentId: null };
  if (payment.intent.kind === 'change') {
    const { planId, quantity, accrued, invoice: draft } = payment.intent;
    const change = { planId, quantity, accrued: BigInt(accrued), billed: BigInt(draft.subtotal) };
    updateSubscription(ledger, await applyChange(ledger, freed, change), SUBSCRIPTION_UPDATED);
    return settled;
  }
  ledger.mayChangeTier ||= freed.status === 'incomplete';
  // A new subscription is announced by its creation, and a renewal when its period began.
  const isNews = written === payment && freed.status !== 'active';
  updateSubscription(ledger, activate(freed), isNews ? SUBSCRIPTION_UPDATED : undefined);
  return settled;
}

/** It is still in flight: the customer must authenticate it, the provider is processing it, or its outcome is unknown. */
async function wait(
  ledger: Ledger,
  payment: PaymentState,
  outcome: Extract<ChargeOutcome, { kind: 'requires_action' | 'processing' | 'unknown' }>,
): Promise<PaymentState> {
  const { subscription, payment: written } = await fulfill(ledger, payment);
  const checks = written.checks + 1;
  const checkAtMs = outcome.kind === 'processing' ? outcome.checkAtMs : undefined;
  const waiting: PaymentState = {
    ...written,
    status: outcome.kind === 'unknown' ? 'pending' : outcome.kind,
    checks,
    nextCheckAtMs: Math.max(checkAtMs ?? ledger.nowMs + backoffMs(outcome.kind, checks), ledger.nowMs + 1000),
  };
  ledger.payments.set(waiting.id, waiting);
  if (!isEnded(subscription)) {
    const requiresAction = outcome.kind === 'requires_action';
    const isKnown = written === payment;
    // A change that begins to wait is announced, as every change is; a new subscription is announced when it is
    // created.
    const isNews = isKnown ? requiresAction !== subscription.requiresAction : payment.intent.kind === 'change';
    const pending = { ...subscription, requiresAction, pendingPaymentId: waiting.id };
    updateSubscription(ledger, pending, isNews ? SUBSCRIPTION_UPDATED : undefined);
  }
  return waiting;
}

/**
 * How long to wait before an unknown outcome is looked up, in milliseconds of the organization's clock: a few seconds
 * at first, because a lost response is usually available immediately, then up to an hour. Webhooks report it sooner.
 */
function backoffMs(kind: 'requires_action' | 'processing' | 'unknown', checks: number): number {
  return kind === 'unknown' ? Math.min(5_000 * 2 ** Math.min(checks - 1, 10), HOUR_MS) : HOUR_MS;
}

const HOUR_MS = 3_600_000;

/** It was declined or canceled. */
async function failPayment(
  ledger: Ledger,
  payment: PaymentState,
  status: 'declined' | 'canceled',
  declineCode: string | null,
): Promise<PaymentState> {
  const settled = closePayment(ledger, payment, status, declineCode);
  const subscription = await ledger.subscription(payment.subscriptionId);
  const invoice = payment.invoiceId === null ? undefined : await ledger.invoice(payment.invoiceId);
  if (invoice === undefined || subscription === undefined) {
    await releaseReserved(ledger, payment);
    if (subscription !== undefined) {
      updateSubscription(ledger, { ...subscription, pendingPaymentId: null, requiresAction: false }, undefined);
    }
    return settled;
  }
  if (isEnded(subscription) || invoice.status !== 'open') {
    return settled;
  }
  const freed = { ...subscription, requiresAction: false, pendingPaymentId: null };
  if (invoice.reason === 'change') {
    announceDecline(ledger, invoice, { declineCode, nextAttemptAtMs: null, canBePaid: false });
    await closeUnpaid(ledger, invoice, 'void');
    const latestInvoiceId = payment.intent.kind === 'change' ? payment.intent.latestInvoiceId : freed.latestInvoiceId;
    updateSubscription(ledger, { ...freed, latestInvoiceId, pending: null }, SUBSCRIPTION_UPDATED);
    return settled;
  }
  const { paymentMethodId: methodId, purpose } = payment;
  await failCollection(ledger, freed, invoice, { declineCode, methodId, purpose });
  return settled;
}

/** Why an invoice could not be collected. */
export interface FailedCollection {
  /** Null if no card was declined: the payment was canceled. */
  declineCode: string | null;
  /** Null if there was no card to charge. */
  methodId: string | null;
  purpose: PaymentState['purpose'];
}

/** Applies a failed collection to the subscription: dunning begins, continues, or ends. */
export async function failCollection(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  failed: FailedCollection,
): Promise<void> {
  if (subscription.status === 'incomplete') {
    announceDecline(ledger, invoice, { declineCode: failed.declineCode, nextAttemptAtMs: null, canBePaid: false });
    updateSubscription(ledger, subscription, SUBSCRIPTION_UPDATED);
    return;
  }
  const isFirst = subscription.status === 'active';
  const next = isFirst ? startDunning(subscription, ledger.nowMs, ledger.tools.settings.dunningDays) : subscription;
  const isLast = isFirst ? isEnded(next) : next.nextAttemptAtMs === null && failed.purpose === 'retry';
  // If the default card changed during the charge, the new card is tried immediately, and that attempt is not counted.
  const isOtherFresh = await isOtherCardFresh(ledger, invoice, failed.methodId);
  const isOver = isLast && (isFirst || !isOtherFresh);
  // A renewal that was canceled at the provider starts dunning and is announced. A canceled retry is not announced.
  const declineCode = failed.declineCode ?? (isFirst ? 'payment_canceled' : null);
  const isHopeless = isOver || (declineCode !== null && isHardDecline(declineCode));
  const nextAttemptAtMs = isHopeless ? null : next.nextAttemptAtMs;
  announceDecline(ledger, invoice, { declineCode, nextAttemptAtMs, canBePaid: !isOver });
  if (isOver) {
    await expireUnpaid(ledger, subscription, invoice);
    return;
  }
  if (isOtherFresh) {
    ledger.dueAtMs.set(next.id, ledger.nowMs);
  }
  updateSubscription(ledger, next, isFirst ? SUBSCRIPTION_UPDATED : undefined);
}

/** Whether the default card is not the one that just failed, and has not been tried for this invoice. */
async function isOtherCardFresh(ledger: Ledger, invoice: InvoiceRow, failedId: string | null): Promise<boolean> {
  const { tx, organizationId } = ledger;
  const method = await findDefaultMethod(tx, { organizationId });
  if (method === undefined || method.id === failedId) {
    return false;
  }
  const tried = await listTriedMethods(tx, { organizationId, invoiceId: invoice.id });
  return !tried.some((each) => each.payment_method_id === method.id);
}

interface Fulfilled {
  subscription: SubscriptionState;
  invoice: InvoiceRow;
  payment: PaymentState;
}

/**
 * Creates the subscription or change that was paid for, unless it exists. Nothing is written before the provider's
 * first answer.
 */
async function fulfill(ledger: Ledger, payment: PaymentState): Promise<Fulfilled> {
  const { intent, subscriptionId } = payment;
  const known = await ledger.subscription(subscriptionId);
  const invoice = payment.invoiceId === null ? undefined : await ledger.invoice(payment.invoiceId);
  if (known !== undefined && invoice !== undefined) {
    return { subscription: known, invoice, payment };
  }
  if (intent.kind === 'create') {
    const row = await addChargedMethod(ledger.tx, ledger.tools, ledger.account, intent.newMethod);
    addSubscription(ledger, await newSubscription(ledger, subscriptionId, intent));
    const paymentMethodId = row?.id ?? payment.paymentMethodId;
    return writeInvoice(ledger, { ...payment, paymentMethodId }, intent.invoice);
  }
  if (intent.kind === 'change' && known !== undefined) {
    const written = await writeInvoice(ledger, payment, intent.invoice);
    const { planId, quantity } = intent;
    const pending = { planId, quantity, expiresAtMs: pendingExpiresAtMs(known, ledger.nowMs) };
    const subscription = { ...written.subscription, pending };
    ledger.subscriptions.set(subscription.id, subscription);
    return { ...written, subscription };
  }
  throw new Error(`the payment ${payment.id} has lost its invoice`);
}

async function writeInvoice(ledger: Ledger, payment: PaymentState, draft: InvoiceDraft): Promise<Fulfilled> {
  const invoice = await finalizeInvoice(ledger, draft, payment.subscriptionId);
  const before = await ledger.subscription(payment.subscriptionId);
  if (before === undefined) {
    throw new Error(`the payment ${payment.id} has lost its subscription`);
  }
  const subscription = { ...before, latestInvoiceId: invoice.id, pendingPaymentId: payment.id };
  ledger.subscriptions.set(subscription.id, subscription);
  const linked = { ...payment, invoiceId: invoice.id };
  ledger.payments.set(linked.id, linked);
  return { subscription, invoice, payment: linked };
}

/** A card whose purchase failed is no longer the default after another one has paid: the customer did not choose it. */
async function preferPayingCard(ledger: Ledger, method: MethodRow): Promise<void> {
  const { tx, organizationId } = ledger;
  const present = await findDefaultMethod(tx, { organizationId });
  if (present === undefined || present.id === method.id) {
    return;
  }
  if (!(await hasPaidByMethod(tx, { organizationId, methodId: present.id }))) {
    await changeDefault(tx, ledger.account, method);
  }
}
