import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from './delivering.ts';

/** An event that somebody may wait for. */
export interface UnsentEventRow {
  organization_id: string;
  event_id: string;
  announced_at: Date;
  /** Null when the event is kept no more. */
  type: string | null;
  created: Date | null;
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

/** Organizations for which events wait, up to `limit`, from the one after `after` on, in the order of their ids. */
export async function listWaitingOrganizations(database: Queries, after: string, limit: number): Promise<string[]> {
  return (await database.query(LIST_WAITING_ORGANIZATIONS, [after, limit])).map((each) => each.organization_id);
}

/** Locks up to `limit` events of each of these organizations, the oldest first. Those that another process has are missing. */
export async function lockUnsentEvents(
  tx: Queries,
  organizationIds: readonly string[],
  limit: number,
): Promise<UnsentEventRow[]> {
  return tx.query(LOCK_UNSENT_EVENTS, [organizationIds, limit]);
}

/** Ends the wait of events of which every delivery has been made; their locks are held. */
export async function deleteUnsentEvents(tx: Queries, events: readonly UnsentEventRow[]): Promise<void> {
  await tx.query(DELETE_UNSENT_EVENTS, [
    events.map((each) => each.organization_id),
    events.map((each) => each.event_id),
  ]);
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

/** From one organization to the next along the index, however many events each has. */
const LIST_WAITING_ORGANIZATIONS: Statement<{ organization_id: string }> = {
  name: 'list_waiting_organizations',
  text: `with recursive waiting as (
      (select organization_id, 1 as place from unsent_events where organization_id > $1
        order by organization_id limit 1)
      union all
      select (select u.organization_id from unsent_events u where u.organization_id > w.organization_id
        order by u.organization_id limit 1), w.place + 1
      from waiting w where w.organization_id is not null and w.place < $2
    )
    select organization_id from waiting where organization_id is not null`,
};

const LOCK_UNSENT_EVENTS: Statement<UnsentEventRow> = {
  name: 'lock_unsent_events',
  text: `select u.organization_id, u.event_id, u.announced_at, e.type, e.created
    from unnest($1::text[]) as o (organization_id)
    cross join lateral (
      select organization_id, event_id, announced_at from unsent_events
      where organization_id = o.organization_id order by event_id limit $2 for update skip locked
    ) u
    left join events e on e.organization_id = u.organization_id and e.id = u.event_id`,
};

/** By arrays of keys, since a join would read the whole table once much waits. An event's id is its own in all organizations. */
const DELETE_UNSENT_EVENTS: Statement<never> = {
  name: 'delete_unsent_events',
  text: 'delete from unsent_events where organization_id = any($1::text[]) and event_id = any($2::text[])',
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
    )
    insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
    select organization_id, endpoint_id, next_attempt_id, id, 'scheduled', 1, next_attempt_at from written
    where next_attempt_id is not null`,
};
