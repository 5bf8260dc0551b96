import { INSTALLATION, OPERATOR_AUDIT_LOG_LIST } from '../../audit/index.ts';
import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { findUserByEmail, parseEmail } from '../../users/index.ts';
import { findActorEmails } from './find-actor-emails.ts';
import { presentAuditEntry } from './present-audit-entry.ts';

/** A page of the audit logs of all organizations, and of the installation itself. */
export async function listOperatorAuditLog(
  { database }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  const { actor } = page.filters;
  const actorId = actor?.includes('@') ? await findUserId(actor) : actor;
  if (actor !== undefined && actorId === undefined) {
    return { items: [], next: undefined };
  }
  const known = { ...page, filters: { ...page.filters, actor: actorId } };
  const { items, ...rest } = await OPERATOR_AUDIT_LOG_LIST.getPage(database, known, {}, (row) => row);
  const emails = await findActorEmails(database, items);
  return {
    ...rest,
    items: items.map((row) => ({
      organization_id: row.organization_id === INSTALLATION ? null : row.organization_id,
      ...presentAuditEntry(row, emails.get(row.actor_user_id ?? '') ?? null),
    })),
  };

  async function findUserId(text: string): Promise<string | undefined> {
    const email = parseEmail(text);
    return email === undefined ? undefined : (await findUserByEmail(database, { email }))?.id;
  }
}
