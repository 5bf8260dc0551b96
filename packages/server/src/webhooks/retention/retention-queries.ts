import { count, many, maybeOne, one, statement } from '../../database/index.ts';
import type { EndpointKey } from '../endpoint-state/endpoint-key.ts';

/** An endpoint, and whether any of its history is past the retention. */
export interface EndpointAgeRow extends EndpointKey {
  /** What is older is past the retention. */
  over_until: Date;
  is_over: boolean;
}

/** An organization, and until when its events are past the retention; null if none are. */
export interface OrganizationAgeRow {
  organization_id: string;
  over_until: Date | null;
}

/** The position in an organization's events. */
export interface EventPosition {
  created: Date;
  id: string;
}

/** The next `limit` endpoints in key order. Only reads the oldest delivery of each status. */
export const listEndpointAges = statement({
  name: 'list_endpoint_ages',
  parameters: { afterOrganizationId: 'text', afterEndpointId: 'text', days: 'float8', limit: 'integer' },
  returns: many<EndpointAgeRow>(),
  sql: ({ afterOrganizationId, afterEndpointId, days, limit }) =>
    `select s.organization_id, s.endpoint_id, s.over_until, exists (
        select from unnest(array['succeeded', 'failed', 'held']) as u (status) cross join lateral (
          select created_at from webhook_deliveries
          where organization_id = s.organization_id and endpoint_id = s.endpoint_id and status = u.status
          order by created_at, id limit 1
        ) d where d.created_at < s.over_until
      ) or exists (
        select from webhook_replays where organization_id = s.organization_id and endpoint_id = s.endpoint_id
          and created_at < s.over_until and status <> 'running'
      ) as is_over
    from (
      select e.organization_id, e.endpoint_id, clock_timestamp() - ${days} * interval '1 day' as over_until
      from webhook_endpoint_states e
      where (e.organization_id, e.endpoint_id) > (${afterOrganizationId}, ${afterEndpointId})
      order by e.organization_id, e.endpoint_id limit ${limit}
    ) s`,
});

/**
 * Deletes up to `limit` of an endpoint's deliveries from before this time, the oldest of each status first, with their
 * attempts: no more deliveries than it takes to reach `maxAttempts`. Its lock is held. Pending deliveries stay, and so
 * do those with an attempt planned or in flight. Returns whether there may be more, and how many of them had a number.
 *
 * A delivery that is not pending can still have waiting manual attempts, or attempts in flight: few of either, each
 * found by a dedicated index. The delivery with which the attempts reach their bound is the last, so there is always
 * one.
 */
export const deleteOldDeliveries = statement({
  name: 'delete_old_deliveries',
  parameters: {
    organizationId: 'text',
    endpointId: 'text',
    before: 'timestamptz',
    limit: 'integer',
    maxAttempts: 'integer',
  },
  returns: one<{ has_more: boolean; numbered: number }>(),
  sql: ({ organizationId, endpointId, before, limit, maxAttempts }) => `with awaited as materialized (
      select delivery_id from webhook_planned_attempts
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and priority = 0 and claim_id is null
      union all
      select delivery_id from webhook_planned_attempts
      where claim_id is not null and leased_until > '-infinity' and organization_id = ${organizationId}
        and endpoint_id = ${endpointId}
    ), found as materialized (
      select d.* from unnest(array['succeeded', 'failed', 'held']) as u (status) cross join lateral (
        select id, attempts, created_at from webhook_deliveries
        where organization_id = ${organizationId} and endpoint_id = ${endpointId} and status = u.status
          and created_at < ${before} and id <> all(array(select delivery_id from awaited))
        order by created_at, id limit ${limit}
      ) d limit ${limit}
    ), old as materialized (
      select id from (
        select id, sum(attempts) over (order by created_at, id) - attempts as attempts_before from found
      ) f where attempts_before < ${maxAttempts}
    ), gone as (
      delete from webhook_deliveries where organization_id = ${organizationId} and id = any(array(select id from old))
      returning sequence
    ), attempted as (
      delete from webhook_attempts
      where organization_id = ${organizationId} and delivery_id = any(array(select id from old))
    )
    select count(*) >= ${limit} or count(*) > (select count(*) from old) as has_more,
      (select count(sequence)::integer from gone) as numbered from found`,
});

/**
 * Records how many numbered deliveries of an endpoint were deleted, as the last statement of the transaction that
 * deletes them: a process that needs the endpoint's next number waits for this row.
 */
export const updateDeletedCount = statement({
  name: 'count_deleted_deliveries',
  parameters: { organizationId: 'text', endpointId: 'text', numbered: 'integer' },
  sql: ({ organizationId, endpointId, numbered }) => `update webhook_sequences set deleted = deleted + ${numbered}
    where organization_id = ${organizationId} and endpoint_id = ${endpointId}`,
});

/** Deletes up to `limit` of an endpoint's finished replays from before this time. Counts them. */
export const deleteOldReplays = statement({
  name: 'delete_old_replays',
  parameters: { organizationId: 'text', endpointId: 'text', before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ organizationId, endpointId, before, limit }) => `delete from webhook_replays
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and id = any(array(
      select id from webhook_replays
      where organization_id = ${organizationId} and endpoint_id = ${endpointId} and created_at < ${before}
        and status <> 'running'
      order by created_at, id limit ${limit}
    ))`,
});

/** Until when the events of these organizations are past the retention; null where none is. */
export const listOrganizationAges = statement({
  name: 'list_organization_ages',
  parameters: { organizationIds: 'text[]', days: 'float8' },
  returns: many<OrganizationAgeRow>(),
  sql: ({ organizationIds, days }) => `select o.organization_id, case when exists (
        select from events where organization_id = o.organization_id and created < o.over_until
      ) then o.over_until end as over_until
    from (
      select id as organization_id, clock_timestamp() - ${days} * interval '1 day' as over_until
      from unnest(${organizationIds}) as given (id)
    ) o`,
});

/**
 * Checks the next `limit` events of an organization from before this time and deletes unneeded ones: all except those
 * that are waiting to be sent, are being sent, or have a delivery. Returns the last one checked; undefined if there are
 * no more. A single statement, in whose snapshot each event is either waiting to be fanned out or has its deliveries.
 */
export const deleteOldEvents = statement({
  name: 'delete_old_events',
  parameters: {
    organizationId: 'text',
    afterCreated: 'timestamptz',
    afterId: 'text',
    before: 'timestamptz',
    limit: 'integer',
  },
  returns: maybeOne<EventPosition>(),
  sql: ({ organizationId, afterCreated, afterId, before, limit }) => `with old as materialized (
      select id, created from events
      where organization_id = ${organizationId} and (created, id) > (${afterCreated}, ${afterId}) and created < ${before}
      order by created, id limit ${limit}
    ), needed as materialized (
      select event_id from unsent_events
      where organization_id = ${organizationId} and event_id = any(array(select id from old))
      union all
      select event_id from webhook_queue
      where organization_id = ${organizationId} and event_id = any(array(select id from old))
      union all
      select e.id from unnest(array(select id from old)) as e (id) where exists (
        select from webhook_endpoint_states s cross join lateral (
          select from webhook_deliveries d
          where d.organization_id = ${organizationId} and d.endpoint_id = s.endpoint_id and d.event_id = e.id offset 0
        ) found where s.organization_id = ${organizationId} offset 0)
    ), gone as (
      delete from events where organization_id = ${organizationId} and id = any(array(
        select id from old where id <> all(array(select event_id from needed))
      ))
    )
    select created, id from old order by created desc, id desc limit 1`,
});
