import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { newId } from '../../ids/index.ts';
import { updateCouponReleased } from '../coupons/queries.ts';
import { INVOICE_CREATED, INVOICE_PAID, INVOICE_PAYMENT_FAILED, PAYMENT_CREDITED } from '../events.ts';
import { type InvoiceDraft, restoreDraft, type StoredDraft } from './draft-invoice.ts';
import { type InvoiceCard, type InvoiceRow, presentInvoice } from './invoice-queries.ts';
import type { Ledger } from './ledger.ts';
import type { Lateness, PaymentState, RequestKey } from './payment-state.ts';

// --- Invoices ---

/** Finalizes an invoice: it gets its number, and its amounts no longer change. Its credit has already been used. */
export async function finalizeInvoice(ledger: Ledger, kept: StoredDraft, subscriptionId: string): Promise<InvoiceRow> {
  const draft = restoreDraft(kept);
  const { account } = ledger;
  const { sequence, number } = ledger.takeInvoiceNumber();
  const invoice: InvoiceRow = {
    organization_id: account.organizationId,
    id: draft.id,
    number,
    sequence,
    status: 'open',
    subscription_id: subscriptionId,
    reason: draft.reason,
    period_index: draft.periodIndex,
    period_start: new Date(draft.periodStartMs),
    period_end: new Date(draft.periodEndMs),
    currency: draft.currency,
    lines: draft.lines,
    subtotal: draft.subtotal,
    discount: draft.discount,
    coupon_code: draft.couponCode,
    tax: draft.tax,
    tax_lines: draft.taxLines,
    credit_applied: draft.creditApplied,
    amount_due: draft.amountDue,
    amount_paid: 0,
    buyer: { name: account.organizationName, ...account.buyer },
    paid_with: null,
    created_at: new Date(ledger.nowMs),
    paid_at: null,
    closed_at: null,
  };
  ledger.invoices.set(invoice.id, invoice);
  ledger.events.push(() => announcement(INVOICE_CREATED, eventOf(ledger, invoice)));
  return invoice;
}

/** Marks an invoice as paid: by a card, or only by credit if `card` is null. */
export function markPaid(ledger: Ledger, invoice: InvoiceRow, card: InvoiceCard | null): InvoiceRow {
  const at = new Date(ledger.nowMs);
  const paid: InvoiceRow = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    paid_with: card,
    paid_at: at,
    closed_at: at,
  };
  ledger.invoices.set(paid.id, paid);
  ledger.events.push(() => announcement(INVOICE_PAID, eventOf(ledger, paid)));
  ledger.notices.push({ kind: 'invoice_paid', invoice: paid });
  return paid;
}

/** A failed payment of an invoice. */
export interface FailedPayment {
  /** Null if no card was declined; nothing is then announced. */
  declineCode: string | null;
  /** Null if it is not retried automatically. */
  nextAttemptAtMs: number | null;
  /** Whether another card would still pay it. */
  canBePaid: boolean;
}

/** Announces that a payment was declined; whether the invoice stays open is up to the caller. */
export function announceDecline(ledger: Ledger, invoice: InvoiceRow, failed: FailedPayment): void {
  const { declineCode, nextAttemptAtMs, canBePaid } = failed;
  if (declineCode === null) {
    return;
  }
  const nextAttemptAt = nextAttemptAtMs === null ? null : isoTime(nextAttemptAtMs);
  ledger.events.push(() =>
    announcement(INVOICE_PAYMENT_FAILED, {
      ...eventOf(ledger, ledger.invoices.get(invoice.id) ?? invoice),
      decline_code: declineCode,
      next_attempt_at: nextAttemptAt,
    }),
  );
  ledger.notices.push({ kind: 'payment_failed', invoice, charge: { declineCode, nextAttemptAt, canBePaid } });
}

/** Closes an invoice that will not be paid, and returns the credit that it had used. */
export async function closeUnpaid(
  ledger: Ledger,
  invoice: InvoiceRow,
  status: 'void' | 'uncollectible',
): Promise<void> {
  ledger.invoices.set(invoice.id, { ...invoice, status, closed_at: new Date(ledger.nowMs) });
  await returnCredit(ledger, { ...invoice, creditApplied: invoice.credit_applied }, invoice.subscription_id);
}

/** Uses credit for a draft, until the draft is paid or canceled. */
export async function useCredit(ledger: Ledger, draft: InvoiceDraft, subscriptionId: string): Promise<void> {
  const { currency, id: invoiceId, creditApplied } = draft;
  await ledger.changeCredit({ currency, amount: -creditApplied, reason: 'applied', subscriptionId, invoiceId });
}

/** Returns the credit that a draft or an invoice had used. */
async function returnCredit(
  ledger: Ledger,
  { id: invoiceId, currency, creditApplied }: Pick<InvoiceDraft, 'id' | 'currency' | 'creditApplied'>,
  subscriptionId: string,
): Promise<void> {
  await ledger.changeCredit({ currency, amount: creditApplied, reason: 'returned', subscriptionId, invoiceId });
}

function eventOf(ledger: Ledger, invoice: InvoiceRow) {
  return { ...presentInvoice(invoice, ledger.tools.baseUrl), invoice_id: invoice.id };
}

// --- Payments ---

/** The payment method to charge. */
export interface ChargedMethod {
  id: string;
  provider_ref: string;
  /** Whether it may be charged without the customer; one that was never charged may not. */
  has_mandate?: boolean;
}

/** A payment that begins. */
export interface NewPayment
  extends Pick<
    PaymentState,
    'subscriptionId' | 'invoiceId' | 'purpose' | 'intent' | 'amount' | 'currency' | 'isOnSession'
  > {
  /** What it is for. The provider's idempotency key is derived from it. */
  periodIndex: number;
  periodStartMs: number;
  attempt: number;
  method: ChargedMethod;
  request?: RequestKey | undefined;
  /** The caller does not collect it: the job that looks payments up does, unless the caller settles it immediately. */
  isLeftToJob?: boolean;
}

/**
 * Writes a payment that the caller collects after the commit; no other process claims it for a minute. The account's
 * customer exists, because a method was attached.
 */
export function beginPayment(ledger: Ledger, given: NewPayment): PaymentState {
  const { method, request, isLeftToJob = false, ...rest } = given;
  const { customerRef } = ledger.account;
  const provider = ledger.tools.provider?.name;
  if (customerRef === null || provider === undefined) {
    throw new Error('a payment needs a customer and a provider');
  }
  const payment: PaymentState = {
    ...rest,
    organizationId: ledger.organizationId,
    id: newId('payment'),
    setsUpMandate: rest.isOnSession && method.has_mandate !== true,
    paymentMethodId: method.id,
    methodRef: method.provider_ref,
    customerRef,
    provider,
    providerRef: null,
    status: 'pending',
    declineCode: null,
    nextCheckAtMs: ledger.nowMs,
    checks: 0,
    requestKey: request?.key ?? null,
    requestHash: request?.hash ?? null,
    createdAtMs: ledger.nowMs,
    settledAtMs: null,
  };
  ledger.payments.set(payment.id, payment);
  if (!isLeftToJob) {
    ledger.claimed.push(payment);
  }
  return payment;
}

/** Writes the final outcome of a payment. */
export function closePayment(
  ledger: Ledger,
  payment: PaymentState,
  status: 'succeeded' | 'declined' | 'canceled',
  declineCode: string | null = null,
): PaymentState {
  const settled: PaymentState = {
    ...payment,
    status,
    declineCode,
    settledAtMs: ledger.nowMs,
    nextCheckAtMs: null,
    // A refused request may be sent again with the same key, and is then tried again.
    requestKey: status === 'succeeded' ? payment.requestKey : null,
  };
  ledger.payments.set(settled.id, settled);
  return settled;
}

/**
 * Books a payment that succeeded too late, or whose record was lost, as credit, and notifies the customer, finance and
 * operators. Returns the updated payment.
 */
export async function creditLatePayment(
  ledger: Ledger,
  payment: PaymentState,
  lateness: Lateness,
): Promise<PaymentState> {
  const { amount, currency, subscriptionId, id: paymentId } = payment;
  // It did not pay an invoice, so it references none: a later payment may still pay the intended one.
  const settled = closePayment(ledger, { ...payment, invoiceId: null }, 'succeeded');
  await ledger.changeCredit({ currency, amount, reason: 'late_payment', subscriptionId, invoiceId: null, paymentId });
  const invoice = payment.invoiceId === null ? undefined : await ledger.invoice(payment.invoiceId);
  const balance = await ledger.credit(currency);
  ledger.events.push(() =>
    announcement(PAYMENT_CREDITED, {
      payment_id: paymentId,
      subscription_id: subscriptionId,
      invoice_id: invoice?.id ?? null,
      amount,
      currency,
      reason: lateness,
      credit_balance: balance,
      created_at: isoTime(ledger.nowMs),
    }),
  );
  const late = { payment: settled, lateness, invoiceNumber: invoice?.number ?? null, balance };
  ledger.notices.push({ kind: 'late_payment', late });
  return settled;
}

/** Returns the credit and the coupon reserved for a purchase that does not happen. */
export async function releaseReserved(ledger: Ledger, { intent, subscriptionId }: PaymentState): Promise<void> {
  if (intent.kind === 'collect') {
    return;
  }
  await returnCredit(ledger, intent.invoice, subscriptionId);
  if (intent.kind === 'create' && intent.couponId !== null) {
    await updateCouponReleased(ledger.tx, { couponId: intent.couponId });
  }
}
