import { many, maybeOne, type Queries, recordset, statement } from '../../database/index.ts';
import { COUPON_COLUMNS, type CouponRow } from '../coupons/queries.ts';
import { PLAN_COLUMNS, type PlanRow } from '../plans/queries.ts';
import type { CatalogueMeter } from './catalogue.ts';

/** Any plan, archived or not. */
export const findAnyPlan = statement({
  name: 'find_any_plan',
  returns: maybeOne<{ id: string }>(),
  sql: () => 'select id from plans limit 1',
});

/**
 * Lets only one transaction at a time apply a catalogue: waits for the lock, and holds it until the transaction ends.
 */
export const lockCatalogue = statement({
  name: 'lock_catalogue',
  sql: () => `select id from catalogue_state where id = 'this' for update`,
});

/** Records that the catalogue was changed now. */
export const updateAppliedAt = statement({
  name: 'update_catalogue_applied_at',
  sql: () => `update catalogue_state set applied_at = clock_timestamp() where id = 'this'`,
});

/** Every plan, including archived ones, in the order of the list of plans, then oldest first. */
export const listAllPlans = statement({
  name: 'list_all_plans',
  returns: many<PlanRow>(),
  sql: () => `select ${PLAN_COLUMNS} from plans order by price_order, id`,
});

/** The same, locked: no purchase of these plans begins until the transaction ends. */
export async function lockAllPlans(tx: Queries): Promise<PlanRow[]> {
  await lockPlanRows(tx);
  // Read again: what was read while waiting for the lock may be out of date.
  return listAllPlans(tx);
}

const lockPlanRows = statement({ name: 'lock_plans', sql: () => 'select id from plans order by id for update' });

/** Coupons that ended years ago and are not named are ignored. */
const inCatalogue = (codes: string) => `id = any(array(
      select id from coupons where archived_at is null union select id from coupons where code = any(${codes})
    )) order by id`;

/** The coupons that can be redeemed, and those with these codes, archived or not. */
export const listCoupons = statement({
  name: 'list_coupons_of_catalogue',
  parameters: { codes: 'text[]' },
  returns: many<CouponRow>(),
  sql: ({ codes }) => `select ${COUPON_COLUMNS} from coupons where ${inCatalogue(codes)}`,
});

/** The same, locked: none of them is redeemed until the transaction ends. */
export async function lockCoupons(tx: Queries, values: { codes: readonly string[] }): Promise<CouponRow[]> {
  await lockCouponRows(tx, values);
  return listCoupons(tx, values);
}

const lockCouponRows = statement({
  name: 'lock_coupons',
  parameters: { codes: 'text[]' },
  sql: ({ codes }) => `select id from coupons where ${inCatalogue(codes)} for update`,
});

export const listMeters = statement({
  name: 'list_meters',
  returns: many<CatalogueMeter>(),
  sql: () => 'select name, aggregation from meters order by name',
});

/**
 * Which of these plans have or had a subscription, or are being bought right now. A plan counts as sold as soon as a
 * customer is charged for it, which is before the subscription exists.
 */
export const listSoldPlans = statement({
  name: 'list_sold_plans',
  parameters: { planIds: 'text[]' },
  returns: many<{ id: string }>(),
  sql: ({ planIds }) => `select p.id from unnest(${planIds}) as p (id),
      lateral (select from subscriptions s where s.plan_id = p.id order by s.organization_id limit 1) sold
    union
    select p.id from unnest(${planIds}) as p (id),
      lateral (select from subscriptions s where s.pending_plan_id = p.id limit 1) asked
    union
    select p.id from unnest(${planIds}) as p (id),
      lateral (select from payments y where y.settled_at is null and y.intent ->> 'planId' = p.id limit 1) paid`,
});

/** Writes plans: new ones, or the new state of those with these IDs, which are then on sale. */
export const upsertPlans = statement({
  name: 'upsert_plans',
  parameters: {
    plan: recordset({
      id: 'text',
      key: 'text',
      name: 'text',
      description: 'text',
      price: 'bigint | null',
      currency: 'text',
      interval: 'text',
      contact_sales: 'boolean',
      tier: 'text',
      product: 'text',
      features: 'jsonb',
      license_features: 'jsonb',
      included: 'jsonb',
      grace_seconds: 'integer',
      heartbeat_interval_seconds: 'integer | null',
      session_timeout_seconds: 'integer | null',
      policy: 'jsonb',
    }),
  },
  sql: ({
    plan,
  }) => `insert into plans (id, key, name, description, price, currency, interval, contact_sales, tier, product,
      features, license_features, included, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds, policy,
      created_at, updated_at)
    select id, key, name, description, price, currency, interval, contact_sales, tier, product, features, license_features,
      included, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds, policy, clock_timestamp(), clock_timestamp()
    from ${plan}
    on conflict (id) do update set name = excluded.name, description = excluded.description, price = excluded.price,
      currency = excluded.currency, interval = excluded.interval, contact_sales = excluded.contact_sales,
      tier = excluded.tier, product = excluded.product, features = excluded.features,
      license_features = excluded.license_features, included = excluded.included, grace_seconds = excluded.grace_seconds,
      heartbeat_interval_seconds = excluded.heartbeat_interval_seconds,
      session_timeout_seconds = excluded.session_timeout_seconds, policy = excluded.policy, archived_at = null, updated_at = excluded.updated_at`,
});

/** Takes a plan off sale. */
export const updatePlanArchived = statement({
  name: 'update_plan_archived',
  parameters: { id: 'text' },
  sql: ({ id }) => `update plans set archived_at = clock_timestamp(), updated_at = clock_timestamp() where id = ${id}`,
});

/** Writes coupons: new ones, or the new state of those with these IDs, which can then be redeemed. */
export const upsertCoupons = statement({
  name: 'upsert_coupons',
  parameters: {
    coupon: recordset({
      id: 'text',
      code: 'text',
      percent_off: 'integer | null',
      amount_off: 'bigint | null',
      currency: 'text | null',
      duration: 'text',
      duration_months: 'integer | null',
      redeem_by: 'timestamptz | null',
      max_redemptions: 'integer | null',
      max_redemptions_per_organization: 'integer',
    }),
  },
  sql: ({
    coupon,
  }) => `insert into coupons (id, code, percent_off, amount_off, currency, duration, duration_months, redeem_by,
      max_redemptions, max_redemptions_per_organization, created_at, updated_at)
    select id, code, percent_off, amount_off, currency, duration, duration_months, redeem_by, max_redemptions,
      max_redemptions_per_organization, clock_timestamp(), clock_timestamp()
    from ${coupon}
    on conflict (id) do update set percent_off = excluded.percent_off, amount_off = excluded.amount_off,
      currency = excluded.currency, duration = excluded.duration, duration_months = excluded.duration_months,
      redeem_by = excluded.redeem_by, max_redemptions = excluded.max_redemptions,
      max_redemptions_per_organization = excluded.max_redemptions_per_organization, archived_at = null,
      updated_at = excluded.updated_at`,
});

/** Ends the redemption of a coupon. */
export const updateCouponArchived = statement({
  name: 'update_coupon_archived',
  parameters: { id: 'text' },
  sql: ({ id }) =>
    `update coupons set archived_at = clock_timestamp(), updated_at = clock_timestamp() where id = ${id}`,
});

export const upsertMeter = statement({
  name: 'upsert_meter',
  parameters: { name: 'text', aggregation: 'text' },
  sql: ({ name, aggregation }) => `insert into meters (name, aggregation, created_at)
    values (${name}, ${aggregation}, clock_timestamp())
    on conflict (name) do update set aggregation = excluded.aggregation`,
});

export const deleteMeter = statement({
  name: 'delete_meter',
  parameters: { name: 'text' },
  sql: ({ name }) => `delete from meters where name = ${name}`,
});
