import { isoTime } from '../../clock/index.ts';
import { type InvoiceRow, totalOf } from '../ledger/invoice-queries.ts';
import type { ListedPaymentRow } from '../reconciliation/payment-list.ts';

/** A value of an exported row. Amounts are minor units of the row's currency. */
export type Cell = string | number | null;

/** The columns of a file, by the names in its header, in order. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const timeOf = (time: Date | null) => (time === null ? null : isoTime(time.getTime()));

export const INVOICE_EXPORT: Columns<InvoiceRow> = {
  id: (row) => row.id,
  number: (row) => row.number,
  status: (row) => row.status,
  organization_id: (row) => row.organization_id,
  organization_name: (row) => row.buyer.name,
  legal_name: (row) => row.buyer.legal_name,
  tax_id: (row) => row.buyer.tax_id,
  subscription_id: (row) => row.subscription_id,
  period_start: (row) => timeOf(row.period_start),
  period_end: (row) => timeOf(row.period_end),
  currency: (row) => row.currency,
  subtotal: (row) => row.subtotal,
  discount: (row) => row.discount,
  coupon_code: (row) => row.coupon_code,
  tax: (row) => row.tax,
  total: totalOf,
  credit_applied: (row) => row.credit_applied,
  amount_due: (row) => row.amount_due,
  amount_paid: (row) => row.amount_paid,
  created_at: (row) => timeOf(row.created_at),
  paid_at: (row) => timeOf(row.paid_at),
  closed_at: (row) => timeOf(row.closed_at),
};

export const PAYMENT_EXPORT: Columns<ListedPaymentRow> = {
  id: (row) => row.id,
  status: (row) => row.status,
  organization_id: (row) => row.organization_id,
  subscription_id: (row) => row.subscription_id,
  invoice_id: (row) => row.invoice_id,
  purpose: (row) => row.purpose,
  attempt: (row) => row.attempt,
  currency: (row) => row.currency,
  amount: (row) => row.amount,
  payment_method_id: (row) => row.payment_method_id,
  decline_code: (row) => row.decline_code,
  orphaned_because: (row) => row.orphaned_because,
  provider: (row) => row.provider,
  provider_ref: (row) => row.provider_ref,
  created_at: (row) => timeOf(row.created_at),
  settled_at: (row) => timeOf(row.settled_at),
};
