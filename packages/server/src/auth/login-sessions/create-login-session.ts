import type { Queries } from '../../database/index.ts';
import type { RequestContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import type { TokenLifetimes } from './login-tools.ts';
import { insertLoginSession } from './queries.ts';
import type { SessionTokens } from './schemas.ts';

/** Where and with what program a user logs in, as shown in the list of their logins. */
export interface LoginDevice {
  clientAddress: string;
  userAgent: string | null;
}

/** The device that a request comes from. The header is truncated: it is only displayed. */
export function deviceOf({ clientAddress, headers }: Pick<RequestContext, 'clientAddress' | 'headers'>): LoginDevice {
  return { clientAddress, userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null };
}

const MAX_USER_AGENT = 255;

/**
 * Creates a login of a user, at first in this organization, and returns its tokens. A staff role applies only to one
 * that passed two-factor. Runs in the caller's transaction.
 */
export async function createLoginSession(
  tx: Queries,
  user: { userId: string; organizationId: string; passedTwoFactor?: boolean },
  device: LoginDevice,
  lifetimes: TokenLifetimes,
): Promise<SessionTokens> {
  const accessToken = newToken(TOKEN_PREFIXES.sessionAccess);
  const refreshToken = newToken(TOKEN_PREFIXES.sessionRefresh);
  const { expires_at: expiresAt } = await insertLoginSession(tx, {
    userId: user.userId,
    organizationId: user.organizationId,
    passedTwoFactor: user.passedTwoFactor ?? false,
    ...device,
    id: newId('loginSession'),
    accessHash: hashToken(accessToken),
    accessTtlSeconds: lifetimes.accessTokenTtlSeconds,
    refreshHash: hashToken(refreshToken),
    refreshTtlSeconds: lifetimes.refreshTokenTtlSeconds,
  });
  return { access_token: accessToken, refresh_token: refreshToken, expires_at: expiresAt.toISOString() };
}
