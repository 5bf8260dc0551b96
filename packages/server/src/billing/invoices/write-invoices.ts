import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import type { Books } from '../books/books.ts';
import { INVOICE_CREATED, INVOICE_PAID, INVOICE_PAYMENT_FAILED } from '../events.ts';
import { type KeptDraft, restoreDraft } from './kept-draft.ts';
import type { InvoiceDraft } from './make-invoice.ts';
import { presentInvoice } from './present-invoice.ts';
import type { InvoiceCard, InvoiceRow } from './read-queries.ts';
import { queuePaymentFailed, queueReceipt } from './receipts.ts';

/** Finalizes an invoice: it gets its number, and its amounts stay as they are. What it takes of the credit is used already. */
export async function finalizeInvoice(books: Books, kept: KeptDraft, subscriptionId: string): Promise<InvoiceRow> {
  const draft = restoreDraft(kept);
  const { account } = books;
  const { sequence, number } = books.takeInvoiceNumber();
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
    created_at: new Date(books.nowMs),
    paid_at: null,
    closed_at: null,
  };
  books.invoices.set(invoice.id, invoice);
  books.events.push(() => announcement(INVOICE_CREATED, told(books, invoice)));
  return invoice;
}

/** The invoice is paid: by a card, or by credit alone where `card` is null. */
export function markPaid(books: Books, invoice: InvoiceRow, card: InvoiceCard | null): InvoiceRow {
  const at = new Date(books.nowMs);
  const paid: InvoiceRow = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    paid_with: card,
    paid_at: at,
    closed_at: at,
  };
  books.invoices.set(paid.id, paid);
  books.events.push(() => announcement(INVOICE_PAID, told(books, paid)));
  books.mails.push((tx) => queueReceipt(books.tools, tx, books.payer, paid));
  return paid;
}

/** A payment of an invoice that was declined. */
export interface Decline {
  declineCode: string;
  /** Null when it is not tried again by itself. */
  nextAttemptAtMs: number | null;
  /** Whether another card would still pay it. */
  canBePaid: boolean;
}

/** Tells of a decline; whether the invoice stays open is up to the caller. */
export function tellOfDecline(books: Books, invoice: InvoiceRow, decline: Decline): void {
  const { declineCode, nextAttemptAtMs, canBePaid } = decline;
  const nextAttemptAt = nextAttemptAtMs === null ? null : isoTime(nextAttemptAtMs);
  books.events.push(() =>
    announcement(INVOICE_PAYMENT_FAILED, {
      ...told(books, books.invoices.get(invoice.id) ?? invoice),
      decline_code: declineCode,
      next_attempt_at: nextAttemptAt,
    }),
  );
  books.mails.push((tx) =>
    queuePaymentFailed(books.tools, tx, books.payer, invoice, { declineCode, nextAttemptAt, canBePaid }),
  );
}

/** Nobody will pay it any more; the credit that it had used is given back. */
export async function closeUnpaid(books: Books, invoice: InvoiceRow, status: 'void' | 'uncollectible'): Promise<void> {
  books.invoices.set(invoice.id, { ...invoice, status, closed_at: new Date(books.nowMs) });
  await returnCredit(books, { ...invoice, creditApplied: invoice.credit_applied }, invoice.subscription_id);
}

/** Takes what a draft uses of the credit, until it is paid or given up. */
export async function useCredit(books: Books, draft: InvoiceDraft, subscriptionId: string): Promise<void> {
  const { currency, id: invoiceId, creditApplied } = draft;
  await books.changeCredit({ currency, amount: -creditApplied, reason: 'applied', subscriptionId, invoiceId });
}

/** Gives it back. */
export async function returnCredit(
  books: Books,
  { id: invoiceId, currency, creditApplied }: Pick<InvoiceDraft, 'id' | 'currency' | 'creditApplied'>,
  subscriptionId: string,
): Promise<void> {
  await books.changeCredit({ currency, amount: creditApplied, reason: 'returned', subscriptionId, invoiceId });
}

function told(books: Books, invoice: InvoiceRow) {
  return { ...presentInvoice(invoice, books.tools.baseUrl), invoice_id: invoice.id };
}
