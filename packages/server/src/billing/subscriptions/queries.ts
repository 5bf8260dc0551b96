import type { Queries, Statement } from '../../database/index.ts';

/** What an organization has subscribed to, including orders that are being paid. */
export interface Standing {
  /** Live ones. */
  subscriptions: number;
  /** Seats across all of them, with pending orders and changes counted as paid. */
  seats: number;
}

/**
 * The standing of an organization without the subscription `exceptId`, counted up to `limit` subscriptions. Its account is
 * locked, so it stays as it is.
 */
export async function readStanding(
  tx: Queries,
  organizationId: string,
  exceptId: string,
  limit: number,
): Promise<Standing> {
  const [standing] = await tx.query(READ_STANDING, [organizationId, exceptId, limit]);
  return standing ?? { subscriptions: 0, seats: 0 };
}

/** An order has no subscription until the provider has answered. */
const READ_STANDING: Statement<Standing> = {
  name: 'read_subscription_standing',
  text: `select count(*)::int as subscriptions, coalesce(sum(seats), 0)::float8 as seats from (
      select id, seats from (
        select s.id, greatest(s.quantity, s.pending_quantity, (p.intent ->> 'quantity')::int) as seats
        from subscriptions s
        left join payments p on p.organization_id = s.organization_id and p.subscription_id = s.id
          and p.settled_at is null and p.intent ->> 'kind' = 'change'
        where s.organization_id = $1 and s.next_action_at is not null
        union all
        select p.subscription_id, (p.intent ->> 'quantity')::int
        from payments p
        where p.organization_id = $1 and p.settled_at is null and p.invoice_id is null and p.intent ->> 'kind' = 'create'
      ) live where id <> $2 limit $3
    ) counted`,
};

/** Whether an organization has a live subscription to a plan that costs nothing, but for the one with the id `exceptId`. */
export async function hasFreeSubscription(tx: Queries, organizationId: string, exceptId: string): Promise<boolean> {
  return (await tx.query(FIND_FREE_SUBSCRIPTION, [organizationId, exceptId])).length > 0;
}

const FIND_FREE_SUBSCRIPTION: Statement<{ id: string }> = {
  name: 'find_free_subscription',
  text: `select s.id from plans p
    join subscriptions s on s.organization_id = $1 and s.plan_id = p.id and s.next_action_at is not null
    where p.price = 0 and s.id <> $2 limit 1`,
};
