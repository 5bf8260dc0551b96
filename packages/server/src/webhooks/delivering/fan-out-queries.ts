import { many, recordset, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';

/** An event that endpoints may wait for. */
export interface UnsentEventRow {
  organization_id: string;
  event_id: string;
  announced_at: Date;
  /** Null when the event is no longer kept. */
  type: string | null;
  created: Date | null;
}

/** What an endpoint subscribes to. */
export interface SubscriberRow extends EndpointKey {
  events: string[];
  created_at: Date;
}

/**
 * Organizations for which events wait, up to `limit`, in the order of their ids, from the one after `after`. Goes from one to
 * the next along the index, however many events each has.
 */
export const listWaitingOrganizations = statement({
  name: 'list_waiting_organizations',
  parameters: { after: 'text', limit: 'integer' },
  returns: many<{ organization_id: string }>(),
  sql: ({ after, limit }) => `with recursive waiting as (
      (select organization_id, 1 as place from unsent_events where organization_id > ${after}
        order by organization_id limit 1)
      union all
      select (select u.organization_id from unsent_events u where u.organization_id > w.organization_id
        order by u.organization_id limit 1), w.place + 1
      from waiting w where w.organization_id is not null and w.place < ${limit}
    )
    select organization_id from waiting where organization_id is not null`,
});

/** Locks up to `limit` events of each organization, the oldest first. Skips those that another process has locked. */
export const lockUnsentEvents = statement({
  name: 'lock_unsent_events',
  parameters: { organizationIds: 'text[]', limit: 'integer' },
  returns: many<UnsentEventRow>(),
  sql: ({ organizationIds, limit }) => `select u.organization_id, u.event_id, u.announced_at, e.type, e.created
    from unnest(${organizationIds}) as o (organization_id)
    cross join lateral (
      select organization_id, event_id, announced_at from unsent_events
      where organization_id = o.organization_id order by event_id limit ${limit} for update skip locked
    ) u
    left join events e on e.organization_id = u.organization_id and e.id = u.event_id`,
});

/**
 * Deletes events whose deliveries have all been written; their locks are held. By arrays of keys, since a join would read the
 * whole table once much waits. An event's id is unique across organizations.
 */
export const deleteUnsentEvents = statement({
  name: 'delete_unsent_events',
  parameters: { organizationIds: 'text[]', eventIds: 'text[]' },
  sql: ({ organizationIds, eventIds }) =>
    `delete from unsent_events where organization_id = any(${organizationIds}) and event_id = any(${eventIds})`,
});

/** The endpoints of these organizations that are not deleted. */
export const listSubscribers = statement({
  name: 'list_subscribers',
  parameters: { organizationIds: 'text[]' },
  returns: many<SubscriberRow>(),
  sql: ({ organizationIds }) => `select organization_id, id as endpoint_id, events, created_at from webhook_endpoints
    where organization_id = any(${organizationIds}) and deleted_at is null`,
});

/**
 * Writes deliveries, held unless `is_planned`, but never a second one of an event for an endpoint; and plans the first attempt at
 * each, due since the event.
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
    ), written as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
        next_attempt_at, created_at)
      select organization_id, endpoint_id, id, event_id, event_type, case when is_planned then 'pending' else 'held' end,
        case when is_planned then attempt_id end, case when is_planned then announced_at end, created_at from given
      on conflict (organization_id, endpoint_id, event_id) do nothing
      returning organization_id, endpoint_id, id, next_attempt_id, next_attempt_at
    )
    insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
    select organization_id, endpoint_id, next_attempt_id, id, 'scheduled', 1, next_attempt_at from written
    where next_attempt_id is not null`,
});
