import type { InvoiceRow } from '../../src/billing/ledger/invoice-queries.ts';
import { newId } from '../../src/ids/index.ts';
import { execute, type TestApp } from './index.ts';

const COLUMNS = [
  'organization_id',
  'id',
  'number',
  'sequence',
  'status',
  'subscription_id',
  'reason',
  'period_index',
  'period_start',
  'period_end',
  'currency',
  'subtotal',
  'discount',
  'coupon_code',
  'tax',
  'tax_lines',
  'credit_applied',
  'amount_due',
  'amount_paid',
  'lines',
  'buyer',
  'paid_with',
  'created_at',
  'paid_at',
  'closed_at',
] as const satisfies ReadonlyArray<keyof InvoiceRow>;

const JSON_COLUMNS: ReadonlySet<string> = new Set(['lines', 'tax_lines', 'buyer', 'paid_with']);

/** Writes an invoice like the service would, for tests that read one. Returns its row. */
export async function plantInvoice(
  test: TestApp,
  organizationId: string,
  fields: Partial<InvoiceRow> = {},
): Promise<InvoiceRow> {
  const row = makeInvoiceRow(organizationId, fields);
  const places = COLUMNS.map((_, at) => `$${at + 1}`);
  const values = COLUMNS.map((name) =>
    JSON_COLUMNS.has(name) && row[name] !== null ? JSON.stringify(row[name]) : row[name],
  );
  await execute(test.database, `insert into invoices (${COLUMNS.join(', ')}) values (${places.join(', ')})`, values);
  return row;
}

/** A paid invoice for five seats, unless `fields` say otherwise. */
export function makeInvoiceRow(organizationId: string, fields: Partial<InvoiceRow> = {}): InvoiceRow {
  const sequence = fields.sequence ?? 1;
  const status = fields.status ?? 'paid';
  const amountDue = fields.amount_due ?? 14_500;
  const closedAt = status === 'open' ? null : new Date('2026-01-31T12:00:02.000Z');
  return {
    organization_id: organizationId,
    id: newId('invoice'),
    number: `ACME-${String(sequence).padStart(6, '0')}`,
    sequence,
    status,
    subscription_id: newId('subscription'),
    reason: 'create',
    period_index: 0,
    period_start: new Date('2026-01-31T12:00:00.000Z'),
    period_end: new Date('2026-02-28T12:00:00.000Z'),
    currency: 'usd',
    subtotal: amountDue,
    discount: 0,
    coupon_code: null,
    tax: 0,
    tax_lines: [],
    credit_applied: 0,
    amount_due: amountDue,
    amount_paid: status === 'paid' ? amountDue : 0,
    lines: [{ description: 'Pro, 1 seat', quantity: 1, unit_amount: amountDue, amount: amountDue }],
    buyer: { name: 'Ada’s organization', legal_name: null, address: null, tax_id: null, email: null },
    paid_with: status === 'paid' ? { brand: 'visa', last4: '4242' } : null,
    created_at: new Date('2026-01-31T12:00:00.000Z'),
    paid_at: status === 'paid' ? closedAt : null,
    closed_at: closedAt,
    ...fields,
  };
}
