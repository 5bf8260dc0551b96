import { anyRow, defineDueCheck, many, one, statement, wallTime } from '../../database/index.ts';
import { SELECT_SUBSCRIPTIONS, subscriptionOf } from '../ledger/subscription-queries.ts';

/** The organization's subscriptions that are due by `now` on its clock, the earliest first. */
export const listDueSubscriptions = statement({
  name: 'list_due_subscriptions',
  parameters: { organizationId: 'text', now: 'instant', limit: 'integer' },
  returns: many(subscriptionOf),
  sql: ({ organizationId, now, limit }) => `${SELECT_SUBSCRIPTIONS}
    where s.organization_id = ${organizationId} and s.next_action_at <= ${now} order by s.next_action_at, s.id limit ${limit}`,
});

/** The ids of the organization's subscriptions that are due on its clock, the earliest first. */
export const listDueSubscriptionIds = statement({
  name: 'list_due_subscription_ids',
  parameters: { organizationId: 'text', limit: 'integer' },
  returns: many(({ id }: { id: string }) => id),
  sql: ({ organizationId, limit }) => `select s.id from subscriptions s
    where s.organization_id = ${organizationId} and s.next_action_at <= (
      select ${wallTime('o.clock_offset_ms')} from organizations o where o.id = ${organizationId})
    order by s.next_action_at, s.id limit ${limit}`,
});

/** Postpones the next due action of a subscription, on the organization's clock. */
export const updateDeferredSubscription = statement({
  name: 'update_deferred_subscription',
  parameters: { organizationId: 'text', id: 'text', milliseconds: 'bigint' },
  sql: ({ organizationId, id, milliseconds }) => `update subscriptions s
    set next_action_at = ${wallTime(`(o.clock_offset_ms + ${milliseconds})`)}
    from organizations o
    where s.organization_id = ${organizationId} and s.id = ${id} and o.id = ${organizationId}
      and s.next_action_at is not null`,
});

/** Organizations, except these, with a due subscription, the most overdue first. May contain duplicates. */
export const listDueOrganizations = statement({
  name: 'list_organizations_with_due_subscriptions',
  parameters: { except: 'text[]', limit: 'integer' },
  returns: many((row: { organization_id: string }) => row.organization_id),
  sql: ({ except, limit }) =>
    dueOrganizations((organizationId) => `and ${organizationId} <> all(${except})`, `limit ${limit}`),
});

export const subscriptionsAreDue = defineDueCheck({
  name: 'subscriptions_are_due',
  sql: () => anyRow(dueOrganizations(() => '', 'limit 1')),
});

function dueOrganizations(filter: (organizationId: string) => string, limit: string): string {
  return `(select s.organization_id from subscriptions s
      where s.next_action_at <= (select clock_timestamp()) ${filter('s.organization_id')}
      order by s.next_action_at ${limit})
    union all
    (select o.id from organizations o where o.clock_offset_ms > 0 ${filter('o.id')} and exists (
      select from subscriptions s
      where s.organization_id = o.id and s.next_action_at <= ${wallTime('o.clock_offset_ms')}) ${limit})`;
}

/** When the organization's next subscription or payment is due on its clock. */
export const findNextDue = statement({
  name: 'find_next_due_in_billing',
  parameters: { organizationId: 'text' },
  returns: one<{ due_at: Date | null }>(),
  sql: ({ organizationId }) => `select least(
      (select min(next_action_at) from subscriptions
        where organization_id = ${organizationId} and next_action_at is not null),
      (select min(next_check_at) from payments where organization_id = ${organizationId} and settled_at is null)) as due_at`,
});
