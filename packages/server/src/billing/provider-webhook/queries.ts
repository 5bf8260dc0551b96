import type { Queries, Statement } from '../../database/index.ts';

/** Whether an event of a provider was handled already. */
export async function isEventHandled(database: Queries, provider: string, eventId: string): Promise<boolean> {
  return (await database.query(FIND_PROVIDER_EVENT, [provider, eventId])).length > 0;
}

/** Notes an event as handled; again is as good as once. */
export async function insertProviderEvent(database: Queries, provider: string, eventId: string): Promise<void> {
  await database.query(INSERT_PROVIDER_EVENT, [provider, eventId]);
}

/** Deletes what was noted more than 30 days ago, `limit` at most; answers how many went. Real time: it is Stripe's. */
export async function deleteOldProviderEvents(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_OLD_PROVIDER_EVENTS, [limit])).length;
}

const FIND_PROVIDER_EVENT: Statement<{ event_id: string }> = {
  name: 'find_provider_event',
  text: 'select event_id from provider_events where provider = $1 and event_id = $2',
};

const INSERT_PROVIDER_EVENT: Statement<never> = {
  name: 'insert_provider_event',
  text: `insert into provider_events (provider, event_id, received_at) values ($1, $2, clock_timestamp())
    on conflict do nothing`,
};

/** By where the rows are, which no one changes while they are locked: a key of two columns would be joined with the whole table. */
const DELETE_OLD_PROVIDER_EVENTS: Statement<{ event_id: string }> = {
  name: 'delete_old_provider_events',
  text: `delete from provider_events where ctid = any(array(
      select ctid from provider_events
      where received_at < (select clock_timestamp() - interval '30 days') order by received_at limit $1
      for update skip locked
    )) returning event_id`,
};
