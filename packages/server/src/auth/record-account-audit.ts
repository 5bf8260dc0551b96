import { type AuditActor, type AuditEntry, INSTALLATION, recordAudit, recordAuditInEach } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import type { RequestContext } from '../http/index.ts';
import { listOrganizationIds } from '../organizations/index.ts';

/** Who changed an account; the organization is the one that they acted in, if any. */
export type AccountActor = Omit<AuditActor, 'organizationId'> & { organizationId?: string };

/**
 * Records what happened to a user's own account in the log of every organization that they are a member of: all of them
 * rely on how this user logs in, and a user with two could otherwise choose which one sees it. An account without a
 * membership has no log to write to. Returns the number of logs.
 */
export async function recordAccountAudit(
  tx: Queries,
  userId: string,
  { organizationId, ...actor }: AccountActor,
  entry: AuditEntry,
): Promise<number> {
  // Plus the one that is acted in, because at most a hundred memberships are listed.
  const acting = organizationId === undefined ? [] : [organizationId];
  const organizationIds = [...new Set([...acting, ...(await listOrganizationIds(tx, userId))])];
  await recordAuditInEach(tx, organizationIds, actor, entry);
  return organizationIds.length;
}

/**
 * Records what the vendor did to a user's account, in the logs of the user's organizations. For a user without an
 * organization, in the installation's log.
 */
export async function recordActOnAccount(
  tx: Queries,
  userId: string,
  { organizationId: _installation, ...actor }: AuditActor,
  action: string,
): Promise<void> {
  const entry = { action, targetType: 'user', targetId: userId };
  if ((await recordAccountAudit(tx, userId, actor, entry)) === 0) {
    await recordAudit(tx, { ...actor, organizationId: INSTALLATION }, entry);
  }
}

/** The sender of a request without a token who proved their identity, for example by a login. */
export function ownerWithoutToken(
  { requestId, clientAddress }: Pick<RequestContext, 'requestId' | 'clientAddress'>,
  userId: string,
): AccountActor {
  return { ...NOBODY, userId, requestId, clientAddress };
}

/** No known user: the service itself, or the sender of a secret that may not be theirs. */
export const NOBODY = {
  userId: null,
  credentialKind: 'none',
  credentialId: null,
  requestId: null,
  clientAddress: null,
} as const satisfies AccountActor;
