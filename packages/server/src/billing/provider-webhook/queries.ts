import { count, exists, statement } from '../../database/index.ts';

/** Whether an event of a provider was already handled. */
export const hasHandledEvent = statement({
  name: 'has_handled_provider_event',
  parameters: { provider: 'text', eventId: 'text' },
  returns: exists(),
  sql: ({ provider, eventId }) =>
    `select event_id from provider_events where provider = ${provider} and event_id = ${eventId}`,
});

/** Marks an event as handled; doing so twice is harmless. */
export const insertProviderEvent = statement({
  name: 'insert_provider_event',
  parameters: { provider: 'text', eventId: 'text' },
  sql: ({ provider, eventId }) => `insert into provider_events (provider, event_id, received_at)
    values (${provider}, ${eventId}, clock_timestamp())
    on conflict do nothing`,
});

/**
 * Deletes events older than 30 days, at most `limit`. In real time, because the events are Stripe's. By ctid, because
 * locked rows cannot change, and because a two-column key would be joined with the whole table.
 */
export const deleteOldProviderEvents = statement({
  name: 'delete_old_provider_events',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `delete from provider_events where ctid = any(array(
      select ctid from provider_events
      where received_at < (select clock_timestamp() - interval '30 days') order by received_at limit ${limit}
      for update skip locked
    ))`,
});
