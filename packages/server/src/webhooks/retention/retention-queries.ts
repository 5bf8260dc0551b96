import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** An endpoint, and whether anything of its history has had its time. */
export interface EndpointAgeRow extends EndpointKey {
  /** What is of before has had its time. */
  over_until: Date;
  is_over: boolean;
}

/** An organization, and until when its events have had their time; null when it has none that had. */
export interface OrganizationAgeRow {
  organization_id: string;
  over_until: Date | null;
}

/** Where a walk through an organization's events is. */
export interface EventPosition {
  created: Date;
  id: string;
}

/** The next `limit` endpoints in the order of their keys. What is older than `days` days by the organization's own clock is over. */
export async function listEndpointAges(
  database: Queries,
  after: EndpointKey | undefined,
  days: number,
  limit: number,
): Promise<EndpointAgeRow[]> {
  const { organization_id: organization = '', endpoint_id: endpoint = '' } = after ?? {};
  return database.query(LIST_ENDPOINT_AGES, [organization, endpoint, days, limit]);
}

/**
 * Deletes up to `limit` of an endpoint's deliveries of before this time, those of each status oldest first, with their
 * attempts, and no more of them than it takes to come to `mostAttempts`; its lock is held. What is pending stays, and so does
 * what an attempt is planned for or under way. Answers whether there may be more.
 */
export async function deleteOldDeliveries(
  tx: Queries,
  key: EndpointKey,
  before: Date,
  limit: number,
  mostAttempts: number,
): Promise<boolean> {
  const values = [key.organization_id, key.endpoint_id, before, limit, mostAttempts];
  return (await tx.query(DELETE_OLD_DELIVERIES, values))[0]?.has_more ?? false;
}

/** Deletes up to `limit` of an endpoint's replays of before this time that run no more. Answers how many. */
export async function deleteOldReplays(tx: Queries, key: EndpointKey, before: Date, limit: number): Promise<number> {
  return (await tx.query(DELETE_OLD_REPLAYS, [key.organization_id, key.endpoint_id, before, limit])).length;
}

/** The next `limit` organizations in the order of their keys. */
export async function listOrganizationAges(
  database: Queries,
  after: string,
  days: number,
  limit: number,
): Promise<OrganizationAgeRow[]> {
  return database.query(LIST_ORGANIZATION_AGES, [after, days, limit]);
}

/**
 * Looks at the next `limit` events of an organization of before this time and deletes those that nobody needs any more: all
 * but those that wait to be fanned out or have a delivery. Answers the last that it looked at; undefined when there are no more.
 */
export async function deleteOldEvents(
  database: Queries,
  organizationId: string,
  after: EventPosition | undefined,
  before: Date,
  limit: number,
): Promise<EventPosition | undefined> {
  const values = [organizationId, after?.created ?? '-infinity', after?.id ?? '', before, limit];
  return (await database.query(DELETE_OLD_EVENTS, values))[0];
}

/** Looks at the oldest of each status and no further. */
const LIST_ENDPOINT_AGES: Statement<EndpointAgeRow> = {
  name: 'list_endpoint_ages',
  text: `select s.organization_id, s.endpoint_id, s.over_until, exists (
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
      select e.organization_id, e.endpoint_id, clock_timestamp() - $3 * interval '1 day' as over_until
      from webhook_endpoint_states e
      where (e.organization_id, e.endpoint_id) > ($1, $2)
      order by e.organization_id, e.endpoint_id limit $4
    ) s`,
};

/**
 * A delivery that is not pending can still have attempts by hand that wait, and whatever is under way: few of either, each
 * found along an index that holds nothing else. The delivery with which the attempts come to their bound is the last, so that
 * there is always one.
 */
const DELETE_OLD_DELIVERIES: Statement<{ has_more: boolean }> = {
  name: 'delete_old_deliveries',
  text: `with awaited as materialized (
      select delivery_id from webhook_planned_attempts
      where organization_id = $1 and endpoint_id = $2 and priority = 0 and claim_id is null
      union all
      select delivery_id from webhook_planned_attempts
      where claim_id is not null and leased_until > '-infinity' and organization_id = $1 and endpoint_id = $2
    ), found as materialized (
      select d.* from unnest(array['succeeded', 'failed', 'held']) as u (status) cross join lateral (
        select id, attempts, created_at from webhook_deliveries
        where organization_id = $1 and endpoint_id = $2 and status = u.status and created_at < $3
          and id <> all(array(select delivery_id from awaited))
        order by created_at, id limit $4
      ) d limit $4
    ), old as materialized (
      select id from (
        select id, sum(attempts) over (order by created_at, id) - attempts as attempts_before from found
      ) f where attempts_before < $5
    ), gone as (
      delete from webhook_deliveries where organization_id = $1 and id = any(array(select id from old))
    ), attempted as (
      delete from webhook_attempts where organization_id = $1 and delivery_id = any(array(select id from old))
    )
    select count(*) >= $4 or count(*) > (select count(*) from old) as has_more from found`,
};

const DELETE_OLD_REPLAYS: Statement<{ id: string }> = {
  name: 'delete_old_replays',
  text: `delete from webhook_replays where organization_id = $1 and endpoint_id = $2 and id = any(array(
      select id from webhook_replays
      where organization_id = $1 and endpoint_id = $2 and created_at < $3 and status <> 'running'
      order by created_at, id limit $4
    )) returning id`,
};

const LIST_ORGANIZATION_AGES: Statement<OrganizationAgeRow> = {
  name: 'list_organization_ages',
  text: `select o.organization_id, case when exists (
        select from events where organization_id = o.organization_id and created < o.over_until
      ) then o.over_until end as over_until
    from (
      select id as organization_id, clock_timestamp() - $2 * interval '1 day' as over_until
      from organizations where id > $1 order by id limit $3
    ) o`,
};

/** In one statement, whose one snapshot has each event either waiting to be fanned out or with its deliveries. */
const DELETE_OLD_EVENTS: Statement<EventPosition> = {
  name: 'delete_old_events',
  text: `with old as materialized (
      select id, created from events
      where organization_id = $1 and (created, id) > ($2, $3) and created < $4
      order by created, id limit $5
    ), needed as materialized (
      select event_id from unsent_events where organization_id = $1 and event_id = any(array(select id from old))
      union all
      select e.id from unnest(array(select id from old)) as e (id) where exists (
        select from webhook_endpoint_states s cross join lateral (
          select from webhook_deliveries d
          where d.organization_id = $1 and d.endpoint_id = s.endpoint_id and d.event_id = e.id offset 0
        ) found where s.organization_id = $1 offset 0)
    ), gone as (
      delete from events where organization_id = $1 and id = any(array(
        select id from old where id <> all(array(select event_id from needed))
      ))
    )
    select created, id from old order by created desc, id desc limit 1`,
};
