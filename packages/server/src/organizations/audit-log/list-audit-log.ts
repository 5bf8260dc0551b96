import { AUDIT_LOG_LIST, type AuditEntryRow } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { listUserEmails } from '../../users/index.ts';

/** A page of the audit log of the request's organization. */
export async function listAuditLog(context: AuthorizedContext, page: PageRequest): Promise<ListPage<unknown>> {
  const { organizationId } = context.principal;
  const { items, ...rest } = await AUDIT_LOG_LIST.getPage(context.database, page, { organizationId }, (row) => row);
  const emails = await findStaffEmails(context.database, items);
  return { ...rest, items: items.map((row) => present(row, emails)) };
}

/** The addresses of staff as they are now, by user: an address that was erased is not kept by the log. */
async function findStaffEmails(
  database: Queries,
  rows: readonly AuditEntryRow[],
): Promise<ReadonlyMap<string, string>> {
  const userIds = new Set(
    rows.flatMap((row) => (row.by_staff && row.actor_user_id !== null ? [row.actor_user_id] : [])),
  );
  const users = userIds.size === 0 ? [] : await listUserEmails(database, { userIds: [...userIds] });
  return new Map(users.map((user) => [user.id, user.email]));
}

function present(row: AuditEntryRow, emails: ReadonlyMap<string, string>) {
  const type = actorTypeOf(row);
  return {
    id: row.id,
    action: row.action,
    actor: {
      type,
      id: type === 'operator_token' ? row.credential_id : row.actor_user_id,
      email: row.by_staff ? (emails.get(row.actor_user_id ?? '') ?? null) : null,
      user_id: row.actor_user_id,
      credential: { kind: row.credential_kind, id: row.credential_id },
    },
    request_id: row.request_id,
    client_address: row.client_address,
    target: { type: row.target_type, id: row.target_id },
    before: row.before,
    after: row.after,
    created_at: row.created_at.toISOString(),
  };
}

/** What kind of actor it was: the operator acts by a command on the server's machine, or by a token of their programs. */
function actorTypeOf(row: AuditEntryRow): 'user' | 'staff' | 'operator' | 'operator_token' | 'unknown' {
  if (row.by_staff) {
    return 'staff';
  }
  if (row.credential_kind === 'operator') {
    return row.credential_id === null ? 'operator' : 'operator_token';
  }
  return row.actor_user_id === null ? 'unknown' : 'user';
}
