import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from './delivering.ts';

/** An event that somebody may wait for. */
export interface UnsentEventRow {
  organization_id: string;
  event_id: string;
  type: string;
  created: Date;
  announced_at: Date;
}

/** What an endpoint wants to be told. */
export interface SubscriberRow extends EndpointKey {
  events: string[];
  created_at: Date;
}

/** A delivery about to be written; `isPlanned` is false where it is to be held. */
export interface NewDelivery extends EndpointKey {
  id: string;
  eventId: string;
  eventType: string;
  createdAt: Date;
  announcedAt: Date;
  attemptId: string;
  isPlanned: boolean;
}

/** Takes up to `limit` events, those announced first: they are gone when the transaction commits, and there again if not. */
export async function takeUnsentEvents(tx: Queries, limit: number): Promise<UnsentEventRow[]> {
  return tx.query(TAKE_UNSENT_EVENTS, [limit]);
}

/** The endpoints of these organizations that are not deleted. */
export async function listSubscribers(tx: Queries, organizationIds: readonly string[]): Promise<SubscriberRow[]> {
  return tx.query(LIST_SUBSCRIBERS, [organizationIds]);
}

/** Writes deliveries, but never a second of one event for one endpoint, and plans the first attempt at each, due since the event. */
export async function insertDeliveries(tx: Queries, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query(INSERT_DELIVERIES, [
    deliveries.map((each) => each.organization_id),
    deliveries.map((each) => each.endpoint_id),
    deliveries.map((each) => each.id),
    deliveries.map((each) => each.eventId),
    deliveries.map((each) => each.eventType),
    deliveries.map((each) => each.createdAt.toISOString()),
    deliveries.map((each) => each.announcedAt.toISOString()),
    deliveries.map((each) => each.attemptId),
    deliveries.map((each) => each.isPlanned),
  ]);
}

/** By arrays of keys, since a join would read the whole table once much waits. An event's id is its own in all organizations. */
const TAKE_UNSENT_EVENTS: Statement<UnsentEventRow> = {
  name: 'take_unsent_events',
  text: `with waiting as materialized (
      select organization_id, event_id from unsent_events order by announced_at limit $1 for update skip locked
    ), taken as (
      delete from unsent_events u
      where u.organization_id = any(array(select organization_id from waiting))
        and u.event_id = any(array(select event_id from waiting))
      returning u.organization_id, u.event_id, u.announced_at
    )
    select t.organization_id, t.event_id, t.announced_at, e.type, e.created
    from taken t join events e on e.organization_id = t.organization_id and e.id = t.event_id`,
};

const LIST_SUBSCRIBERS: Statement<SubscriberRow> = {
  name: 'list_subscribers',
  text: `select organization_id, id as endpoint_id, events, created_at from webhook_endpoints
    where organization_id = any($1::text[]) and deleted_at is null`,
};

const INSERT_DELIVERIES: Statement<never> = {
  name: 'insert_deliveries',
  text: `with given as (
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[],
        $8::text[], $9::boolean[]) as g (organization_id, endpoint_id, id, event_id, event_type, created_at, announced_at,
        attempt_id, is_planned)
    ), written as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, next_attempt_id,
        next_attempt_at, created_at)
      select organization_id, endpoint_id, id, event_id, event_type, case when is_planned then 'pending' else 'held' end,
        case when is_planned then attempt_id end, case when is_planned then announced_at end, created_at from given
      on conflict (organization_id, endpoint_id, event_id) do nothing
      returning organization_id, endpoint_id, id, next_attempt_id, next_attempt_at
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select organization_id, endpoint_id, next_attempt_id, id, 'scheduled', 1, next_attempt_at from written
      where next_attempt_id is not null
      returning organization_id, endpoint_id, due_at
    )
    update webhook_endpoint_states s set turn_at = least(s.turn_at, p.due_at)
    from (select organization_id, endpoint_id, min(due_at) as due_at from planned group by 1, 2) p
    where s.organization_id = p.organization_id and s.endpoint_id = p.endpoint_id`,
};
