import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { INVOICE_CREATED, INVOICE_PAID, INVOICE_PAYMENT_FAILED } from '../events.ts';
import { type InvoiceDraft, type KeptDraft, restoreDraft } from './draft-invoice.ts';
import { queuePaymentFailed, queueReceipt } from './invoice-mails.ts';
import { type InvoiceCard, type InvoiceRow, presentInvoice } from './invoice-queries.ts';
import type { Ledger } from './ledger.ts';

/** Finalizes an invoice: it gets its number, and its amounts stay as they are. What it takes of the credit is used already. */
export async function finalizeInvoice(ledger: Ledger, kept: KeptDraft, subscriptionId: string): Promise<InvoiceRow> {
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
  ledger.events.push(() => announcement(INVOICE_CREATED, told(ledger, invoice)));
  return invoice;
}

/** The invoice is paid: by a card, or by credit alone where `card` is null. */
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
  ledger.events.push(() => announcement(INVOICE_PAID, told(ledger, paid)));
  ledger.mails.push((tx) => queueReceipt(ledger.tools, tx, ledger.payer, paid));
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
export function tellOfDecline(ledger: Ledger, invoice: InvoiceRow, decline: Decline): void {
  const { declineCode, nextAttemptAtMs, canBePaid } = decline;
  const nextAttemptAt = nextAttemptAtMs === null ? null : isoTime(nextAttemptAtMs);
  ledger.events.push(() =>
    announcement(INVOICE_PAYMENT_FAILED, {
      ...told(ledger, ledger.invoices.get(invoice.id) ?? invoice),
      decline_code: declineCode,
      next_attempt_at: nextAttemptAt,
    }),
  );
  ledger.mails.push((tx) =>
    queuePaymentFailed(ledger.tools, tx, ledger.payer, invoice, { declineCode, nextAttemptAt, canBePaid }),
  );
}

/** Nobody will pay it any more; the credit that it had used is given back. */
export async function closeUnpaid(
  ledger: Ledger,
  invoice: InvoiceRow,
  status: 'void' | 'uncollectible',
): Promise<void> {
  ledger.invoices.set(invoice.id, { ...invoice, status, closed_at: new Date(ledger.nowMs) });
  await returnCredit(ledger, { ...invoice, creditApplied: invoice.credit_applied }, invoice.subscription_id);
}

/** Takes what a draft uses of the credit, until it is paid or given up. */
export async function useCredit(ledger: Ledger, draft: InvoiceDraft, subscriptionId: string): Promise<void> {
  const { currency, id: invoiceId, creditApplied } = draft;
  await ledger.changeCredit({ currency, amount: -creditApplied, reason: 'applied', subscriptionId, invoiceId });
}

/** Gives it back. */
export async function returnCredit(
  ledger: Ledger,
  { id: invoiceId, currency, creditApplied }: Pick<InvoiceDraft, 'id' | 'currency' | 'creditApplied'>,
  subscriptionId: string,
): Promise<void> {
  await ledger.changeCredit({ currency, amount: creditApplied, reason: 'returned', subscriptionId, invoiceId });
}

function told(ledger: Ledger, invoice: InvoiceRow) {
  return { ...presentInvoice(invoice, ledger.tools.baseUrl), invoice_id: invoice.id };
}
