import type { Queries } from '../../src/database/index.ts';
import { execute } from '../harness/index.ts';

/** What is planted, under names for the tests. */
export const ORG = 'org_a';
const PLAN = 'plan_planted';
export const COUPON = 'coupon_a';
export const ACTIVE = 'sub_active';
export const ENDED = 'sub_ended';
export const PAST_DUE = 'sub_past_due';
export const LICENSE = 'lic_active';
export const ENDPOINT = 'wh_a';

/**
 * Writes an organization with a subscription of each kind and all related rows, as the service would have left them: no
 * invariant is broken.
 */
export async function plantCommerce(database: Queries): Promise<void> {
  for (const statement of WORLD) {
    await execute(database, statement);
  }
}

/** Three days ago. Periods are whole seconds. */
const START = `timestamptz '${new Date(Math.floor(Date.now() / 1000 - 3 * 86_400) * 1000).toISOString()}'`;
const monthsAfter = (months: number) =>
  `((${START}) at time zone 'UTC' + make_interval(months => ${months})) at time zone 'UTC'`;
const SECONDS = (from: number) => `extract(epoch from ${monthsAfter(from + 1)} - ${monthsAfter(from)})`;
const line = (quantity: number, unit: number) =>
  `{"description": "x", "quantity": ${quantity}, "unit_amount": ${unit}, "amount": ${quantity * unit}}`;

const SUBSCRIPTION = `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor,
  period_index, current_period_start, current_period_end, period_accrued, period_billed, coupon_id, canceled_at, ended_at,
  license_id, dunning_ends_at, next_attempt_at, next_action_at, created_at, updated_at)`;
const INVOICE = `insert into invoices (organization_id, id, number, sequence, status, subscription_id, reason, period_index,
  period_start, period_end, currency, subtotal, discount, credit_applied, amount_due, amount_paid, lines, buyer,
  created_at, paid_at, closed_at)`;
const PAYMENT = `insert into payments (organization_id, id, subscription_id, invoice_id, purpose, intent, amount, currency,
  is_on_session, payment_method_id, method_ref, customer_ref, provider, status, next_check_at, created_at, settled_at)`;
const PERIOD = `${monthsAfter(0)}, ${monthsAfter(1)}`;
const LICENSE_ROW = `insert into licenses (organization_id, id, key, product, max_seats, features, state, expires_at, renews,
  created_at, updated_at, subscription_id)`;

const WORLD = [
  `insert into organizations (id, name, slug, tier, created_at, updated_at)
    select '${ORG}', 'Acme', 'acme', 'pro', t, t from (select clock_timestamp() as t) n`,
  `insert into billing_accounts (organization_id, invoice_code, last_invoice_number, created_at)
    values ('${ORG}', 'ACME', 4, clock_timestamp())`,
  `insert into orphaned_payments (id, provider, provider_ref, amount, currency, status, reason, created_at, found_at)
    select 'pay_orphan', 'stripe', 'pi_orphan', 100, 'usd', 'orphaned', 'no_reason', t, t from (select clock_timestamp() as t) n`,
  `insert into plans (id, key, name, description, price, currency, interval, tier, product, features, license_features,
      grace_seconds, created_at, updated_at)
    select '${PLAN}', 'planted', 'Pro', '', 2900, 'usd', 'month', 'pro', 'studio', '{"seats": 20}',
      '{"ai_assistance": true}', 259200, t, t from (select clock_timestamp() as t) n`,
  `insert into coupons (id, code, percent_off, duration, redemptions, created_at, updated_at)
    values ('${COUPON}', 'TENTH', 10, 'forever', 2, clock_timestamp(), clock_timestamp())`,
  // Five seats with a tenth off, a month in; 100 of credit were used.
  `${SUBSCRIPTION} values ('${ORG}', '${ACTIVE}', 'active', '${PLAN}', 5, 'usd', ${START}, 0, ${PERIOD},
    13050 * ${SECONDS(0)}, 13050, '${COUPON}', null, null, '${LICENSE}', null, null, ${monthsAfter(1)}, ${START}, ${START})`,
  `${INVOICE} values ('${ORG}', 'inv_active', 'ACME-000001', 1, 'paid', '${ACTIVE}', 'create', 0, ${PERIOD}, 'usd',
    14500, 1450, 100, 12950, 12950, '[${line(5, 2900)}]', '{}', ${START}, ${START},
    ${START})`,
  `${PAYMENT} values ('${ORG}', 'pay_active', '${ACTIVE}', 'inv_active', 'create', '{"kind": "collect"}', 12950, 'usd',
    true, 'pm_default', 'card', 'cus', 'test', 'succeeded', null, ${START}, ${START})`,
  `${LICENSE_ROW} values ('${ORG}', '${LICENSE}', 'SEAT-A', 'studio', 5, '{"ai_assistance": true}', 'active',
    ${monthsAfter(1)} + interval '3 days', true, ${START}, ${START}, '${ACTIVE}')`,
  `insert into license_seat_counts (organization_id, license_id, taken, waiting) values ('${ORG}', '${LICENSE}', 2, 2)`,
  `insert into seat_slots (organization_id, license_id, slot) select '${ORG}', '${LICENSE}', generate_series(1, 5)`,
  `update seat_slots set session_id = 'ses_1', user_id = 'usr_1', hardware_id = 'm1', started_at = ${START},
      deadline = 'infinity', reap_at = 'infinity' where slot = 1`,
  // An activated machine is offline with the second seat, and two users wait.
  `insert into license_activations (organization_id, id, license_id, hardware_id, token_hash, created_at, activated_at)
    values ('${ORG}', 'act_1', '${LICENSE}', 'm2', '', ${START}, ${START})`,
  `update seat_slots set session_id = 'ses_2', user_id = 'act_1', hardware_id = 'm2', started_at = ${START},
      offline_until = ${monthsAfter(1)}, deadline = ${monthsAfter(1)} - away_ms * interval '1 millisecond',
      reap_at = ${monthsAfter(1)} from service_clock where slot = 2`,
  `insert into seat_waits (organization_id, id, license_id, user_id, hardware_id, joined_at, deadline, due_at, touched, status)
    select '${ORG}', 'wait_' || n, '${LICENSE}', 'usr_' || n, 'm3', ${START}, 'infinity', 'infinity', 1, 'waiting'
    from generate_series(1, 2) n`,
  // Canceled immediately on its first day.
  `${SUBSCRIPTION} values ('${ORG}', '${ENDED}', 'canceled', '${PLAN}', 1, 'usd', ${START}, 0, ${PERIOD},
    2900 * ${SECONDS(0)}, 2900, null, ${START}, ${START}, 'lic_ended', null, null, null, ${START}, ${START})`,
  `${INVOICE} values ('${ORG}', 'inv_ended', 'ACME-000002', 2, 'paid', '${ENDED}', 'create', 0, ${PERIOD}, 'usd',
    2900, 0, 0, 2900, 2900, '[${line(1, 2900)}]', '{}', ${START}, ${START}, ${START})`,
  `${PAYMENT} values ('${ORG}', 'pay_ended', '${ENDED}', 'inv_ended', 'create', '{"kind": "collect"}', 2900, 'usd',
    true, 'pm_default', 'card', 'cus', 'test', 'succeeded', null, ${START}, ${START})`,
  `${LICENSE_ROW} values ('${ORG}', 'lic_ended', 'SEAT-B', 'studio', 1, '{"ai_assistance": true}', 'active', ${START},
    false, ${START}, ${START}, '${ENDED}')`,
  // Its renewal was declined. 50 of credit that a change had used came back when nobody paid it.
  `${SUBSCRIPTION} values ('${ORG}', '${PAST_DUE}', 'past_due', '${PLAN}', 1, 'usd', ${monthsAfter(-1)}, 1, ${PERIOD},
    2900 * ${SECONDS(0)}, 2900, null, null, null, 'lic_past_due', ${START} + interval '21 days',
    ${START} + interval '5 days', ${START} + interval '5 days', ${START}, ${START})`,
  `${INVOICE} values ('${ORG}', 'inv_void', 'ACME-000003', 3, 'void', '${PAST_DUE}', 'change', 0, ${PERIOD}, 'usd',
    150, 0, 50, 100, 0, '[${line(1, 150)}]', '{}', ${START}, null, ${START})`,
  `${INVOICE} values ('${ORG}', 'inv_open', 'ACME-000004', 4, 'open', '${PAST_DUE}', 'renewal', 1, ${PERIOD}, 'usd',
    2900, 0, 0, 2900, 0, '[${line(1, 2900)}]', '{}', ${START}, null, null)`,
  `${PAYMENT} values ('${ORG}', 'pay_declined', '${PAST_DUE}', 'inv_open', 'renewal', '{"kind": "collect"}', 2900, 'usd',
    false, 'pm_default', 'card', 'cus', 'test', 'declined', null, ${START}, ${START})`,
  `${LICENSE_ROW} values ('${ORG}', 'lic_past_due', 'SEAT-C', 'studio', 1, '{"ai_assistance": true}', 'active',
    ${START} + interval '21 days', false, ${START}, ${START}, '${PAST_DUE}')`,
  // An order whose payment is in progress, with the coupon and 25 of credit.
  `${PAYMENT} values ('${ORG}', 'pay_new', 'sub_new', null, 'create',
    '{"kind": "create", "couponId": "${COUPON}", "invoice": {"id": "inv_new", "creditApplied": 25}}', 2875, 'usd', true,
    'pm_default', 'card', 'cus', 'test', 'pending', clock_timestamp() + interval '1 minute', clock_timestamp(), null)`,
  // A payment that arrived after all became credit.
  `${PAYMENT} values ('${ORG}', 'pay_late', '${ENDED}', null, 'create', '{"kind": "collect"}', 500, 'usd',
    true, 'pm_default', 'card', 'cus', 'test', 'succeeded', null, ${START}, ${START})`,
  `insert into billing_credits (organization_id, currency, balance) values ('${ORG}', 'usd', 1375)`,
  `insert into billing_credit_entries (organization_id, id, currency, amount, reason, subscription_id, invoice_id, created_at)
    select '${ORG}', e.id, 'usd', amount, reason, subscription, invoice, clock_timestamp() from (values
      ('cr_1', 1000, 'decrease', '${ACTIVE}', null), ('cr_2', -100, 'applied', '${ACTIVE}', 'inv_active'),
      ('cr_3', -50, 'applied', '${PAST_DUE}', 'inv_void'), ('cr_4', 50, 'returned', '${PAST_DUE}', 'inv_void'),
      ('cr_5', -25, 'applied', 'sub_new', 'inv_new'), ('cr_6', 500, 'returned', '${ENDED}', null)
    ) as e (id, amount, reason, subscription, invoice)`,
  `insert into payment_methods (organization_id, id, provider, provider_ref, type, brand, last4, exp_month, exp_year,
      is_default, created_at, removed_at)
    values ('${ORG}', 'pm_default', 'test', 'card', 'card', 'visa', '4242', 1, 2030, true, ${START}, null),
      ('${ORG}', 'pm_removed', 'test', 'old', 'card', 'visa', '4242', 1, 2030, false, ${START}, ${START})`,
  `insert into events (organization_id, id, type, created, object)
    select '${ORG}', format('evt_%s_%s', type, id), type, ${START}, jsonb_build_object(member, id)
    from (
      select 'subscription.created' as type, 'subscription_id' as member, id from subscriptions
      union all select 'subscription.canceled', 'subscription_id', '${ENDED}'
      union all select 'invoice.created', 'invoice_id', id from invoices
      union all select 'invoice.paid', 'invoice_id', id from invoices where status = 'paid'
      union all select 'payment_method.attached', 'payment_method_id', id from payment_methods
      union all select 'payment_method.removed', 'payment_method_id', 'pm_removed'
    ) told`,
  // Five deliveries were numbered: two are past the retention, one is in progress.
  `insert into webhook_endpoints (organization_id, id, url, events, created_at, updated_at)
    values ('${ORG}', '${ENDPOINT}', 'https://hooks.example', '{*}', ${START}, ${START})`,
  `insert into webhook_sequences (organization_id, endpoint_id, last, deleted) values ('${ORG}', '${ENDPOINT}', 5, 2)`,
  `insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, created_at, sequence)
    select '${ORG}', '${ENDPOINT}', 'dlv_' || n, 'evt_' || n, 'license.expired', 'held', ${START}, nullif(n, 9)
    from unnest(array[2, 4, 9]) n`,
  `insert into webhook_queue (organization_id, delivery_id, endpoint_id, event_id, event_type, created_at, due_at, claim_id,
      leased_until, sequence)
    select '${ORG}', 'dlv_5', '${ENDPOINT}', 'evt_5', 'license.expired', t, t, 'claim', t, 5 from (select ${START} as t) n`,
];
