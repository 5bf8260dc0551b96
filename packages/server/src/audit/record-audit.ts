import type { Queries } from '../database/index.ts';
import { type AuthorizedContext, type Principal, type RequestContext, userOf } from '../http/index.ts';
import { newId } from '../ids/index.ts';
import { insertAuditEntry, insertAuditEntryInEach } from './queries.ts';

/** Who did something, from where and with what. */
export interface AuditActor {
  /** The organization whose log the entry belongs to. */
  organizationId: string;
  /** Null if no user was logged in. */
  userId: string | null;
  /** Whether the user acted as one of the vendor's staff, not as a member. */
  byStaff?: boolean;
  credentialKind: Principal['tokenKind'] | 'none' | 'operator';
  /** The login session, API token or OAuth grant. */
  credentialId: string | null;
  requestId: string | null;
  clientAddress: string | null;
}

/** What was done. `before` and `after` are what the API shows of the resource, and never contain a secret. */
export interface AuditEntry {
  /** `noun.verb` in the past, for example `member.removed`. */
  action: string;
  targetType: string;
  targetId: string;
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/** The caller of a request, in the organization that it acts in. */
export function actorOf({ principal, requestId, clientAddress }: AuthorizedContext): AuditActor {
  return {
    organizationId: principal.organizationId,
    userId: userOf(principal),
    byStaff: principal.acting?.type === 'staff',
    credentialKind: principal.tokenKind,
    credentialId: principal.tokenSourceId,
    requestId,
    clientAddress,
  };
}

/** The caller of an operator route: a staff member or a program of the vendor that acts on an organization. */
export function staffActorOf(context: AuthorizedContext, organizationId: string): AuditActor {
  return { ...actorOf(context), organizationId, byStaff: context.principal.tokenKind !== 'operator' };
}

/** An operator's command on the server itself, where no one is logged in. */
export const OPERATOR_COMMAND = {
  userId: null,
  credentialKind: 'operator',
  credentialId: null,
  requestId: null,
  clientAddress: null,
} as const satisfies Omit<AuditActor, 'organizationId'>;

/** The log of actions that concern the installation rather than an organization. No organization has this id. */
export const INSTALLATION = 'installation';

/** The caller of a request without a token; `userId` if the request showed who they are, for example by a login. */
export function actorWithoutToken(
  { requestId, clientAddress }: Pick<RequestContext, 'requestId' | 'clientAddress'>,
  organizationId: string,
  userId: string | null,
): AuditActor {
  return { organizationId, userId, credentialKind: 'none', credentialId: null, requestId, clientAddress };
}

/**
 * Adds an audit log entry in the transaction of the change itself. Entries are never changed or removed individually.
 */
export async function recordAudit(tx: Queries, actor: AuditActor, entry: AuditEntry): Promise<void> {
  const { organizationId } = actor;
  await insertAuditEntry(tx, { organizationId, id: newId('auditEntry'), ...valuesOf(actor, entry) });
}

/** Adds the same entry to the audit logs of many organizations, for example when a member changes their own account. */
export async function recordAuditInEach(
  tx: Queries,
  organizationIds: readonly string[],
  actor: Omit<AuditActor, 'organizationId'>,
  entry: AuditEntry,
): Promise<void> {
  const logs = organizationIds.map((id) => ({ organization_id: id, id: newId('auditEntry') }));
  await insertAuditEntryInEach(tx, { logs, ...valuesOf(actor, entry) });
}

function valuesOf(actor: Omit<AuditActor, 'organizationId'>, entry: AuditEntry) {
  const { userId, byStaff = false, credentialKind, credentialId, requestId, clientAddress } = actor;
  const { action, targetType, targetId, before = null, after = null } = entry;
  return {
    action,
    actorUserId: userId,
    byStaff,
    credentialKind,
    credentialId,
    requestId,
    clientAddress,
    targetType,
    targetId,
    before,
    after,
  };
}
