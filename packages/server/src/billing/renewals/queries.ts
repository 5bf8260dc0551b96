import { type Queries, type Statement, wallTime } from '../../database/index.ts';
import { SELECT_SUBSCRIPTIONS, type SubscriptionRow, subscriptionOf } from '../ledger/subscription-queries.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';

/** The organization's subscriptions that are due by `nowMs` on its clock, the earliest first. */
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

/** Postpones the next due action of a subscription, on the organization's clock. */
export async function deferSubscription(
  database: Queries,
  organizationId: string,
  id: string,
  milliseconds: number,
): Promise<void> {
  await database.query(DEFER_SUBSCRIPTION, [organizationId, id, milliseconds]);
}

/** Organizations, except these, with a subscription that is due, the most overdue first. One may come twice. */
export async function listDueOrganizations(
  database: Queries,
  except: readonly string[],
  limit: number,
): Promise<string[]> {
  return (await database.query(LIST_DUE_ORGANIZATIONS, [except, limit])).map((row) => row.organization_id);
}

/** When the organization's next subscription or payment is due, in milliseconds on its clock. */
export async function findNextDueMs(database: Queries, organizationId: string): Promise<number | undefined> {
  return (await database.query(FIND_NEXT_DUE, [organizationId]))[0]?.due_at?.getTime();
}

const LIST_DUE_SUBSCRIPTIONS: Statement<SubscriptionRow> = {
  name: 'list_due_subscriptions',
  text: `${SELECT_SUBSCRIPTIONS} where s.organization_id = $1 and s.next_action_at <= $2 order by s.next_action_at, s.id limit $3`,
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

const FIND_NEXT_DUE: Statement<{ due_at: Date | null }> = {
  name: 'find_next_due_in_billing',
  text: `select least(
      (select min(next_action_at) from subscriptions where organization_id = $1 and next_action_at is not null),
      (select min(next_check_at) from payments where organization_id = $1 and settled_at is null)) as due_at`,
};
