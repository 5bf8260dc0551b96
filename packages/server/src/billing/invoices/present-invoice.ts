import { isoTime } from '../../clock/index.ts';
import { type InvoiceRow, totalOf } from './read-queries.ts';
import type { Invoice } from './schemas.ts';

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
