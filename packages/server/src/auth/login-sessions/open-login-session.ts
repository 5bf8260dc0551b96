import type { Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import type { TokenLifetimes } from '../auth-tools.ts';
import { insertLoginSession } from './queries.ts';
import type { SessionTokens } from './schemas.ts';

/** Opens a login of a user, at first in this organization, and answers its tokens. Runs in the caller's transaction. */
export async function openLoginSession(
  tx: Queries,
  user: { userId: string; organizationId: string },
  lifetimes: TokenLifetimes,
): Promise<SessionTokens> {
  const accessToken = newToken(TOKEN_PREFIXES.sessionAccess);
  const refreshToken = newToken(TOKEN_PREFIXES.sessionRefresh);
  const expiresAt = await insertLoginSession(tx, {
    ...user,
    id: newId('loginSession'),
    accessHash: hashToken(accessToken),
    accessTtlSeconds: lifetimes.accessTokenTtlSeconds,
    refreshHash: hashToken(refreshToken),
    refreshTtlSeconds: lifetimes.refreshTokenTtlSeconds,
  });
  return { access_token: accessToken, refresh_token: refreshToken, expires_at: expiresAt.toISOString() };
}
