import type pg from 'pg';
import { newId } from '../../packages/server/src/ids/index.ts';

/** Writes an open invoice of an organization, in several scripts, and returns its id. */
export async function storeOpenInvoice(client: pg.Client, organizationId: string): Promise<string> {
  const id = newId('invoice');
  const line = {
    description: 'Pro, 5 seats, 31 Jan 2026 to 28 Feb 2026',
    quantity: 5,
    unit_amount: 2_900,
    amount: 14_500,
  };
  const buyer = { name: 'Bench', legal_name: 'Łukasz Żółć / ООО Ромашка', address: null, tax_id: null, email: null };
  await client.query(INSERT_INVOICE, [
    organizationId,
    id,
    newId('subscription'),
    JSON.stringify([line]),
    JSON.stringify(buyer),
  ]);
  return id;
}

const INSERT_INVOICE = `
  insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index, period_start,
    period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer, created_at)
  values ($1, $2, 'BENCH-000001', 1, 'open', $3, 'create', 0, clock_timestamp(), clock_timestamp() + interval '28 days',
    'usd', 14500, 0, 0, 14500, 0, $4, $5, clock_timestamp())`;
