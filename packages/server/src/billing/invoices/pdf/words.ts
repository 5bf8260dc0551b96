import { formatMoney } from '../../money/amounts.ts';
import { cardName } from '../../payment-methods/card-name.ts';
import type { InvoiceDocument } from './invoice-document.ts';

/** A UTC date in a format that is unambiguous in every country: January 31, 2026. */
export function dayOf(atMs: number): string {
  const at = new Date(atMs);
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}, ${at.getUTCFullYear()}`;
}

/** The status of the invoice in a few words. */
export function statusOf({ status, paidAtMs }: InvoiceDocument): string {
  switch (status) {
    case 'paid':
      return paidAtMs === null ? 'Paid' : `Paid on ${dayOf(paidAtMs)}`;
    case 'open':
      return 'Open: not yet paid';
    case 'void':
      return 'Void: no payment due';
    case 'uncollectible':
      return 'Not paid: uncollectible';
  }
}

/** The sentence that a reader of the invoice looks for. */
export function summaryOf(document: InvoiceDocument): string {
  const { status, amountDue, currency, paidAtMs } = document;
  const sum = formatMoney(amountDue, currency);
  switch (status) {
    case 'paid':
      return amountDue === 0
        ? `${sum}: no payment due`
        : `${sum} paid${paidAtMs === null ? '' : ` on ${dayOf(paidAtMs)}`}`;
    case 'open':
      return `${sum} due`;
    case 'void':
      return `${sum}, void`;
    case 'uncollectible':
      return `${sum} not paid`;
  }
}

/** How it was paid; undefined if no money moved. */
export function paymentOf({ status, amountPaid, currency, paidAtMs, card }: InvoiceDocument): string | undefined {
  if (status !== 'paid' || amountPaid === 0 || paidAtMs === null) {
    return undefined;
  }
  const by = card === null ? '' : ` with ${cardName(card)}`;
  return `Paid ${formatMoney(amountPaid, currency)} on ${dayOf(paidAtMs)}${by}.`;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
