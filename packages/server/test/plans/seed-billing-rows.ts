import { ago, id, inLargest, ORGANIZATIONS } from './seed-values.ts';

const INVOICES = inLargest(400_000);

/** Every second row belongs to the busiest organization. */
const organizationOfSale = (n: string) =>
  `case when ${n} % 2 = 0 then :organization else ${id('org', `${n} % ${ORGANIZATIONS}`)} end`;
/** Most are paid. Of each hundred, two are open, two void and two given up. */
const statusOf = (n: string) =>
  `case when ${n} % 100 in (2, 3) then 'open' when ${n} % 100 in (4, 5) then 'void' when ${n} % 100 in (6, 7) then 'uncollectible' else 'paid' end`;

/**
 * Rows that years of sales leave behind: each subscription has a dozen invoices. None is due, so no job claims them.
 */
export const SEED_OF_BILLING: readonly string[] = [
  `insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index, period_start,
      period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer, paid_with, created_at,
      paid_at, closed_at)
    select ${organizationOfSale('n')}, ${id('inv', 'n')}, 'CODE-' || n, n + 1, s.status, ${id('sub', 'n / 24 * 2 + n % 2')}, 'renewal',
      n, ${ago('n * 100')}, ${ago('n * 100 - 86400')}, 'usd', 100 + n % 5000, 0, 0, 100 + n % 5000,
      case s.status when 'paid' then 100 + n % 5000 else 0 end,
      '[{"description":"Pro, 5 seats","quantity":1,"unit_amount":100,"amount":100}]',
      '{"name":"A","legal_name":null,"address":null,"tax_id":null,"email":null}', null, ${ago('n * 100')},
      case s.status when 'paid' then ${ago('n * 100')} end, case when s.status <> 'open' then ${ago('n * 100')} end
    from generate_series(0, ${INVOICES - 1}) n cross join lateral (select ${statusOf('n')} as status) s`,
  `insert into invoice_pdfs (organization_id, invoice_id, sha256, content, created_at)
    select organization_id, id, sha256(id::bytea), id::bytea, created_at from invoices where status = 'paid' and right(id, 1) = '8'`,
];
