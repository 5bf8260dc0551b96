import type { Books } from '../books/books.ts';
import { releaseCoupon } from '../coupons/queries.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import type { InvoiceDraft } from '../invoices/make-invoice.ts';
import type { InvoiceRow } from '../invoices/read-queries.ts';
import { closeUnpaid, finalizeInvoice, markPaid, returnCredit } from '../invoices/write-invoices.ts';
import { keepMethod, makeDefault } from '../payment-methods/keep-method.ts';
import { findDefaultMethod, type MethodRow, noteMandate, wasRemoved } from '../payment-methods/queries.ts';
import type { AttachedMethod, ChargeOutcome } from '../payment-provider/payment-provider.ts';
import { isEnded, pendingExpiresAtMs } from '../subscriptions/subscription-rules.ts';
import type { SubscriptionState } from '../subscriptions/subscription-state.ts';
import {
  activated,
  addSubscription,
  changed,
  newSubscription,
  updateSubscription,
} from '../subscriptions/write-subscriptions.ts';
import { creditLateMoney } from './credit-late-money.ts';
import { failCollection, tellOf } from './fail-collection.ts';
import { backoffMs } from './payment-rules.ts';
import type { PaymentState } from './payment-state.ts';
import { hasPaid } from './queries.ts';

/** What came of trying to collect a payment. `unreachable`: the provider was never told to charge, so no money moved. */
export type CollectOutcome = ChargeOutcome | { kind: 'unreachable' };

/**
 * Writes what came of a payment, in the organization's books; whoever comes second, a request, a job or the provider's
 * webhook, finds it settled and changes nothing, unless it was booked as failed and still succeeded: then the money
 * becomes credit. Answers the payment as it is then.
 */
export async function settlePayment(
  books: Books,
  paymentId: string,
  outcome: CollectOutcome,
): Promise<PaymentState | undefined> {
  const payment = await books.payment(paymentId);
  if (payment === undefined) {
    return undefined;
  }
  if (payment.settledAtMs !== null) {
    const isLate = outcome.kind === 'succeeded' && payment.status !== 'succeeded';
    return isLate ? creditLateMoney(books, payment, 'booked_as_failed') : payment;
  }
  switch (outcome.kind) {
    case 'succeeded':
      return succeed(books, payment);
    case 'requires_action':
    case 'processing':
    case 'unknown':
      return wait(books, payment, outcome);
    case 'declined':
      return comeToNothing(books, payment, 'declined', outcome.declineCode);
    case 'canceled':
      return comeToNothing(books, payment, 'canceled', null);
    case 'unreachable':
      if (payment.providerRef !== null) {
        // Somebody has announced it meanwhile and may be charging: it is looked up when they are done, or gone.
        return payment;
      }
      // An invoice that is there is tried again later: nobody was declined. What waits for an answer is given up.
      return payment.intent.kind === 'collect'
        ? wait(books, payment, { kind: 'unknown', reason: 'unreachable' })
        : comeToNothing(books, payment, 'canceled', null);
  }
}

/** The outcome of a payment that a request collected, with the provider's secret of it where that is known. */
export type Collected = CollectOutcome & { secret?: string };

/** What a client is told to confirm a payment with: the provider's secret, empty where there is none. */
export function secretOf(collected: Collected): string {
  return collected.kind === 'requires_action' ? collected.clientSecret : (collected.secret ?? '');
}

async function succeed(books: Books, payment: PaymentState): Promise<PaymentState> {
  const { subscription, invoice, payment: written } = await writeOut(books, payment);
  if (payment.setsUpMandate) {
    await noteMandate(books.tx, books.organizationId, payment.methodRef);
  }
  if (isEnded(subscription) || invoice.status !== 'open') {
    return creditLateMoney(books, written, 'ended');
  }
  const settled = close(books, written, 'succeeded', null);
  const method = await books.methodOf(settled.methodRef);
  markPaid(books, invoice, method === undefined ? null : { brand: method.brand, last4: method.last4 });
  if (payment.intent.kind === 'create' && method !== undefined) {
    await preferPayingCard(books, method);
  }
  const freed = { ...subscription, requiresAction: false, pendingPaymentId: null };
  if (payment.intent.kind === 'change') {
    const { planId, quantity, accrued, invoice: draft } = payment.intent;
    const change = { planId, quantity, accrued: BigInt(accrued), billed: BigInt(draft.subtotal) };
    updateSubscription(books, await changed(books, freed, change), SUBSCRIPTION_UPDATED);
    return settled;
  }
  books.mayChangeTier ||= freed.status === 'incomplete';
  // A new subscription is told by its creation, and a renewal when its period began.
  const isNews = written === payment && freed.status !== 'active';
  updateSubscription(books, activated(freed), isNews ? SUBSCRIPTION_UPDATED : undefined);
  return settled;
}

/** It is not over: the customer must authenticate it, or the provider works at it, or nobody knows. */
async function wait(
  books: Books,
  payment: PaymentState,
  outcome: Extract<ChargeOutcome, { kind: 'requires_action' | 'processing' | 'unknown' }>,
): Promise<PaymentState> {
  const { subscription, payment: written } = await writeOut(books, payment);
  const checks = written.checks + 1;
  const checkAtMs = outcome.kind === 'processing' ? outcome.checkAtMs : undefined;
  const waiting: PaymentState = {
    ...written,
    status: outcome.kind === 'unknown' ? 'pending' : outcome.kind,
    checks,
    nextCheckAtMs: Math.max(checkAtMs ?? books.nowMs + backoffMs(outcome.kind, checks), books.nowMs + 1000),
  };
  books.payments.set(waiting.id, waiting);
  if (!isEnded(subscription)) {
    const requiresAction = outcome.kind === 'requires_action';
    const isKnown = written === payment;
    // A change that begins to wait is news, as whatever changes is; a new subscription is told by its creation.
    const isNews = isKnown ? requiresAction !== subscription.requiresAction : payment.intent.kind === 'change';
    const held = { ...subscription, requiresAction, pendingPaymentId: waiting.id };
    updateSubscription(books, held, isNews ? SUBSCRIPTION_UPDATED : undefined);
  }
  return waiting;
}

/** It came to nothing. */
async function comeToNothing(
  books: Books,
  payment: PaymentState,
  status: 'declined' | 'canceled',
  declineCode: string | null,
): Promise<PaymentState> {
  const settled = close(books, payment, status, declineCode);
  const subscription = await books.subscription(payment.subscriptionId);
  const invoice = payment.invoiceId === null ? undefined : await books.invoice(payment.invoiceId);
  if (invoice === undefined || subscription === undefined) {
    await releaseReserved(books, payment);
    if (subscription !== undefined) {
      updateSubscription(books, { ...subscription, pendingPaymentId: null, requiresAction: false }, undefined);
    }
    return settled;
  }
  if (isEnded(subscription) || invoice.status !== 'open') {
    return settled;
  }
  const freed = { ...subscription, requiresAction: false, pendingPaymentId: null };
  if (invoice.reason === 'change') {
    tellOf(books, invoice, declineCode, null, false);
    await closeUnpaid(books, invoice, 'void');
    const latestInvoiceId = payment.intent.kind === 'change' ? payment.intent.latestInvoiceId : freed.latestInvoiceId;
    updateSubscription(books, { ...freed, latestInvoiceId, pending: null }, SUBSCRIPTION_UPDATED);
    return settled;
  }
  const { paymentMethodId: methodId, purpose } = payment;
  await failCollection(books, freed, invoice, { declineCode, methodId, purpose });
  return settled;
}

/** What had been kept back for something that is not to be. */
async function releaseReserved(books: Books, { intent, subscriptionId }: PaymentState): Promise<void> {
  if (intent.kind === 'collect') {
    return;
  }
  await returnCredit(books, intent.invoice, subscriptionId);
  if (intent.kind === 'create' && intent.couponId !== null) {
    await releaseCoupon(books.tx, intent.couponId);
  }
}

interface WrittenOut {
  subscription: SubscriptionState;
  invoice: InvoiceRow;
  payment: PaymentState;
}

/** Makes what the payment is for, where it waited for the provider's first word: the method, the subscription, the invoice. */
async function writeOut(books: Books, payment: PaymentState): Promise<WrittenOut> {
  const { intent, subscriptionId } = payment;
  const known = await books.subscription(subscriptionId);
  const kept = payment.invoiceId === null ? undefined : await books.invoice(payment.invoiceId);
  if (known !== undefined && kept !== undefined) {
    return { subscription: known, invoice: kept, payment };
  }
  if (intent.kind === 'create') {
    const row = await keepNewMethod(books, intent.newMethod);
    addSubscription(books, await newSubscription(books, subscriptionId, intent));
    const paymentMethodId = row?.id ?? payment.paymentMethodId;
    return writeInvoice(books, { ...payment, paymentMethodId }, intent.invoice);
  }
  if (intent.kind === 'change' && known !== undefined) {
    const out = await writeInvoice(books, payment, intent.invoice);
    const { planId, quantity } = intent;
    const pending = { planId, quantity, expiresAtMs: pendingExpiresAtMs(known, books.nowMs) };
    const subscription = { ...out.subscription, pending };
    books.subscriptions.set(subscription.id, subscription);
    return { ...out, subscription };
  }
  throw new Error(`the payment ${payment.id} has lost its invoice`);
}

/** The card that came with the order. One that was removed while it was charged stays removed. */
async function keepNewMethod(books: Books, method: AttachedMethod | null): Promise<MethodRow | undefined> {
  return method === null || (await wasRemoved(books.tx, books.organizationId, method.ref))
    ? undefined
    : keepMethod(books.tools, books.tx, books.account, method, false);
}

async function writeInvoice(books: Books, payment: PaymentState, draft: InvoiceDraft): Promise<WrittenOut> {
  const invoice = await finalizeInvoice(books, draft, payment.subscriptionId);
  const before = await books.subscription(payment.subscriptionId);
  if (before === undefined) {
    throw new Error(`the payment ${payment.id} has lost its subscription`);
  }
  const subscription = { ...before, latestInvoiceId: invoice.id, pendingPaymentId: payment.id };
  books.subscriptions.set(subscription.id, subscription);
  const linked = { ...payment, invoiceId: invoice.id };
  books.payments.set(linked.id, linked);
  return { subscription, invoice, payment: linked };
}

function close(
  books: Books,
  payment: PaymentState,
  status: 'succeeded' | 'declined' | 'canceled',
  declineCode: string | null,
): PaymentState {
  const settled: PaymentState = {
    ...payment,
    status,
    declineCode,
    settledAtMs: books.nowMs,
    nextCheckAtMs: null,
    // A request that was refused may be sent again under the same key, and is then tried anew.
    requestKey: status === 'succeeded' ? payment.requestKey : null,
  };
  books.payments.set(settled.id, settled);
  return settled;
}

/** A card whose purchase never came off is no longer the default once another has paid: nobody meant it to be. */
async function preferPayingCard(books: Books, method: MethodRow): Promise<void> {
  const standing = await findDefaultMethod(books.tx, books.organizationId);
  if (
    standing !== undefined &&
    standing.id !== method.id &&
    !(await hasPaid(books.tx, books.organizationId, standing.id))
  ) {
    await makeDefault(books.tx, books.account, method);
  }
}
