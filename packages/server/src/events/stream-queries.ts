import { many, one, statement } from '../database/index.ts';
import type { EventRow } from './history-queries.ts';

/** An event whose transaction had not ended for certain when the reader looked last. */
export interface UnfinishedEventRow extends EventRow {
  organization_id: string;
  written_by: string;
}

/**
 * The oldest transaction that has not ended, and the next one that will begin: all that were written by older ones than
 * the first are visible from now on.
 */
export const findUnfinishedTransactions = statement({
  name: 'find_unfinished_transactions',
  returns: one<{ oldest: string; next: string }>(),
  sql: () => `
    select pg_snapshot_xmin(now.snapshot)::text as oldest, pg_snapshot_xmax(now.snapshot)::text as next
    from (select pg_current_snapshot() as snapshot) now`,
});

/**
 * The events of many organizations from an id on, written by this transaction or a later one, without those that the reader
 * knows. At most `limit`, in the order of their ids.
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
 * What a reader may have missed that read an organization's events as they became visible, and had `lastId` last: all later
 * ids, and of the earlier ones since `sinceId` those whose transaction had not ended when that event was written. At most
 * `limit`, after `afterId`, in the order of their ids.
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
