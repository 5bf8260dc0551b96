import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/index.ts';
import { createEmptyDatabase } from '../harness/clone-database.ts';
import { copyMigrationsBefore } from './previous-version.ts';

const line = (description: string, quantity: number, unit: number) => ({
  description,
  quantity,
  unit_amount: unit,
  amount: quantity * unit,
});
const SEATS = line('Pro, 5 seats, 31 Jan 2026 to 28 Feb 2026', 5, 2_900);
const REST = line('Rest of the period before', 1, 17);

/** Invoices in the old format: the discount and the credit are lines as well as totals. */
const FORMER = [
  { id: 'inv_1', discount: 0, credit: 0, lines: [SEATS] },
  { id: 'inv_2', discount: 1_450, credit: 0, lines: [SEATS, line('Coupon TENTH', 1, -1_450)] },
  { id: 'inv_3', discount: 0, credit: 14_500, lines: [SEATS, line('Credit from earlier changes', 1, -14_500)] },
  {
    id: 'inv_4',
    discount: 1_450,
    credit: 100,
    lines: [SEATS, REST, line('Coupon TENTH', 1, -1_450), line('Credit from earlier changes', 1, -100)],
  },
];

it('the migration removes discounts and credit from the lines of invoices, and changes no amount, number or PDF', async () => {
  const url = await createEmptyDatabase();
  await migrate(url, await copyMigrationsBefore('0018'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  for (const [at, { id, discount, credit, lines }] of FORMER.entries()) {
    const subtotal = lines.filter(({ amount }) => amount > 0).reduce((sum, { amount }) => sum + amount, 0);
    const due = subtotal - discount - credit;
    await client.query(INSERT, [
      id,
      `ACME-00000${at + 1}`,
      at + 1,
      subtotal,
      discount,
      credit,
      due,
      JSON.stringify(lines),
    ]);
  }
  await client.query(`insert into invoice_pdfs (organization_id, invoice_id, sha256, content, created_at)
    values ('org_1', 'inv_4', '\\x01', '\\x25504446', '2026-01-31Z')`);
  const kept = `select number, status, subtotal, discount, credit_applied, amount_due, amount_paid from invoices order by id`;
  const before = (await client.query(kept)).rows;

  await migrate(url);

  expect((await client.query(kept)).rows).toEqual(before);
  const after = await client.query('select lines, coupon_code, tax, tax_lines from invoices order by id');
  const none = { coupon_code: null, tax: '0', tax_lines: [] };
  expect(after.rows).toEqual([
    { ...none, lines: [SEATS] },
    { ...none, lines: [SEATS], coupon_code: 'TENTH' },
    { ...none, lines: [SEATS] },
    { ...none, lines: [SEATS, REST], coupon_code: 'TENTH' },
  ]);
  const [pdf] = (await client.query('select content from invoice_pdfs')).rows;
  expect(pdf.content.toString()).toBe('%PDF');
  await expect(client.query(`update invoices set tax = 1 where id = 'inv_1'`)).rejects.toThrow('invoices_totals');
});

const INSERT = `insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index,
    period_start, period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer, created_at,
    paid_at, closed_at)
  values ('org_1', $1, $2, $3::int, 'paid', 'sub_1', 'renewal', $3::int, '2026-01-31Z', '2026-02-28Z', 'usd', $4, $5, $6, $7, $7, $8,
    '{}', '2026-01-31Z', '2026-01-31Z', '2026-01-31Z')`;
