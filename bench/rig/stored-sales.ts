import type pg from 'pg';

/** Subscriptions that are stored, as buying them years ago and paying never since would have left them. */
export interface StoredSales {
  /** The number of the first organization; the others follow. */
  from: number;
  organizations: number;
  /** Of each organization. */
  subscriptions: number;
}

/**
 * Names of stored rows hold two numbers of so many digits, the organization's and the row's own within it, so that a recording
 * of one organization can be done again on another; together they are as long as the names that the service makes.
 */
export const SALES_DIGITS = 13;

/**
 * Writes organizations with an admin, a default card, and subscriptions to the cheapest plan, each with its license. Every
 * subscription is overdue by years, so that it renews again and again, a month each time.
 */
export async function storeSales(client: pg.Client, { from, organizations, subscriptions }: StoredSales) {
  await client.query('begin');
  for (const statement of INSERT_ORGANIZATIONS) {
    await client.query(`with o as (${NAMED}) ${statement}`, [from, from + organizations - 1]);
  }
  for (const statement of INSERT_SUBSCRIPTIONS) {
    const values = [from, from + organizations - 1, subscriptions];
    await client.query(`with o as (${NAMED}), s as (${SOLD}) ${statement}`, values);
  }
  await client.query('commit');
}

const padSql = (number: string) => `lpad((${number})::text, ${SALES_DIGITS}, '0')`;

const NAMED = `select n, ${padSql('n')} || ${padSql('0')} as name from generate_series($1::integer, $2::integer) as n`;
/** The moments of an organization's subscriptions lie seconds apart. */
const SOLD = `
  select 'org_' || o.name as organization_id, ${padSql('o.n')} || ${padSql('k')} as name, p.*,
    timestamptz '2020-01-15 00:00:00+00' + (o.n + k) * interval '1 second' as anchor,
    timestamptz '2020-02-15 00:00:00+00' + (o.n + k) * interval '1 second' as period_end
  from o, generate_series(1, $3::integer) as k,
    (select id as plan_id, price, currency, product, license_features from plans
      where price > 0 and archived_at is null order by price limit 1) p`;

const INSERT_ORGANIZATIONS = [
  `insert into organizations (id, name, slug, member_count, created_at, updated_at)
    select 'org_' || name, 'Bench', 'bench-' || name, 1, t, t from o, (select clock_timestamp() as t) c`,
  `insert into users (id, email, name, password_hash, created_at, updated_at)
    select 'usr_' || name, 'bench-' || name || '@example.com', 'Bench', '', t, t from o, (select clock_timestamp() as t) c`,
  `insert into memberships (organization_id, user_id, user_name, role, created_at)
    select 'org_' || name, 'usr_' || name, 'Bench', 'admin', clock_timestamp() from o`,
  `insert into billing_accounts (organization_id, invoice_code, customer_ref, created_at)
    select 'org_' || name, 'BENCH' || name, 'cus_test_org_' || name, clock_timestamp() from o`,
  `insert into test_cards (ref, card, brand, last4, exp_month, exp_year, customer_ref, created_at)
    select 'pm_test_' || name, 'pm_card_visa', 'visa', '4242', 12, 2099, 'cus_test_org_' || name, clock_timestamp() from o`,
  `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4, exp_month, exp_year,
      is_default, customer_ref, created_at)
    select 'org_' || name, 'pm_' || name, 'test', 'pm_test_' || name, 'card', 'visa', '4242', 12, 2099, true,
      'cus_test_org_' || name, clock_timestamp() from o`,
];

const SEATS = 5;

const INSERT_SUBSCRIPTIONS = [
  `insert into licenses (organization_id, id, key, subscription_id, product, max_seats, features, state, expires_at,
      renews, created_at, updated_at)
    select organization_id, 'lic_' || name, name, 'sub_' || name, product, ${SEATS}, license_features, 'active',
      period_end, true, anchor, anchor from s`,
  `insert into license_seat_counts (organization_id, license_id) select organization_id, 'lic_' || name from s`,
  `insert into seat_slots (organization_id, license_id, slot)
    select organization_id, 'lic_' || name, slot from s, generate_series(1, ${SEATS}) as slot`,
  `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
      current_period_start, current_period_end, period_accrued, period_billed, license_id, next_action_at, created_at,
      updated_at)
    select organization_id, 'sub_' || name, 'active', plan_id, ${SEATS}, currency, anchor, 0, anchor, period_end,
      price * ${SEATS} * extract(epoch from period_end - anchor)::bigint, price * ${SEATS}, 'lic_' || name, period_end,
      anchor, anchor from s`,
];
