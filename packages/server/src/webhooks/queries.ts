import { type CompiledQuery, sql } from 'kysely';
import { build, type Statement } from '../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../http/index.ts';

export interface EventRow {
  id: string;
  type: string;
  created: Date;
  object: Record<string, unknown>;
}

/** The events of one organization. */
export function listEvents(organizationId: string, page: PageRequest): CompiledQuery<EventRow> {
  const { filters } = page;
  let query = build
    .selectFrom('events')
    .where('organization_id', '=', organizationId)
    .where(afterCursor(page, 'created'));
  if (filters.type !== undefined) {
    query = query.where('type', '=', filters.type);
  }
  if (filters.created_after !== undefined) {
    query = query.where('created', '>', sql<Date>`${filters.created_after}::timestamptz`);
  }
  if (filters.created_before !== undefined) {
    query = query.where('created', '<', sql<Date>`${filters.created_before}::timestamptz`);
  }
  return query
    .select(['id', 'type', 'created', sql<Record<string, unknown>>`object`.as('object')])
    .orderBy(inOrder(page, 'created'))
    .limit(page.limit + 1)
    .compile();
}

/** $1 organization, $2 event. */
export const FIND_EVENT: Statement<EventRow> = {
  name: 'find_event',
  text: 'select id, type, created, object from events where organization_id = $1 and id = $2',
};
