import type { Invoice } from '../schemas.ts';

const INVOICE_ID = 'inv_01kagt2m8xf3q9wz5r7e6b4c1s';
/** What the API reference shows of an invoice. */
export const INVOICE_EXAMPLE: Invoice = {
  id: INVOICE_ID,
  number: 'ACME-000001',
  status: 'paid',
  subscription_id: 'sub_01kagt2m8xf3q9wz5r7e6b4c1r',
  period_start: '2026-01-31T12:00:00.000Z',
  period_end: '2026-02-28T12:00:00.000Z',
  subtotal: 14_500,
  discount: 0,
  coupon_code: null,
  tax: 0,
  tax_lines: [],
  total: 14_500,
  credit_applied: 0,
  amount_due: 14_500,
  amount_paid: 14_500,
  currency: 'usd',
  created_at: '2026-01-31T12:00:00.000Z',
  paid_at: '2026-01-31T12:00:02.000Z',
  closed_at: '2026-01-31T12:00:02.000Z',
  pdf_url: `https://localhost:8443/v1/invoices/${INVOICE_ID}/pdf`,
  lines: [{ description: 'Pro, 5 seats (Jan 31 – Feb 28, 2026)', quantity: 5, unit_amount: 2_900, amount: 14_500 }],
};
