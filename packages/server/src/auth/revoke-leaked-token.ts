import { type AuditActor, recordAudit } from '../audit/index.ts';
import type { Queries } from '../database/index.ts';
import type { MemberTokenKind } from '../http/index.ts';
import { hashToken, isWellFormedToken, TOKEN_PREFIXES } from '../security/index.ts';
import { findUserById } from '../users/index.ts';
import { endApiToken } from './api-tokens/end-api-token.ts';
import type { AuthDeps } from './auth-tools.ts';
import { findBearerTokenSource } from './bearer-tokens/queries.ts';
import { findGrantOfRefreshToken } from './leaked-token-queries.ts';
import { endLoginSession } from './login-sessions/end-login-session.ts';
import { findRefreshToken } from './login-sessions/queries.ts';
import { endGrant } from './oauth-grants/end-grants.ts';
import { revokeLeakedOperatorToken } from './operator-tokens/revoke-leaked-operator-token.ts';

/**
 * Ends a secret that was seen in the clear, and mails its owner: an API token, or the whole login or grant to an app that an
 * access or refresh token belongs to. Answers whether it was one of this environment's; does nothing with a text that is no
 * token of ours, and nothing more when it is seen again.
 */
export async function revokeLeakedToken(
  deps: Pick<AuthDeps, 'database' | 'log' | 'mailer'>,
  token: string,
): Promise<boolean> {
  if (!isWellFormedToken(token)) {
    return false;
  }
  if (token.startsWith(TOKEN_PREFIXES.operator)) {
    return revokeLeakedOperatorToken(deps, hashToken(token));
  }
  const source = await findSource(deps.database, hashToken(token));
  if (source === undefined) {
    return false;
  }
  const hasEnded = await deps.database.transaction(async (tx) => {
    const ended = await endSource(tx, source);
    if (ended) {
      await recordRevocation(tx, source);
      await tellOwner(tx, deps.mailer, source);
    }
    return ended;
  });
  if (hasEnded) {
    deps.log.warn({ user_id: source.userId, source_id: source.id }, 'a token that was seen in the clear was revoked');
  }
  return true;
}

interface TokenSource {
  kind: MemberTokenKind;
  userId: string;
  organizationId: string;
  /** The identifier of the login session, the API token or the OAuth grant. */
  id: string;
}

async function findSource(database: Queries, hash: Buffer): Promise<TokenSource | undefined> {
  const bearer = await findBearerTokenSource(database, hash);
  if (bearer !== undefined) {
    const { kind, user_id: userId, organization_id: organizationId, source_id: id } = bearer;
    return { kind, userId, organizationId, id };
  }
  const refresh = await findRefreshToken(database, hash);
  if (refresh !== undefined) {
    const { user_id: userId, organization_id: organizationId, login_session_id: id } = refresh;
    return { kind: 'session', userId, organizationId, id };
  }
  const grant = await findGrantOfRefreshToken(database, hash);
  return grant && { kind: 'oauth', userId: grant.user_id, organizationId: grant.organization_id, id: grant.id };
}

/** Ends what the token belongs to; answers false when it is over already. */
async function endSource(tx: Queries, source: TokenSource): Promise<boolean> {
  switch (source.kind) {
    case 'api':
      return endApiToken(tx, source, nobodyIn(source.organizationId), source.id);
    case 'session':
      return endLoginSession(tx, source.userId, source.id);
    case 'oauth':
      return endGrant(tx, source.organizationId, source.id);
  }
}

async function recordRevocation(tx: Queries, { kind, organizationId, id }: TokenSource): Promise<void> {
  await recordAudit(tx, nobodyIn(organizationId), {
    action: 'token.revoked_after_leak',
    targetType: WHAT[kind].targetType,
    targetId: id,
  });
}

/** The service itself ends the token: whoever sent it need not be its owner. */
function nobodyIn(organizationId: string): AuditActor {
  return {
    organizationId,
    userId: null,
    credentialKind: 'none',
    credentialId: null,
    requestId: null,
    clientAddress: null,
  };
}

async function tellOwner(tx: Queries, mailer: AuthDeps['mailer'], { kind, userId, id }: TokenSource): Promise<void> {
  const owner = await findUserById(tx, userId);
  if (owner === undefined) {
    return;
  }
  await mailer.queue(tx, {
    kind: 'token-leaked',
    recipient: owner.email,
    content: {
      subject: 'A token of yours was sent in the clear and revoked',
      paragraphs: [
        'Hello,',
        `somebody sent ${WHAT[kind].name} (${id}) over plain HTTP, where everybody on the way could read it. ${WHAT[kind].consequence}`,
        'Look for an address that begins with http:// in your programs and settings, and make it https://.',
      ],
    },
  });
}

const WHAT = {
  api: {
    targetType: 'api_token',
    name: 'your API token',
    consequence: 'It was revoked at once; make another one.',
  },
  session: {
    targetType: 'login_session',
    name: 'a token of one of your logins',
    consequence: 'That login was ended at once; log in again.',
  },
  oauth: {
    targetType: 'oauth_grant',
    name: 'a token of an app that acts for you',
    consequence: 'All that the app may do for you was ended at once; allow it again if you trust it still.',
  },
} as const;
