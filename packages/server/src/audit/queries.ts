import { sql } from 'kysely';
import { build, type Queries, type Statement } from '../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../http/index.ts';

/** An entry of the audit log as it is kept. */
export interface AuditEntryRow {
  id: string;
  action: string;
  actor_user_id: string | null;
  credential_kind: string;
  credential_id: string | null;
  request_id: string | null;
  client_address: string | null;
  target_type: string;
  target_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  created_at: Date;
}

/** A page of an organization's audit log, sorted by `created_at` or, as its name, by its action; one row more than the page where there is more. */
export async function listAuditEntries(
  database: Queries,
  organizationId: string,
  page: PageRequest,
): Promise<AuditEntryRow[]> {
  const { filters } = page;
  const sortedBy = page.sort === 'name' ? 'action' : 'created_at';
  let query = build.selectFrom('audit_entries').where('organization_id', '=', organizationId);
  for (const column of ['action', 'actor_user_id', 'target_id'] as const) {
    const wanted = filters[column];
    if (wanted !== undefined) {
      query = query.where(column, '=', wanted);
    }
  }
  if (filters.created_after !== undefined) {
    query = query.where('created_at', '>', sql<Date>`${filters.created_after}::timestamptz`);
  }
  if (filters.created_before !== undefined) {
    query = query.where('created_at', '<', sql<Date>`${filters.created_before}::timestamptz`);
  }
  return database.run(
    query
      .where(afterCursor(page, sortedBy))
      .select(['id', 'action', 'actor_user_id', 'credential_kind', 'credential_id', 'request_id', 'client_address'])
      .select(['target_type', 'target_id', 'created_at'])
      .select([
        sql<Record<string, unknown> | null>`before`.as('before'),
        sql<Record<string, unknown> | null>`after`.as('after'),
      ])
      .orderBy(inOrder(page, sortedBy))
      .limit(page.limit + 1)
      .compile(),
  );
}

/** One entry in the logs of many organizations: $1 organizations, $2 identifiers in the same order, the rest as below. */
export const INSERT_AUDIT_ENTRY_IN_EACH: Statement<never> = {
  name: 'insert_audit_entry_in_each',
  text: `insert into audit_entries (organization_id, id, action, actor_user_id, credential_kind, credential_id,
      request_id, client_address, target_type, target_id, before, after, created_at)
    select e.organization_id, e.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, n.t
    from unnest($1::text[], $2::text[]) as e (organization_id, id), (select clock_timestamp() as t) n`,
};

export const INSERT_AUDIT_ENTRY: Statement<never> = {
  name: 'insert_audit_entry',
  text: `insert into audit_entries (organization_id, id, action, actor_user_id, credential_kind, credential_id,
      request_id, client_address, target_type, target_id, before, after, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp())`,
};
