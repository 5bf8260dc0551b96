import pg from 'pg';
import { ago, hash, id } from './seed-values.ts';

/** Per table: enough that reading them all for one page stands out. */
export const ROWS = 20_000;
/** The oldest of them have values that no other row has: a scan from the newest meets them last. */
const RARE = 3;
const CUSTOMERS = 200;

const isRare = `n >= ${ROWS - RARE}`;
/** One customer has half of the rows that are not counted per customer, including the rare rows. */
const customerOf = `case when n % 2 = 0 or ${isRare} then ${id('org', '0')} else ${id('org', `n % ${CUSTOMERS}`)} end`;
const rows = `from generate_series(0, ${ROWS - 1}) n`;
/** The n-th newest: a row every hour, for more than two years. */
const created = ago('n * 3600 + 60');
/** Sorted by name, the oldest come last too. */
const name = (prefix: string) => `'${prefix}' || lpad(n::text, 6, '0')`;

const SEED: readonly string[] = [
  `insert into organizations (id, name, slug, external_id, suspended_at, created_at, updated_at)
    select ${id('org', 'n')}, ${name('Customer ')}, ${name('customer-')}, ${name('crm-')},
      case when ${isRare} then ${created} end, ${created}, ${created} ${rows}`,
  `insert into users (id, email, name, password_hash, locked_until, created_at, updated_at)
    select ${id('usr', 'n')}, ${name('user')} || '@example.com', ${name('User ')}, 'x',
      case when ${isRare} then ${ago('-86400')} end, ${created}, ${created} ${rows}`,
  // Licenses for a year alternate with perpetual ones. All but a few of one product's have expired.
  `insert into licenses (organization_id, id, key, product, max_seats, features, state, external_id, expires_at, created_at,
      updated_at)
    select ${id('org', `n % ${CUSTOMERS}`)}, ${id('lic', 'n')}, ${name('KEY-')}, l.product, 5, '{}',
      case when n = ${ROWS - 1} then 'suspended' when n = ${ROWS - 2} then 'revoked' else 'active' end, ${name('contract-')},
      case when l.product = 'archive' and n < ${ROWS - 2 * RARE} then ${ago('3600')} - n * interval '1 hour'
        when l.product = 'studio' and n between ${ROWS - 2 * RARE} and ${ROWS - 4} then ${ago('86400')}
        when n % 2 = 0 then 'infinity' else ${ago('-86400')} + n % 365 * interval '1 day' end,
      ${created}, ${created}
    from generate_series(0, ${ROWS - 1}) n
    cross join lateral (select case when n % 50 = 0 then 'archive' when ${isRare} then 'rare' else 'studio' end as product) l`,
  'insert into license_seat_counts (organization_id, license_id) select organization_id, id from licenses',
  `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
      current_period_start, current_period_end, period_accrued, period_billed, dunning_ends_at, next_action_at, created_at,
      updated_at)
    select ${id('org', `n % ${CUSTOMERS}`)}, ${id('sub', 'n')}, case when ${isRare} then 'past_due' else 'active' end,
      (select id from plans order by id limit 1), 1, 'usd',
      ${created}, 0, ${created}, ${ago('-86400')}, 0, 0, case when ${isRare} then ${ago('-86400')} end, ${ago('-86400')},
      ${created}, ${created} ${rows}`,
  `insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index, period_start,
      period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer, created_at, paid_at)
    select ${customerOf}, ${id('inv', 'n')}, ${name('CODE-')}, n + 1, case when ${isRare} then 'open' else 'paid' end,
      ${id('sub', 'n')}, 'renewal', n, ${created}, ${created}, 'usd', 100, 0, 0, 100, case when ${isRare} then 0 else 100 end,
      '[]', '{"name":"A","legal_name":null,"address":null,"tax_id":null,"email":null}', ${created}, case when ${isRare} then null else ${created} end ${rows}`,
  `insert into payments (organization_id, id, subscription_id, invoice_id, purpose, intent, amount, currency, is_on_session,
      payment_method_id, method_ref, customer_ref, provider, provider_ref, status, created_at, settled_at)
    select ${customerOf}, ${id('pay', 'n')}, ${id('sub', 'n')}, ${id('inv', 'n')}, 'renewal', '{}', 100, 'usd', false,
      ${id('pm', 'n')}, 'method', 'customer', 'test', ${name('pi_')},
      case when ${isRare} then 'declined' else 'succeeded' end, ${created}, ${created} ${rows}`,
  `insert into orphaned_payments (id, provider, provider_ref, organization_id, amount, currency, status, reason, created_at,
      found_at)
    select ${id('pay', `n + ${ROWS}`)}, 'test', ${name('orphan_')}, ${id('org', '0')}, 100, 'usd', 'orphaned', 'no_reason',
      ${created}, ${created} ${rows} where ${isRare}`,
  `insert into audit_entries (organization_id, id, action, actor_user_id, by_staff, credential_kind, credential_id, target_type,
      target_id, created_at)
    select ${customerOf}, ${id('audit', 'n')}, case when ${isRare} then 'member.removed' else 'project.updated' end,
      case when ${isRare} then ${id('usr', '1')} else ${id('usr', '0')} end, n = ${ROWS - 1}, 'session', ${hash('login', 'n')}::text,
      'member', ${id('usr', 'n')}, ${created} ${rows}`,
  `update audit_entries set actor_user_id = null, credential_kind = 'operator', credential_id = 'optok_1'
    where id = ${id('audit', String(ROWS - 2))}`,
  `update audit_entries set actor_user_id = null, credential_kind = 'operator', credential_id = null
    where id = ${id('audit', String(ROWS - 3))}`,
  `insert into seat_refusals (organization_id, id, license_id, code, user_id, hardware_id, count, first_at, last_at, active_seats,
      max_seats)
    select ${customerOf}, ${id('ref', 'n')}, ${id('lic', '0')}, case when ${isRare} then 'license_expired' else 'no_seats_available' end,
      case when ${isRare} then ${id('usr', '1')} else ${id('usr', '0')} end, 'hw_${'0'.repeat(32)}', 1, ${created}, ${created}, 5, 5 ${rows}`,
];

/**
 * Makes the usual values rare: nearly all licenses have expired, programs did everything that people did before, and so
 * on.
 */
const TURNED: readonly string[] = [
  `update licenses set expires_at = created_at + interval '1 minute' where state = 'active' and product <> 'rare'
    and id < ${id('lic', String(ROWS - 10))}`,
  `update audit_entries set actor_user_id = null, credential_kind = 'operator', credential_id = 'optok_1'
    where id < ${id('audit', String(ROWS - RARE))}`,
  `update seat_refusals set code = case code when 'license_expired' then 'no_seats_available' else 'license_expired' end`,
  `update payments set status = case status when 'declined' then 'succeeded' else 'declined' end`,
];

export async function seedRareRows(databaseUrl: string): Promise<void> {
  await change(databaseUrl, SEED);
}

/** From now on, the rare values are the usual ones. */
export async function turnRareRows(databaseUrl: string): Promise<void> {
  await change(databaseUrl, TURNED);
}

async function change(databaseUrl: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // The rows are consistent with each other.
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    for (const statement of statements) {
      await client.query(statement);
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
