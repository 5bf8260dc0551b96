import type pg from 'pg';
import { hash, id } from '../plans/seed-values.ts';

const ORGANIZATIONS = 400;
const USERS = 1_000;
const ENDPOINTS = 400;

/** A third of all rows belong to this organization. */
export const BUSIEST_ORGANIZATION = `org_${'0'.repeat(26)}`;
/** A fifth of all rows belong to this user. */
export const BUSIEST_USER = `usr_${'0'.repeat(26)}`;

/** A growing table, and how its rows are created: `n` counts them from the newest to the oldest. */
export interface OldTable {
  table: string;
  insert: (rows: number) => string;
}

const organizationOf = (n: string) =>
  `case when ${n} % 3 = 0 then ${id('org', '0')} else ${id('org', `${n} % ${ORGANIZATIONS}`)} end`;
const userOf = (n: string) => `case when ${n} % 5 = 0 then ${id('usr', '0')} else ${id('usr', `${n} % ${USERS}`)} end`;
const emailOf = (n: string) => `'user' || case when ${n} % 5 = 0 then 0 else ${n} % ${USERS} end || '@example.com'`;
const endpointOf = (n: string) =>
  `case when ${n} % 3 = 0 then ${id('wh', '0')} else ${id('wh', `${n} % ${ENDPOINTS}`)} end`;

/** Rows whose ages range from zero to this many days. `at` is the age of each. */
function table(name: string, days: number, columns: string, values: string): OldTable {
  return {
    table: name,
    insert: (rows) => `insert into ${name} (${columns}) select ${values}
      from generate_series(0, ${rows - 1}) n
      cross join lateral (select clock_timestamp() - n * (interval '${days} days' / ${rows}) as at) t`,
  };
}

/** The few rows that all others refer to. */
const SEED_OF_OWNERS: readonly string[] = [
  `insert into organizations (id, name, slug, created_at, updated_at)
    select ${id('org', 'n')}, 'Organization ' || n, 'seeded-' || n, t, t
    from generate_series(0, ${ORGANIZATIONS - 1}) n, (select clock_timestamp() - interval '4000 days' as t) a`,
  `insert into users (id, email, name, password_hash, created_at, updated_at)
    select ${id('usr', 'n')}, 'user' || n || '@example.com', 'User ' || n, 'x', t, t
    from generate_series(0, ${USERS - 1}) n, (select clock_timestamp() - interval '4000 days' as t) a`,
  `insert into webhook_endpoints (organization_id, id, url, events, created_at, updated_at)
    select ${id('org', 'n')}, ${id('wh', 'n')}, 'https://receiver.example/hooks', '{license.expired}', t, t
    from generate_series(0, ${ENDPOINTS - 1}) n, (select clock_timestamp() as t) a`,
  `insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination, is_cautious, in_flight_limit)
    select ${id('org', 'n')}, ${id('wh', 'n')}, 'paused', 'receiver.example:443', false, 32
    from generate_series(0, ${ENDPOINTS - 1}) n`,
  `insert into billing_accounts (organization_id, invoice_code, last_invoice_number, created_at)
    select ${id('org', 'n')}, 'CODE' || n, 1000000, clock_timestamp() from generate_series(0, ${ORGANIZATIONS - 1}) n`,
];

/** Every table that grows with use and that a job deletes from. About half of its rows have expired. */
export const OLD_TABLES: readonly OldTable[] = [
  table(
    'seat_sessions',
    800,
    'organization_id, id, license_id, user_id, hardware_id, metadata, started_at, last_heartbeat, ended_at, status',
    `${organizationOf('n')}, ${id('sess', 'n')}, ${id('lic', 'n % 10000')}, ${userOf('n')}, 'hw_' || n % 50000,
      '{"host": "a"}', t.at, t.at, t.at, 'released'`,
  ),
  table(
    'seat_refusals',
    60,
    'organization_id, id, license_id, code, user_id, hardware_id, count, first_at, last_at, active_seats, max_seats',
    `${organizationOf('n')}, ${id('ref', 'n')}, ${id('lic', 'n % 10000')}, 'no_seats_available', ${userOf('n')}, 'hw_' || n % 50000,
      1, t.at, t.at, 3, 3`,
  ),
  table(
    'request_records',
    14,
    'id, at, method, route, status, duration_ms',
    `${id('req', 'n')}, t.at, 'GET', '/v1/me', 200, 1`,
  ),
  table(
    'project_usage_days',
    800,
    'organization_id, project_id, day, sessions, seat_seconds',
    `${organizationOf('n')}, ${id('proj', 'n')}, date_trunc('day', t.at, 'UTC'), 1, 1`,
  ),
  table(
    'audit_entries',
    800,
    'organization_id, id, action, actor_user_id, credential_kind, client_address, target_type, target_id, after, created_at',
    `${organizationOf('n')}, ${id('audit', 'n')}, 'member.removed', ${userOf('n')}, 'session', '192.0.2.1', 'member', ${userOf('n')},
      jsonb_build_object('email', ${emailOf('n')}), t.at`,
  ),
  table(
    'events',
    60,
    'organization_id, id, type, created, object',
    `${organizationOf('n')}, ${id('evt', 'n')}, case when n % 10 = 0 then 'org.member.added' else 'license.seat.acquired' end, t.at,
      jsonb_build_object('email', ${emailOf('n')})`,
  ),
  table(
    'webhook_deliveries',
    60,
    `organization_id, endpoint_id, id, event_id, event_type, status, attempts, step, last_attempt_at, next_attempt_id,
      next_attempt_at, created_at`,
    `${organizationOf('n')}, ${endpointOf('n')}, ${id('dlv', 'n')}, ${id('evt', 'n')}, 'license.expired',
      case n % 100 when 2 then 'pending' when 1 then 'failed' else 'succeeded' end, 1, 0, t.at,
      case when n % 100 = 2 then ${id('att', 'n')} end, case when n % 100 = 2 then clock_timestamp() + interval '1 day' end, t.at`,
  ),
  table(
    'webhook_attempts',
    60,
    'organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms, status_code',
    `${organizationOf('n')}, ${id('dlv', 'n')}, 1, ${endpointOf('n')}, 'scheduled', t.at, 120, 200`,
  ),
  table(
    'bearer_tokens',
    60,
    'token_hash, kind, user_id, organization_id, source_id, created_at, expires_at',
    `${hash('access', 'n')}, 'session', ${userOf('n')}, ${organizationOf('n')}, ${id('login', 'n')}, t.at, t.at`,
  ),
  table(
    'refresh_tokens',
    60,
    'token_hash, user_id, login_session_id, created_at, expires_at, used_at',
    `${hash('refresh', 'n')}, ${userOf('n')}, ${id('login', 'n')}, t.at, t.at, t.at`,
  ),
  table(
    'login_sessions',
    60,
    'user_id, id, organization_id, created_at, ends_at, last_seen_at',
    `${userOf('n')}, ${id('login', 'n')}, ${organizationOf('n')}, t.at, t.at, t.at`,
  ),
  table(
    'one_time_tokens',
    60,
    'token_hash, purpose, user_id, created_at, expires_at',
    `${hash('one time', 'n')}, 'verify_email', ${userOf('n')}, t.at, t.at`,
  ),
  table(
    'portal_links',
    60,
    'link_hash, id, organization_id, user_id, created_at, expires_at',
    `${hash('portal link', 'n')}, ${id('plink', 'n')}, ${organizationOf('n')}, ${userOf('n')}, t.at, t.at`,
  ),
  table(
    'login_challenges',
    60,
    'token_hash, user_id, created_at, expires_at, attempts, spent_at',
    `${hash('challenge', 'n')}, ${userOf('n')}, t.at, t.at, 1, t.at`,
  ),
  table(
    'api_tokens',
    60,
    'organization_id, id, user_id, name, prefix, scopes, created_at, revoked_at',
    `${organizationOf('n')}, ${id('tok', 'n')}, ${userOf('n')}, 'token', 'svc_live_abcd', '{read:org}', t.at, t.at`,
  ),
  table(
    'invitations',
    60,
    'organization_id, id, email, role, invited_by, token_hash, created_at, expires_at, revoked_at',
    `${organizationOf('n')}, ${id('invite', 'n')}, ${emailOf('n')}, 'member', ${userOf('n')}, ${hash('invitation', 'n')}, t.at, t.at, t.at`,
  ),
  table(
    'oauth_grants',
    60,
    'organization_id, id, user_id, app_id, scopes, created_at, updated_at, ended_at',
    `${organizationOf('n')}, ${id('grant', 'n')}, ${userOf('n')}, ${id('app', 'n % 1000')}, '{read:profile}', t.at, t.at, t.at`,
  ),
  table(
    'oauth_artifacts',
    2,
    'model, id_hash, payload, user_id, grant_key, created_at, expires_at',
    `'RefreshToken', ${hash('artifact', 'n')}, '\\x00', ${userOf('n')}, ${id('grant', 'n')}, t.at, t.at + interval '1 day'`,
  ),
  table(
    'invoices',
    7306,
    `organization_id, id, number, sequence, status, subscription_id, reason, period_index, period_start, period_end, currency,
      subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer, created_at, paid_at, closed_at`,
    `${organizationOf('n')}, ${id('inv', 'n')}, 'CODE-' || n, 2000000 - n, 'paid', ${id('sub', 'n / 24')}, 'renewal', n, t.at, t.at, 'usd',
      100, 0, 0, 100, 100, '[{"description":"Pro","quantity":1,"unit_amount":100,"amount":100}]', '{}', t.at, t.at, t.at`,
  ),
  table(
    'invoice_pdfs',
    7306,
    'organization_id, invoice_id, sha256, content, created_at',
    `${organizationOf('n')}, ${id('inv', 'n')}, ${hash('pdf', 'n')}, '\\x00', t.at`,
  ),
  table(
    'payments',
    7306,
    `organization_id, id, subscription_id, invoice_id, purpose, intent, amount, currency, is_on_session, payment_method_id,
      method_ref, customer_ref, provider, provider_ref, status, decline_code, created_at, settled_at`,
    `${organizationOf('n')}, ${id('pay', '2000000 - n')}, ${id('sub', 'n / 24')}, case when n % 20 <> 4 then ${id('inv', 'n')} end, 'renewal',
      '{}', 100, 'usd', false, ${id('pm', 'n % 60000')}, 'method', 'customer', 'test', 'charge_' || n,
      case n % 20 when 4 then 'declined' else 'succeeded' end, case n % 20 when 4 then 'generic_decline' end, t.at, t.at`,
  ),
  table(
    'orphaned_payments',
    7306,
    'id, provider, provider_ref, organization_id, amount, currency, status, reason, told_at, created_at, found_at, closed_at',
    `${id('pay', 'n')}, 'test', 'orphan_' || n, ${organizationOf('n')}, 100, 'usd', 'resolved', 'no_reason', t.at, t.at, t.at, t.at`,
  ),
  table(
    'billing_credit_entries',
    7306,
    'organization_id, id, currency, amount, reason, subscription_id, created_at',
    `${organizationOf('n')}, ${id('cred', 'n')}, 'usd', 100, 'decrease', ${id('sub', 'n / 24')}, t.at`,
  ),
  table(
    'test_charges',
    60,
    'ref, attempt_id, customer_ref, card_ref, amount, currency, is_on_session, purpose, status, created_at',
    `'charge_' || n, 'charge_' || n, 'cus_test_' || ${organizationOf('n')}, 'card', 100, 'usd', true, 'pay', 'succeeded', t.at`,
  ),
  table(
    'test_cards',
    2,
    'ref, card, brand, last4, exp_month, exp_year, created_at',
    `'card_' || n, 'pm_card_visa', 'visa', '4242', 12, 2040, t.at`,
  ),
  table('provider_events', 60, 'provider, event_id, received_at', `'stripe', 'evt_' || n, t.at`),
  table(
    'idempotency_keys',
    2,
    'organization_id, user_id, route, key, request_hash, status, answer, created_at',
    `${organizationOf('n')}, ${userOf('n')}, 'POST /v1/projects', 'key ' || n, '\\x00', 200, '\\x00', t.at`,
  ),
  table(
    'usage_records',
    200,
    'organization_id, id, meter, value, at, recorded_by, recorded_at',
    `${organizationOf('n')}, ${id('usage', 'n')}, 'ai_tokens', 1, t.at, ${id('optok', '0')}, t.at`,
  ),
  {
    table: 'usage_hours',
    insert: (
      rows,
    ) => `insert into usage_hours (organization_id, meter, hour, total, highest, last_at, last_id, last_value)
      select ${id('org', 'o')}, 'ai_tokens', t.at, 1, 1, t.at, ${id('usage', '0')}, 1
      from generate_series(0, 99) o, generate_series(0, ${rows / 100 - 1}) h
      cross join lateral (select date_trunc('hour', clock_timestamp(), 'UTC') - (h + 9500) * interval '1 hour' as at) t`,
  },
  {
    table: 'usage_seat_hours',
    insert: (rows) => `insert into usage_seat_hours (organization_id, hour, active_at_start, peak)
      select ${id('org', 'o')}, t.at, 1, 1
      from generate_series(0, 99) o, generate_series(0, ${rows / 100 - 1}) h
      cross join lateral (select date_trunc('hour', clock_timestamp(), 'UTC') - (h + 9500) * interval '1 hour' as at) t`,
  },
  table(
    'outgoing_mails',
    60,
    'id, recipient, kind, created_at, due_at, attempts, gave_up_at, last_error',
    `${id('mail', 'n')}, ${emailOf('n')}, 'login', t.at, t.at, 3, t.at, 'away'`,
  ),
  table(
    'mail_counts',
    0.1,
    'recipient, kind, queued_at, last_queued_at',
    `'user' || n || '@example.com', 'login', array[t.at], t.at`,
  ),
];

/** Fills a migrated database with this many rows per table, and analyzes it for the planner. */
export async function seedOldRows(client: pg.Client, rows: number): Promise<void> {
  // The rows are consistent with each other. Checking a million of them one by one would take longer than creating
  // them.
  await client.query(
    "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'",
  );
  for (const statement of SEED_OF_OWNERS) {
    await client.query(statement);
  }
  for (const { table: name, insert } of OLD_TABLES) {
    await client.query(`alter table ${name} set (autovacuum_enabled = false)`);
    const indexes = await dropIndexes(client, name);
    await client.query(insert(rows));
    for (const definition of indexes) {
      await client.query(definition);
    }
  }
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
}

/**
 * Building an index over existing rows is far faster than updating it row by row. Returns the statements that recreate
 * them.
 */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(c.oid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not i.indisprimary
        and not exists (select 1 from pg_constraint k where k.conindid = c.oid)`,
    [table],
  );
  for (const { name } of rows) {
    await client.query(`drop index ${name}`);
  }
  return rows.map((row) => row.definition);
}
