import { many, one, statement } from '../database/index.ts';
import type { EventRow } from './history-queries.ts';

/** An event whose transaction may not have ended at the reader's last query. */
export interface UnfinishedEventRow extends EventRow {
  organization_id: string;
  written_by: string;
}

/**
 * The oldest transaction that has not ended, and the next one that will begin: all events written by transactions older
 * than the first are visible from now on.
 */
export const findUnfinishedTransactions = statement({
  name: 'find_unfinished_transactions',
  returns: one<{ oldest: string; next: string }>(),
  sql: () => `
    select pg_snapshot_xmin(now.snapshot)::text as oldest, pg_snapshot_xmax(now.snapshot)::text as next
    from (select pg_current_snapshot() as snapshot) now`,
});

/**
 * The events of many organizations from an ID on, written by this transaction or a later one, without those that the
 * reader knows. At most `limit`, ordered by ID.
 */
export const listUnfinishedEvents = statement({
  name: 'list_unfinished_events',
  parameters: {
    organizationIds: 'text[]',
    sinceId: 'text',
    writtenSince: 'text',
    knownIds: 'text[]',
    limit: 'integer',
  },
  returns: many<UnfinishedEventRow>(),
  sql: ({ organizationIds, sinceId, writtenSince, knownIds, limit }) => `
    select organization_id, id, type, created, object, written_by::text from events
    where organization_id = any(${organizationIds}) and id >= ${sinceId}
      and written_by >= ${writtenSince}::xid8 and id <> all(${knownIds})
    order by id limit ${limit}`,
});

/**
 * The events that a reader of an organization's events may have missed after `lastId`: all later IDs, and those since
 * `sinceId` whose transaction had not ended when that event was written. At most `limit`, after `afterId`, ordered by
 * ID.
 */
export const listMissedEvents = statement({
  name: 'list_missed_events',
  parameters: { organizationId: 'text', lastId: 'text', sinceId: 'text', afterId: 'text', limit: 'integer' },
  returns: many<EventRow>(),
  sql: ({ organizationId, lastId, sinceId, afterId, limit }) => `
    select id, type, created, object from events
    where organization_id = ${organizationId} and id > greatest(${sinceId}, ${afterId}) and (id > ${lastId} or (id < ${lastId}
      and written_by >= (select oldest_unfinished from events
        where organization_id = ${organizationId} and id = ${lastId})))
    order by id limit ${limit}`,
});
