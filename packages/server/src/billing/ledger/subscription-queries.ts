import { exists, many, maybeOne, one, statement } from '../../database/index.ts';
import type { Tier } from '../../organizations/index.ts';
import type { AppliedCoupon } from '../schemas.ts';
import type { SoldPlan, SubscriptionState, SubscriptionStatus } from './subscription-state.ts';

/** A subscription as stored, joined with its plan and coupon. */
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
  coupon: AppliedCoupon | null;
}

const PLAIN = `s.organization_id, s.id, s.status, s.quantity, s.anchor, s.period_index, s.current_period_start,
  s.current_period_end, s.period_accrued, s.period_billed, s.cancel_at_period_end, s.canceled_at, s.canceled_by,
  s.cancel_reason, s.ended_at, s.latest_invoice_id, s.license_id, s.requires_action, s.pending_payment_id,
  s.pending_quantity, s.pending_plan_id, s.pending_expires_at, s.dunning_retries, s.next_attempt_at, s.dunning_ends_at,
  s.created_at`;

const JOINED = `jsonb_build_object('id', p.id, 'name', p.name, 'price', p.price, 'currency', p.currency,
    'interval', p.interval, 'tier', p.tier, 'product', p.product, 'license_features', p.license_features,
    'grace_seconds', p.grace_seconds, 'heartbeat_interval_seconds', p.heartbeat_interval_seconds,
    'session_timeout_seconds', p.session_timeout_seconds, 'policy', p.policy) as plan,
  (select jsonb_build_object('id', c.id, 'code', c.code, 'percent_off', c.percent_off, 'amount_off', c.amount_off,
      'currency', c.currency, 'duration', c.duration, 'duration_months', c.duration_months)
    from coupons c where c.id = s.coupon_id) as coupon`;

/** Selects subscriptions; `s` is the subscription. */
export const SELECT_SUBSCRIPTIONS = `select ${PLAIN}, ${JOINED} from subscriptions s
  join plans p on p.id = s.plan_id`;

/** A subscription of the organization. */
export const findSubscription = statement({
  name: 'find_subscription',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne(subscriptionOf),
  sql: ({ organizationId, id }) =>
    `${SELECT_SUBSCRIPTIONS} where s.organization_id = ${organizationId} and s.id = ${id}`,
});

export const listSubscriptionsByIds = statement({
  name: 'list_subscriptions_by_ids',
  parameters: { organizationId: 'text', ids: 'text[]' },
  returns: many(subscriptionOf),
  sql: ({ organizationId, ids }) =>
    `${SELECT_SUBSCRIPTIONS} where s.organization_id = ${organizationId} and s.id = any(${ids})`,
});

/** The best tier among the plans of the subscriptions whose seats can be used. */
export const findBestTier = statement({
  name: 'find_best_tier',
  parameters: { organizationId: 'text' },
  returns: maybeOne(({ tier }: { tier: Tier }) => tier),
  sql: ({ organizationId }) => `select p.tier from plans p where exists (
      select from subscriptions s
      where s.organization_id = ${organizationId} and s.plan_id = p.id and s.status in ('active', 'past_due'))
    order by array_position(array['enterprise', 'pro', 'free'], p.tier) limit 1`,
});

export function subscriptionOf(row: SubscriptionRow): SubscriptionState {
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

/** What an organization has subscribed to, including orders that are being paid. */
export interface Standing {
  /** Live ones. */
  subscriptions: number;
  /** Seats across all of them, with pending orders and changes counted as paid. */
  seats: number;
}

/**
 * The standing of an organization without the subscription `exceptId`, counted up to `limit` subscriptions. Its account
 * is locked, so the result stays valid. An order has no subscription until the provider has answered.
 */
export const findStanding = statement({
  name: 'find_subscription_standing',
  parameters: { organizationId: 'text', exceptId: 'text', limit: 'integer' },
  returns: one<Standing>(),
  sql: ({ organizationId, exceptId, limit }) => `select count(*)::int as subscriptions,
      coalesce(sum(seats), 0)::float8 as seats from (
      select id, seats from (
        select s.id, greatest(s.quantity, s.pending_quantity, (p.intent ->> 'quantity')::int) as seats
        from subscriptions s
        left join payments p on p.organization_id = s.organization_id and p.subscription_id = s.id
          and p.settled_at is null and p.intent ->> 'kind' = 'change'
        where s.organization_id = ${organizationId} and s.next_action_at is not null
        union all
        select p.subscription_id, (p.intent ->> 'quantity')::int
        from payments p
        where p.organization_id = ${organizationId} and p.settled_at is null and p.invoice_id is null
          and p.intent ->> 'kind' = 'create'
      ) live where id <> ${exceptId} limit ${limit}
    ) counted`,
});

/** Whether the organization has a live subscription to a free plan, besides the one with the ID `exceptId`. */
export const hasFreeSubscription = statement({
  name: 'has_free_subscription',
  parameters: { organizationId: 'text', exceptId: 'text' },
  returns: exists(),
  sql: ({ organizationId, exceptId }) => `select s.id from plans p
    join subscriptions s on s.organization_id = ${organizationId} and s.plan_id = p.id and s.next_action_at is not null
    where p.price = 0 and s.id <> ${exceptId} limit 1`,
});
