import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { INVOICE_CREATED, INVOICE_PAID, INVOICE_PAYMENT_FAILED } from '../events.ts';
import { type InvoiceDraft, restoreDraft, type StoredDraft } from './draft-invoice.ts';
import { type InvoiceCard, type InvoiceRow, presentInvoice } from './invoice-queries.ts';
import type { Ledger } from './ledger.ts';

/** Finalizes an invoice: it gets its number, and its amounts stay as they are. Its credit is used already. */
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

/** Writes that an invoice was paid: by a card, or by credit alone if `card` is null. */
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

/** A payment of an invoice that failed. */
export interface FailedPayment {
  /** Null if no card was declined: then nothing is announced. */
  declineCode: string | null;
  /** Null when it is not retried automatically. */
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

/** Closes an invoice that nobody will pay; the credit that it had used is returned. */
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
export async function returnCredit(
  ledger: Ledger,
  { id: invoiceId, currency, creditApplied }: Pick<InvoiceDraft, 'id' | 'currency' | 'creditApplied'>,
  subscriptionId: string,
): Promise<void> {
  await ledger.changeCredit({ currency, amount: creditApplied, reason: 'returned', subscriptionId, invoiceId });
}

function eventOf(ledger: Ledger, invoice: InvoiceRow) {
  return { ...presentInvoice(invoice, ledger.tools.baseUrl), invoice_id: invoice.id };
}
