import { AUDIT_LOG_LIST } from '../../audit/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { findActorEmails } from './find-actor-emails.ts';
import { presentAuditEntry } from './present-audit-entry.ts';

/** A page of the audit log of the request's organization. */
export async function listAuditLog(context: AuthorizedContext, page: PageRequest): Promise<ListPage<unknown>> {
  const { organizationId } = context.principal;
  const { items, ...rest } = await AUDIT_LOG_LIST.getPage(context.database, page, { organizationId }, (row) => row);
  const emails = await findActorEmails(
    context.database,
    items.filter((row) => row.by_staff),
  );
  const emailOf = (userId: string | null) => emails.get(userId ?? '') ?? null;
  return {
    ...rest,
    items: items.map((row) => presentAuditEntry(row, row.by_staff ? emailOf(row.actor_user_id) : null)),
  };
}
