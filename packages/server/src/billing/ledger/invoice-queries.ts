import { isoTime } from '../../clock/index.ts';
import { many, maybeOne, statement } from '../../database/index.ts';
import type { Invoice, InvoiceLine, InvoiceTaxLine } from '../schemas.ts';

/** The buyer of an invoice, as of when it was finalized. */
export interface InvoiceBuyer {
  /** The name of the organization, shown on the invoice if there is no legal name. */
  name: string;
  legal_name: string | null;
  address: string | null;
  tax_id: string | null;
  email: string | null;
}

/** The card that paid an invoice. */
export interface InvoiceCard {
  brand: string;
  last4: string;
}

/** An invoice as stored. Amounts are minor units of the currency. */
export interface InvoiceRow {
  organization_id: string;
  id: string;
  number: string;
  sequence: number;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  subscription_id: string;
  /** A whole period in advance, or the rest of one after an increase. */
  reason: 'create' | 'renewal' | 'change';
  period_index: number;
  period_start: Date;
  period_end: Date;
  currency: string;
  /** They sum to the subtotal. */
  lines: readonly InvoiceLine[];
  subtotal: number;
  discount: number;
  /** The coupon that gives the discount; null if there is none. */
  coupon_code: string | null;
  tax: number;
  tax_lines: readonly InvoiceTaxLine[];
  credit_applied: number;
  /** subtotal - discount + tax - credit_applied */
  amount_due: number;
  amount_paid: number;
  buyer: InvoiceBuyer;
  paid_with: InvoiceCard | null;
  created_at: Date;
  paid_at: Date | null;
  closed_at: Date | null;
}

/** The columns of an InvoiceRow. */
export const INVOICE_COLUMNS = `organization_id, id, number, sequence, status, subscription_id, reason, period_index,
  period_start, period_end, currency, lines, subtotal, discount, coupon_code, tax, tax_lines, credit_applied, amount_due,
  amount_paid, buyer, paid_with, created_at, paid_at, closed_at`;

/** The amount to pay before credit. */
export function totalOf({ subtotal, discount, tax }: Pick<InvoiceRow, 'subtotal' | 'discount' | 'tax'>): number {
  return subtotal - discount + tax;
}

/** One invoice of an organization. */
export const findInvoice = statement({
  name: 'find_invoice',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne<InvoiceRow>(),
  sql: ({ organizationId, id }) =>
    `select ${INVOICE_COLUMNS} from invoices where organization_id = ${organizationId} and id = ${id}`,
});

export const listInvoicesByIds = statement({
  name: 'list_invoices_by_ids',
  parameters: { organizationId: 'text', ids: 'text[]' },
  returns: many<InvoiceRow>(),
  sql: ({ organizationId, ids }) =>
    `select ${INVOICE_COLUMNS} from invoices where organization_id = ${organizationId} and id = any(${ids})`,
});

/** An invoice as the API and the events show it; `baseUrl` is the environment's public address. */
export function presentInvoice(row: InvoiceRow, baseUrl: string): Invoice {
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    subscription_id: row.subscription_id,
    period_start: isoTime(row.period_start.getTime()),
    period_end: isoTime(row.period_end.getTime()),
    subtotal: row.subtotal,
    discount: row.discount,
    coupon_code: row.coupon_code,
    tax: row.tax,
    tax_lines: row.tax_lines.map(({ name, percent, taxable, amount }) => ({ name, percent, taxable, amount })),
    total: totalOf(row),
    credit_applied: row.credit_applied,
    amount_due: row.amount_due,
    amount_paid: row.amount_paid,
    currency: row.currency,
    created_at: isoTime(row.created_at.getTime()),
    paid_at: timeOrNull(row.paid_at),
    closed_at: timeOrNull(row.closed_at),
    pdf_url: new URL(`/v1/invoices/${row.id}/pdf`, baseUrl).href,
    lines: row.lines.map(({ description, quantity, unit_amount, amount }) => ({
      description,
      quantity,
      unit_amount,
      amount,
    })),
  };
}

function timeOrNull(time: Date | null): string | null {
  return time === null ? null : isoTime(time.getTime());
}
