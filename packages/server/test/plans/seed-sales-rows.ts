import { ago, id, inLargest, ORGANIZATIONS } from './seed-values.ts';

const PLANS = 60;
const COUPONS = 5_000;
const SUBSCRIPTIONS = inLargest(100_000);
const PAYMENTS = inLargest(200_000);
const CREDIT_ENTRIES = 50_000;
const ORPHANS = 20_000;
const PROVIDER_EVENTS = 60_000;

/** Every second row belongs to the busiest organization, like every second invoice. */
const organizationOfSale = (n: string) =>
  `case when ${n} % 2 = 0 then :organization else ${id('org', `${n} % ${ORGANIZATIONS}`)} end`;
const planOf = (n: string) => id('plan', `${n} / 2 % ${PLANS}`);
/**
 * Half of them have ended. Of each thousand, two wait for a first payment and five are in dunning. None of those
 * belongs to the busiest organization, whose new card would retry them all.
 */
const statusOf = (
  n: string,
) => `case when ${n} % 1000 in (10, 11) then 'incomplete' when ${n} % 1000 between 20 and 29 and ${n} % 2 = 1
  then 'past_due' when ${n} / 2 % 4 = 0 then 'canceled' when ${n} / 2 % 4 = 1 then 'expired' else 'active' end`;
/** Payments for the first periods of a few subscriptions are in progress. */
const isInFlight = (n: string) => `${n} < ${SUBSCRIPTIONS} and ${n} % 1000 in (10, 11)`;

/** Rows that years of selling leave behind. None of them is due, so no job claims them. */
export const SEED_OF_SALES: readonly string[] = [
  `insert into plans (id, key, name, description, price, currency, interval, tier, product, features, license_features,
      grace_seconds, archived_at, created_at, updated_at)
    select ${id('plan', 'n')}, 'seeded-' || n, 'Plan ' || n, '', 100 + n, 'usd', 'month', 'pro', 'studio', '{}', '{}', 86400,
      ${ago('n')}, ${ago('n')}, ${ago('n')}
    from generate_series(0, ${PLANS - 1}) n`,
  // Coupons from years ago are archived.
  `insert into coupons (id, code, percent_off, duration, max_redemptions, redemptions, archived_at, created_at, updated_at)
    select ${id('coup', 'n')}, 'SEEDED' || n, 10, 'forever', 1000000, 10,
      case when n >= 50 then ${ago('n')} end, ${ago('n')}, ${ago('n')}
    from generate_series(0, ${COUPONS - 1}) n`,
  `insert into billing_accounts (organization_id, invoice_code, last_invoice_number, customer_ref, created_at)
    select organization_id, 'CODE' || row_number() over (), 1000000, 'cus_test_' || organization_id, ${ago('0')} from (
      select :organization as organization_id
      union all select ${id('org', 'n')} from generate_series(0, ${ORGANIZATIONS - 1}) n) o`,
  `insert into billing_credits (organization_id, currency, balance)
    select organization_id, 'usd', 0 from billing_accounts`,
  `insert into billing_credit_entries (organization_id, id, currency, amount, reason, subscription_id, invoice_id, created_at)
    select ${organizationOfSale('n')}, ${id('cred', 'n')}, 'usd', case when n % 4 < 2 then 100 else -100 end,
      case when n % 4 < 2 then 'decrease' else 'applied' end, ${id('sub', `n % ${SUBSCRIPTIONS}`)},
      case when n % 4 >= 2 then ${id('inv', 'n')} end, ${ago('n * 100')}
    from generate_series(0, ${CREDIT_ENTRIES - 1}) n`,
  `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
      current_period_start, current_period_end, period_accrued, period_billed, coupon_id, canceled_at, ended_at,
      latest_invoice_id, license_id, next_attempt_at, dunning_ends_at, next_action_at, created_at, updated_at)
    select ${organizationOfSale('n')}, ${id('sub', 'n')}, s.status, ${planOf('n')}, 1 + n % 50, 'usd', ${ago('n * 300')}, n % 24,
      t.ends_at - interval '30 days', t.ends_at, 0, 0, case when n % 20 = 0 then ${id('coup', `n % ${COUPONS}`)} end,
      case when s.status = 'canceled' then t.ends_at end, case when s.status in ('canceled', 'expired') then t.ends_at end,
      ${id('inv', 'n * 4')}, ${id('lic', 'n')}, case when s.status = 'past_due' then t.ends_at end,
      case when s.status = 'past_due' then t.ends_at + interval '20 days' end,
      case when s.status not in ('canceled', 'expired') then t.ends_at end, ${ago('n * 300')}, ${ago('n * 300')}
    from generate_series(0, ${SUBSCRIPTIONS - 1}) n cross join lateral (select ${statusOf('n')} as status) s
    cross join lateral (select case when s.status in ('canceled', 'expired') then ${ago('n * 100')}
      else ${ago('-86400 - n * 20')} end as ends_at) t`,
  `insert into payments (organization_id, id, subscription_id, invoice_id, purpose, intent, amount, currency, is_on_session,
      payment_method_id, method_ref, customer_ref, provider, provider_ref, status, decline_code, next_check_at, request_key,
      request_hash, created_at, settled_at)
    select ${organizationOfSale('n')}, ${id('pay', 'n')}, ${id('sub', `n % ${SUBSCRIPTIONS}`)}, ${id('inv', 'n')}, 'renewal',
      '{"kind":"collect"}', 100 + n % 5000, 'usd', false, ${id('pm', 'n % 60000')}, 'seeded_' || n % 60000,
      'cus', 'test', 'seeded_' || n, s.status, case when s.status = 'declined' then 'generic_decline' end,
      case when s.status = 'requires_action' then ${ago('-86400 - n')} end,
      case when n % 10 = 0 and s.status = 'succeeded' then sha256(('request' || n)::bytea) end, sha256(('hash' || n)::bytea),
      ${ago('n * 100')}, case when s.status <> 'requires_action' then ${ago('n * 100')} end
    from generate_series(0, ${PAYMENTS - 1}) n cross join lateral (
      select case when ${isInFlight('n')} then 'requires_action' when n % 20 in (4, 5) then 'declined' else 'succeeded' end as status) s`,
  // Payments at the provider that nothing explained. Most are resolved.
  `insert into orphaned_payments (id, provider, provider_ref, organization_id, amount, currency, status, reason, note, review_at,
      told_at, created_at, found_at, closed_at)
    select ${id('pay', `n + ${PAYMENTS}`)}, 'test', 'orphan_' || n, ${organizationOfSale('n')}, 100, 'usd', s.status, 'no_reason',
      'refunded', case when s.status = 'awaited' then ${ago('-86400 - n')} end, ${ago('n * 90')}, ${ago('n * 100')}, ${ago('n * 99')},
      case when s.status = 'resolved' then ${ago('n * 80')} end
    from generate_series(0, ${ORPHANS - 1}) n cross join lateral (
      select case when n % 20 = 0 then 'orphaned' when n % 20 = 1 then 'awaited' else 'resolved' end as status) s`,
  `insert into provider_events (provider, event_id, received_at)
    select 'stripe', 'evt_' || n, ${ago('n * 40')} from generate_series(0, ${PROVIDER_EVENTS - 1}) n`,
];
