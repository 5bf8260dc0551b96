import { type CompiledQuery, sql } from 'kysely';
import { build, type Queries, type Statement, wallTime } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { Tier } from '../../organizations/index.ts';
import type { HeldCoupon, SoldPlan, SubscriptionState, SubscriptionStatus } from './subscription-state.ts';

/** A subscription as it is kept, joined with its plan and coupon. */
export interface SubscriptionRow {
  organization_id: string;
  id: string;
  status: SubscriptionStatus;
  quantity: number;
  anchor: Date;
  period_index: number;
  current_period_start: Date;
  current_period_end: Date;
  period_accrued: string;
  period_billed: number;
  cancel_at_period_end: boolean;
  canceled_at: Date | null;
  canceled_by: string | null;
  cancel_reason: string | null;
  ended_at: Date | null;
  latest_invoice_id: string | null;
  license_id: string | null;
  requires_action: boolean;
  pending_payment_id: string | null;
  pending_quantity: number | null;
  pending_plan_id: string | null;
  pending_expires_at: Date | null;
  dunning_retries: number;
  next_attempt_at: Date | null;
  dunning_ends_at: Date | null;
  created_at: Date;
  plan: SoldPlan;
  coupon: HeldCoupon | null;
}

const PLAIN = `s.organization_id, s.id, s.status, s.quantity, s.anchor, s.period_index, s.current_period_start,
  s.current_period_end, s.period_accrued, s.period_billed, s.cancel_at_period_end, s.canceled_at, s.canceled_by,
  s.cancel_reason, s.ended_at, s.latest_invoice_id, s.license_id, s.requires_action, s.pending_payment_id,
  s.pending_quantity, s.pending_plan_id, s.pending_expires_at, s.dunning_retries, s.next_attempt_at, s.dunning_ends_at,
  s.created_at`;

const JOINED = `jsonb_build_object('id', p.id, 'name', p.name, 'price', p.price, 'currency', p.currency,
    'interval', p.interval, 'tier', p.tier, 'product', p.product, 'license_features', p.license_features,
    'grace_seconds', p.grace_seconds, 'heartbeat_interval_seconds', p.heartbeat_interval_seconds,
    'session_timeout_seconds', p.session_timeout_seconds) as plan,
  (select jsonb_build_object('id', c.id, 'code', c.code, 'percent_off', c.percent_off, 'amount_off', c.amount_off,
      'currency', c.currency, 'duration', c.duration, 'duration_months', c.duration_months)
    from coupons c where c.id = s.coupon_id) as coupon`;

const SELECT = `select ${PLAIN}, ${JOINED} from subscriptions s
  join plans p on p.id = s.plan_id`;

/** A subscription of the organization, or undefined. */
export async function findSubscription(
  database: Queries,
  organizationId: string,
  id: string,
): Promise<SubscriptionState | undefined> {
  const [row] = await database.query(FIND_SUBSCRIPTION, [organizationId, id]);
  return row === undefined ? undefined : subscriptionOf(row);
}

/** Some of the organization's subscriptions, by their ids. */
export async function listSubscriptionsById(
  database: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<SubscriptionState[]> {
  return (await database.query(LIST_SUBSCRIPTIONS_BY_ID, [organizationId, ids])).map(subscriptionOf);
}

/** The organization's subscriptions with which something is to be done by `nowMs` on its clock, the earliest first. */
export async function listDueSubscriptions(
  tx: Queries,
  organizationId: string,
  nowMs: number,
  limit: number,
): Promise<SubscriptionState[]> {
  return (await tx.query(LIST_DUE_SUBSCRIPTIONS, [organizationId, new Date(nowMs), limit])).map(subscriptionOf);
}

/** The ids of the organization's subscriptions that are due on its clock, the earliest first. */
export async function listDueSubscriptionIds(
  database: Queries,
  organizationId: string,
  limit: number,
): Promise<string[]> {
  return (await database.query(LIST_DUE_SUBSCRIPTION_IDS, [organizationId, limit])).map((row) => row.id);
}

/** Puts off what is due of a subscription, whatever it is, on the organization's clock. */
export async function deferSubscription(
  database: Queries,
  organizationId: string,
  id: string,
  milliseconds: number,
): Promise<void> {
  await database.query(DEFER_SUBSCRIPTION, [organizationId, id, milliseconds]);
}

/** Organizations but some of which a subscription is due, the most overdue first; the same may come twice. */
export async function listDueOrganizations(
  database: Queries,
  except: readonly string[],
  limit: number,
): Promise<string[]> {
  return (await database.query(LIST_DUE_ORGANIZATIONS, [except, limit])).map((row) => row.organization_id);
}

/** A page of the organization's subscriptions. */
export async function listSubscriptions(
  database: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<SubscriptionState[]> {
  return (await database.run(pageOf(organizationId, page))).map(subscriptionOf);
}

function pageOf(organizationId: string, page: PageRequest): CompiledQuery<SubscriptionRow> {
  const { status, plan_id: planId, created_after: after, created_before: before } = page.filters;
  const column = `s.${page.sort}`;
  return sql<SubscriptionRow>`${sql.raw(SELECT)} where s.organization_id = ${organizationId}
    ${status === undefined ? sql`` : sql`and s.status = ${status}`}
    ${planId === undefined ? sql`` : sql`and s.plan_id = ${planId}`}
    ${after === undefined ? sql`` : sql`and s.created_at > ${after}::timestamptz`}
    ${before === undefined ? sql`` : sql`and s.created_at < ${before}::timestamptz`}
    and ${afterCursor(page, column, 's.id')} order by ${inOrder(page, column, 's.id')} limit ${page.limit + 1}`.compile(
    build,
  );
}

/** The best tier among the plans of the subscriptions whose seats can be used; undefined when there is none. */
export async function findBestTier(tx: Queries, organizationId: string): Promise<Tier | undefined> {
  return (await tx.query(FIND_BEST_TIER, [organizationId]))[0]?.tier;
}

/** When the organization's next subscription or payment is due, in milliseconds on its clock. */
export async function findNextDueMs(database: Queries, organizationId: string): Promise<number | undefined> {
  return (await database.query(FIND_NEXT_DUE, [organizationId]))[0]?.due_at?.getTime();
}

function subscriptionOf(row: SubscriptionRow): SubscriptionState {
  return {
    organizationId: row.organization_id,
    id: row.id,
    status: row.status,
    plan: row.plan,
    quantity: row.quantity,
    coupon: row.coupon,
    anchorMs: row.anchor.getTime(),
    periodIndex: row.period_index,
    periodStartMs: row.current_period_start.getTime(),
    periodEndMs: row.current_period_end.getTime(),
    accrued: BigInt(row.period_accrued),
    billed: BigInt(row.period_billed),
    cancelAtPeriodEnd: row.cancel_at_period_end,
    canceledAtMs: row.canceled_at?.getTime() ?? null,
    canceledBy: row.canceled_by,
    cancelReason: row.cancel_reason,
    endedAtMs: row.ended_at?.getTime() ?? null,
    latestInvoiceId: row.latest_invoice_id,
    licenseId: row.license_id,
    requiresAction: row.requires_action,
    pendingPaymentId: row.pending_payment_id,
    pending:
      row.pending_quantity === null || row.pending_plan_id === null || row.pending_expires_at === null
        ? null
        : {
            quantity: row.pending_quantity,
            planId: row.pending_plan_id,
            expiresAtMs: row.pending_expires_at.getTime(),
          },
    dunningRetries: row.dunning_retries,
    nextAttemptAtMs: row.next_attempt_at?.getTime() ?? null,
    dunningEndsAtMs: row.dunning_ends_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  };
}

const FIND_SUBSCRIPTION: Statement<SubscriptionRow> = {
  name: 'find_subscription',
  text: `${SELECT} where s.organization_id = $1 and s.id = $2`,
};

const LIST_SUBSCRIPTIONS_BY_ID: Statement<SubscriptionRow> = {
  name: 'list_subscriptions_by_id',
  text: `${SELECT} where s.organization_id = $1 and s.id = any($2::text[])`,
};

const LIST_DUE_SUBSCRIPTIONS: Statement<SubscriptionRow> = {
  name: 'list_due_subscriptions',
  text: `${SELECT} where s.organization_id = $1 and s.next_action_at <= $2 order by s.next_action_at, s.id limit $3`,
};

const LIST_DUE_SUBSCRIPTION_IDS: Statement<{ id: string }> = {
  name: 'list_due_subscription_ids',
  text: `select s.id from subscriptions s
    where s.organization_id = $1 and s.next_action_at <= (
      select ${wallTime('o.clock_offset_ms')} from organizations o where o.id = $1)
    order by s.next_action_at, s.id limit $2`,
};

const DEFER_SUBSCRIPTION: Statement<never> = {
  name: 'defer_subscription',
  text: `update subscriptions s set next_action_at = ${wallTime('(o.clock_offset_ms + $3::bigint)')}
    from organizations o
    where s.organization_id = $1 and s.id = $2 and o.id = $1 and s.next_action_at is not null`,
};

const LIST_DUE_ORGANIZATIONS: Statement<{ organization_id: string }> = {
  name: 'list_organizations_with_due_subscriptions',
  text: `(select s.organization_id from subscriptions s
      where s.next_action_at <= (select clock_timestamp()) and s.organization_id <> all($1::text[])
      order by s.next_action_at limit $2)
    union all
    (select o.id from organizations o where o.clock_offset_ms > 0 and o.id <> all($1::text[]) and exists (
      select from subscriptions s
      where s.organization_id = o.id and s.next_action_at <= ${wallTime('o.clock_offset_ms')}) limit $2)`,
};

const FIND_BEST_TIER: Statement<{ tier: Tier }> = {
  name: 'find_best_tier',
  text: `select p.tier from plans p where exists (
      select from subscriptions s
      where s.organization_id = $1 and s.plan_id = p.id and s.status in ('active', 'past_due'))
    order by array_position(array['enterprise', 'pro', 'free'], p.tier) limit 1`,
};

const FIND_NEXT_DUE: Statement<{ due_at: Date | null }> = {
  name: 'find_next_due_in_billing',
  text: `select least(
      (select min(next_action_at) from subscriptions where organization_id = $1 and next_action_at is not null),
      (select min(next_check_at) from payments where organization_id = $1 and settled_at is null)) as due_at`,
};
