import type { Queries, Statement } from '../../database/index.ts';
import { COUPON_COLUMNS, type CouponRow } from '../coupons/queries.ts';
import { PLAN_COLUMNS, type PlanRow } from '../plans/queries.ts';
import type { CatalogueCoupon, CatalogueMeter, CataloguePlan } from './catalogue.ts';

/** Whether there is any plan, an archived one as well. */
export async function hasPlan(database: Queries): Promise<boolean> {
  return (await database.query(FIND_ANY_PLAN, [])).length > 0;
}

/** Waits until nobody else applies a catalogue, and keeps others from it until the transaction ends. */
export async function lockCatalogue(tx: Queries): Promise<void> {
  await tx.query(LOCK_CATALOGUE, []);
}

/** Notes that the catalogue was changed now. */
export async function markCatalogueApplied(tx: Queries): Promise<void> {
  await tx.query(MARK_APPLIED, []);
}

/** Every plan, archived ones as well: as the list of plans shows them, and the oldest first where that says nothing. */
export async function listAllPlans(database: Queries): Promise<PlanRow[]> {
  return database.query(LIST_ALL_PLANS, []);
}

/** The same, locked: nobody begins to buy one of them until the transaction ends. */
export async function lockAllPlans(tx: Queries): Promise<PlanRow[]> {
  await tx.query(LOCK_PLANS, []);
  // Read again, since what was read while waiting for the lock may be older than what was waited for.
  return listAllPlans(tx);
}

/** The coupons that can be redeemed, and those with these codes, archived or not. */
export async function listCoupons(database: Queries, codes: readonly string[]): Promise<CouponRow[]> {
  return database.query(LIST_COUPONS, [codes]);
}

/** The same, locked: none of them is redeemed until the transaction ends. */
export async function lockCoupons(tx: Queries, codes: readonly string[]): Promise<CouponRow[]> {
  await tx.query(LOCK_COUPONS, [codes]);
  return listCoupons(tx, codes);
}

export async function listMeters(database: Queries): Promise<CatalogueMeter[]> {
  return database.query(LIST_METERS, []);
}

/** Which of these plans have or had a subscription, or are just being bought. */
export async function listSoldPlans(tx: Queries, planIds: readonly string[]): Promise<string[]> {
  return (await tx.query(LIST_SOLD_PLANS, [planIds])).map((row) => row.id);
}

/** Writes a plan: a new one, or the new state of the one with this id, which is on sale then. */
export async function putPlan(tx: Queries, id: string, plan: CataloguePlan): Promise<void> {
  await tx.query(PUT_PLAN, [
    id,
    plan.key,
    plan.name,
    plan.description,
    plan.price,
    plan.currency,
    plan.interval,
    plan.contact_sales,
    plan.tier,
    plan.product,
    JSON.stringify(plan.features),
    JSON.stringify(plan.license_features),
    JSON.stringify(plan.included),
    plan.grace_seconds,
    plan.heartbeat_interval_seconds,
    plan.session_timeout_seconds,
  ]);
}

export async function archivePlan(tx: Queries, id: string): Promise<void> {
  await tx.query(ARCHIVE_PLAN, [id]);
}

/** Writes a coupon: a new one, or the new state of the one with this id, which can be redeemed then. */
export async function putCoupon(tx: Queries, id: string, coupon: CatalogueCoupon): Promise<void> {
  const { code, percent_off, amount_off, currency, duration, duration_months, redeem_by, max_redemptions } = coupon;
  const most = [max_redemptions, coupon.max_redemptions_per_organization];
  const terms = [percent_off, amount_off, currency, duration, duration_months, redeem_by, ...most];
  await tx.query(PUT_COUPON, [id, code, ...terms]);
}

export async function archiveCoupon(tx: Queries, id: string): Promise<void> {
  await tx.query(ARCHIVE_COUPON, [id]);
}

export async function putMeter(tx: Queries, { name, aggregation }: CatalogueMeter): Promise<void> {
  await tx.query(PUT_METER, [name, aggregation]);
}

export async function deleteMeter(tx: Queries, name: string): Promise<void> {
  await tx.query(DELETE_METER, [name]);
}

const FIND_ANY_PLAN: Statement<{ id: string }> = { name: 'find_any_plan', text: 'select id from plans limit 1' };

const LOCK_CATALOGUE: Statement<{ id: string }> = {
  name: 'lock_catalogue',
  text: `select id from catalogue_state where id = 'this' for update`,
};

const MARK_APPLIED: Statement<never> = {
  name: 'mark_catalogue_applied',
  text: `update catalogue_state set applied_at = clock_timestamp() where id = 'this'`,
};

const LOCK_PLANS: Statement<{ id: string }> = {
  name: 'lock_plans',
  text: 'select id from plans order by id for update',
};
const LOCK_COUPONS: Statement<{ id: string }> = {
  name: 'lock_coupons',
  text: `select id from coupons where id = any(array(
      select id from coupons where archived_at is null union select id from coupons where code = any($1::text[])
    )) order by id for update`,
};

const LIST_ALL_PLANS: Statement<PlanRow> = {
  name: 'list_all_plans',
  text: `select ${PLAN_COLUMNS} from plans order by price_order, id`,
};

/** Those of years ago that nobody can redeem any more are left alone. */
const LIST_COUPONS: Statement<CouponRow> = {
  name: 'list_coupons_of_catalogue',
  text: `select ${COUPON_COLUMNS} from coupons where id = any(array(
      select id from coupons where archived_at is null union select id from coupons where code = any($1::text[])
    )) order by id`,
};

const LIST_METERS: Statement<CatalogueMeter> = {
  name: 'list_meters',
  text: 'select name, aggregation from meters order by name',
};

/** A plan counts as sold from the moment that somebody is charged for it, which is before there is a subscription. */
const LIST_SOLD_PLANS: Statement<{ id: string }> = {
  name: 'list_sold_plans',
  text: `select p.id from unnest($1::text[]) as p (id),
      lateral (select from subscriptions s where s.plan_id = p.id order by s.organization_id limit 1) sold
    union
    select p.id from unnest($1::text[]) as p (id),
      lateral (select from subscriptions s where s.pending_plan_id = p.id limit 1) asked
    union
    select p.id from unnest($1::text[]) as p (id),
      lateral (select from payments y where y.settled_at is null and y.intent ->> 'planId' = p.id limit 1) paid`,
};

const PUT_PLAN: Statement<never> = {
  name: 'put_plan',
  text: `insert into plans (id, key, name, description, price, currency, interval, contact_sales, tier, product, features,
      license_features, included, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, clock_timestamp(), clock_timestamp())
    on conflict (id) do update set name = excluded.name, description = excluded.description, price = excluded.price,
      currency = excluded.currency, interval = excluded.interval, contact_sales = excluded.contact_sales,
      tier = excluded.tier, product = excluded.product, features = excluded.features,
      license_features = excluded.license_features, included = excluded.included, grace_seconds = excluded.grace_seconds,
      heartbeat_interval_seconds = excluded.heartbeat_interval_seconds,
      session_timeout_seconds = excluded.session_timeout_seconds, archived_at = null, updated_at = excluded.updated_at`,
};

const ARCHIVE_PLAN: Statement<never> = {
  name: 'archive_plan',
  text: 'update plans set archived_at = clock_timestamp(), updated_at = clock_timestamp() where id = $1',
};

const PUT_COUPON: Statement<never> = {
  name: 'put_coupon',
  text: `insert into coupons (id, code, percent_off, amount_off, currency, duration, duration_months, redeem_by,
      max_redemptions, max_redemptions_per_organization, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), clock_timestamp())
    on conflict (id) do update set percent_off = excluded.percent_off, amount_off = excluded.amount_off,
      currency = excluded.currency, duration = excluded.duration, duration_months = excluded.duration_months,
      redeem_by = excluded.redeem_by, max_redemptions = excluded.max_redemptions,
      max_redemptions_per_organization = excluded.max_redemptions_per_organization, archived_at = null,
      updated_at = excluded.updated_at`,
};

const ARCHIVE_COUPON: Statement<never> = {
  name: 'archive_coupon',
  text: 'update coupons set archived_at = clock_timestamp(), updated_at = clock_timestamp() where id = $1',
};

const PUT_METER: Statement<never> = {
  name: 'put_meter',
  text: `insert into meters (name, aggregation, created_at) values ($1, $2, clock_timestamp())
    on conflict (name) do update set aggregation = excluded.aggregation`,
};

const DELETE_METER: Statement<never> = { name: 'delete_meter', text: 'delete from meters where name = $1' };
