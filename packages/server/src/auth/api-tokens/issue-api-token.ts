import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError, type Role, type Scope } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { lockMemberRole } from '../../organizations/index.ts';
import { hashToken, newToken } from '../../security/index.ts';
import { insertApiBearerToken } from '../bearer-tokens/queries.ts';
import { requireLiveLogin } from '../login-sessions/require-live-login.ts';
import { presentApiToken } from './present-api-token.ts';
import { insertApiToken, type TokenOwner } from './queries.ts';
import type { CreatedApiToken } from './schemas.ts';
import { findMissingRole } from './scope-rules.ts';

/** The prefix of an environment's API tokens. */
export type ApiTokenPrefix = 'svc_live_' | 'svc_test_';

/** The owner of the new token, its creator, and the token prefix of this environment. */
export interface Issuing {
  owner: TokenOwner;
  actor: AuditActor;
  prefix: ApiTokenPrefix;
}

/** The properties of a token that are decided before it is created. */
export interface TokenTerms {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/**
 * The owner's role now. The membership stays locked until the transaction ends: a removal of the member waits, and then
 * finds the new token to revoke. Otherwise the token would become valid again if its owner were invited again. The
 * login of the request is locked as well, because a request that ends it may revoke all tokens of its user.
 */
export async function lockRoleOfOwner(tx: Queries, { owner, actor }: Issuing): Promise<Role> {
  if (actor.credentialKind === 'session' && actor.credentialId !== null) {
    await requireLiveLogin(tx, owner.userId, actor.credentialId);
  }
  const membership = await lockMemberRole(tx, owner);
  if (membership === undefined) {
    throw httpError('invalid_token', 'The user of this token is no longer a member of the organization.');
  }
  return membership.role;
}

/**
 * Inserts a token with the hash of its secret, in the caller's transaction. The result contains the secret, which is
 * not stored. Throws `forbidden` for scopes that the role does not allow, `validation_failed` for an expiry in the
 * past.
 */
export async function issueApiToken(
  tx: Queries,
  { owner, actor, prefix }: Issuing,
  role: Role,
  terms: TokenTerms,
): Promise<CreatedApiToken> {
  requireScopesWithinRole(role, terms.scopes);
  const token = newToken(prefix);
  const row = await insertApiToken(tx, {
    ...owner,
    ...terms,
    id: newId('apiToken'),
    prefix: token.slice(0, SHOWN_CHARACTERS),
  });
  if (row === undefined) {
    throw httpError('validation_failed', 'expires_at must be in the future.', {
      details: { field: 'expires_at', reason: 'past' },
    });
  }
  await insertApiBearerToken(tx, {
    hash: hashToken(token),
    userId: owner.userId,
    organizationId: owner.organizationId,
    sourceId: row.id,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  });
  const shown = presentApiToken(row);
  await recordAudit(tx, actor, {
    action: 'api_token.created',
    targetType: 'api_token',
    targetId: row.id,
    after: shown,
  });
  return { ...shown, token };
}

function requireScopesWithinRole(role: Role, scopes: readonly Scope[]): void {
  const missing = findMissingRole(role, scopes);
  if (missing !== undefined) {
    throw httpError('forbidden', `You need the ${missing} role to create a token with these scopes.`, {
      details: { required_role: missing },
    });
  }
}

/** The number of characters of a token that are always shown: its prefix, and four that distinguish it. */
const SHOWN_CHARACTERS = 13;
