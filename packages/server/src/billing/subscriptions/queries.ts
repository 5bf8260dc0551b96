import { count, one, statement } from '../../database/index.ts';

/** What an organization has subscribed to, including orders that are being paid. */
export interface Standing {
  /** Live ones. */
  subscriptions: number;
  /** Seats across all of them, with pending orders and changes counted as paid. */
  seats: number;
}

/**
 * The standing of an organization without the subscription `exceptId`, counted up to `limit` subscriptions. Its account is
 * locked, so it stays as it is. An order has no subscription until the provider has answered.
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

/** One if the organization has a live subscription to a plan that costs nothing, besides the one with the id `exceptId`. */
export const countFreeSubscriptions = statement({
  name: 'count_free_subscriptions',
  parameters: { organizationId: 'text', exceptId: 'text' },
  returns: count(),
  sql: ({ organizationId, exceptId }) => `select s.id from plans p
    join subscriptions s on s.organization_id = ${organizationId} and s.plan_id = p.id and s.next_action_at is not null
    where p.price = 0 and s.id <> ${exceptId} limit 1`,
});
