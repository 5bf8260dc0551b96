import type { Seller } from '../billing-tools.ts';
import { type InvoiceRow, totalOf } from '../ledger/invoice-queries.ts';
import type { InvoiceDocument } from './pdf/invoice-document.ts';

/** What the PDF of an invoice shows: the buyer as stored in the invoice, the seller as configured when it is rendered. */
export function createInvoiceDocument(row: InvoiceRow, seller: Seller, watermark: string): InvoiceDocument {
  const { buyer } = row;
  return {
    number: row.number,
    status: row.status,
    issuedAtMs: row.created_at.getTime(),
    paidAtMs: row.paid_at?.getTime() ?? null,
    periodStartMs: row.period_start.getTime(),
    periodEndMs: row.period_end.getTime(),
    seller: { ...seller, email: '' },
    buyer: {
      name: buyer.legal_name ?? buyer.name,
      address: buyer.address ?? '',
      taxId: buyer.tax_id ?? '',
      email: buyer.email ?? '',
    },
    lines: row.lines.map(({ description, quantity, unit_amount: unitAmount, amount }) => ({
      description,
      quantity,
      unitAmount,
      amount,
    })),
    subtotal: row.subtotal,
    discount: row.discount,
    couponCode: row.coupon_code ?? '',
    taxLines: row.tax_lines,
    total: totalOf(row),
    credit: row.credit_applied,
    amountDue: row.amount_due,
    amountPaid: row.amount_paid,
    currency: row.currency,
    card: row.paid_with,
    watermark,
  };
}
