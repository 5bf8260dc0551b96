import { AUDIT_LOG_LIST, type AuditEntryRow } from '../../audit/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';

/** A page of the audit log of the request's organization. */
export async function listAuditLog(context: AuthorizedContext, page: PageRequest): Promise<ListPage<unknown>> {
  const { organizationId } = context.principal;
  return AUDIT_LOG_LIST.getPage(context.database, page, { organizationId }, present);
}

function present(row: AuditEntryRow) {
  return {
    id: row.id,
    action: row.action,
    actor: {
      type: actorTypeOf(row),
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
function actorTypeOf(row: AuditEntryRow): 'user' | 'operator' | 'operator_token' | 'unknown' {
  if (row.credential_kind === 'operator') {
    return row.credential_id === null ? 'operator' : 'operator_token';
  }
  return row.actor_user_id === null ? 'unknown' : 'user';
}
