import { many, recordset, statement } from '../../database/index.ts';
import { countDeliveries, numberDeliveries } from '../endpoint-state/sequence-queries.ts';
import type { UnsentEventRow } from './take-queries.ts';

/**
 * Locks these events, if they are still waiting and not locked by another process. `type` and `created` are null if the
 * event is no longer kept.
 */
export const lockUnsentEvents = statement({
  name: 'lock_unsent_events',
  parameters: { organizationIds: 'text[]', eventIds: 'text[]' },
  returns: many<Omit<UnsentEventRow, 'object' | 'is_planned'>>(),
  sql: ({ organizationIds, eventIds }) => `select u.organization_id, u.event_id, u.announced_at, e.type, e.created
    from unsent_events u
    left join lateral (
      select type, created from events where organization_id = u.organization_id and id = u.event_id limit 1
    ) e on true
    where u.organization_id = any(${organizationIds}) and u.event_id = any(${eventIds})
    order by u.organization_id, u.event_id for update of u skip locked`,
});

/**
 * Deletes events whose deliveries have all been written; their locks are held. By arrays of keys, because a join would
 * read the whole table if many are waiting. An event's ID is unique across organizations.
 */
export const deleteUnsentEvents = statement({
  name: 'delete_unsent_events',
  parameters: { organizationIds: 'text[]', eventIds: 'text[]' },
  sql: ({ organizationIds, eventIds }) =>
    `delete from unsent_events where organization_id = any(${organizationIds}) and event_id = any(${eventIds})`,
});

/** Records that some deliveries of these events are planned; their locks are held. */
export const updateUnsentEventsPlanned = statement({
  name: 'mark_unsent_events',
  parameters: { organizationIds: 'text[]', eventIds: 'text[]' },
  sql: ({ organizationIds, eventIds }) => `update unsent_events set is_planned = true
    where organization_id = any(${organizationIds}) and event_id = any(${eventIds}) and not is_planned`,
});

/**
 * Writes deliveries with their numbers, held unless `is_planned`, but never a second one of an event for an endpoint;
 * and plans the first attempt at each, due since the event. The events' locks are held, so all existing deliveries are
 * visible, and skipped before they are counted: skipping them on conflict would leave gaps. `offset 0` keeps the
 * planner from reading the whole table.
 */
export const insertDeliveries = statement({
  name: 'insert_deliveries',
  parameters: {
    deliveries: recordset({
      organization_id: 'text',
      endpoint_id: 'text',
      id: 'text',
      event_id: 'text',
      event_type: 'text',
      created_at: 'timestamptz',
      announced_at: 'timestamptz',
      attempt_id: 'text',
      is_planned: 'boolean',
    }),
  },
  sql: ({ deliveries }) => `with given as (
      select * from ${deliveries}
    ), missing as materialized (
      select * from given g where not exists (
        select from webhook_deliveries
        where organization_id = g.organization_id and endpoint_id = g.endpoint_id and event_id = g.event_id offset 0
      )
    ), counted as (
      ${countDeliveries('missing')}
    ), numbered as (
      ${numberDeliveries('missing')}
    ), written as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
        next_attempt_at, created_at, sequence)
      select organization_id, endpoint_id, id, event_id, event_type, case when is_planned then 'pending' else 'held' end,
        case when is_planned then attempt_id end, case when is_planned then announced_at end, created_at, sequence from numbered
      returning organization_id, endpoint_id, id, next_attempt_id, next_attempt_at
    )
    insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
    select organization_id, endpoint_id, next_attempt_id, id, 'scheduled', 1, next_attempt_at from written
    where next_attempt_id is not null`,
});
