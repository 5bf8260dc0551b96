import type { Queries } from '../database/index.ts';
import type { Principal } from '../http/index.ts';
import { hashToken, isWellFormedToken } from '../security/index.ts';
import { endApiToken } from './api-tokens/end-api-token.ts';
import type { AuthDeps } from './auth-tools.ts';
import { findBearerTokenSource } from './bearer-tokens/queries.ts';
import { endLoginSession } from './login-sessions/end-login-session.ts';
import { findRefreshToken } from './login-sessions/queries.ts';

/**
 * Ends a secret that was seen in the clear: an API token, or the whole login that an access or refresh token belongs to.
 * Answers whether it was one of this environment's; does nothing with a text that is no token of ours.
 */
export async function revokeLeakedToken(deps: Pick<AuthDeps, 'database' | 'log'>, token: string): Promise<boolean> {
  if (!isWellFormedToken(token)) {
    return false;
  }
  const source = await findSource(deps.database, hashToken(token));
  if (source === undefined) {
    return false;
  }
  if (source.kind === 'api') {
    await endApiToken(deps.database, source, source.id);
  } else {
    await endLoginSession(deps.database, source.userId, source.id);
  }
  deps.log.warn({ user_id: source.userId, source_id: source.id }, 'a token that was seen in the clear was revoked');
  return true;
}

interface TokenSource {
  kind: Principal['tokenKind'];
  userId: string;
  organizationId: string;
  /** The login session's or the API token's identifier. */
  id: string;
}

async function findSource(database: Queries, hash: Buffer): Promise<TokenSource | undefined> {
  const bearer = await findBearerTokenSource(database, hash);
  if (bearer !== undefined) {
    const { kind, user_id: userId, organization_id: organizationId, source_id: id } = bearer;
    return { kind, userId, organizationId, id };
  }
  const refresh = await findRefreshToken(database, hash);
  if (refresh === undefined) {
    return undefined;
  }
  const { user_id: userId, organization_id: organizationId, login_session_id: id } = refresh;
  return { kind: 'session', userId, organizationId, id };
}
