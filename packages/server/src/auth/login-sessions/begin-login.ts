import type { Queries } from '../../database/index.ts';
import { type Answer, httpError, invalidRequest, type RequestContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken } from '../../security/index.ts';
import type { UserSummary } from '../../users/index.ts';
import { updateBearerTokensRevoked } from '../bearer-tokens/queries.ts';
import { insertCookieToken } from './cookie-queries.ts';
import { createLoginSession, deviceOf } from './create-login-session.ts';
import type { LoginTools } from './login-tools.ts';
import { insertCookieLogin } from './queries.ts';
import type { CookieLogin, LoginResult } from './schemas.ts';

/** The dependencies of beginning a login. */
export type BeginTools = Pick<LoginTools, 'lifetimes' | 'cookies'>;

/** How the secret of a login is sent: in the response, or in a cookie that scripts cannot read. */
export type SessionTransport = 'token' | 'cookie';

/**
 * The transport that a request asks for. Throws `forbidden` if a page of another origin asks for the cookie: it could
 * log a visitor in to an account of its author.
 */
export function parseTransport(
  { headers }: RequestContext,
  { cookies }: Pick<BeginTools, 'cookies'>,
): SessionTransport {
  const asked = headers['x-session-transport'] ?? 'token';
  if (asked === 'cookie' && cookies.isFromElsewhere(headers)) {
    throw httpError(
      'forbidden',
      'Only pages of this service can log in with a cookie. The request came from another origin.',
    );
  }
  if (asked !== 'token' && asked !== 'cookie') {
    throw invalidRequest('X-Session-Transport', 'enum', 'X-Session-Transport must be "token" or "cookie".');
  }
  return asked;
}

/**
 * Creates a login of a user, at first in this organization, and returns its tokens or sets its cookie, always with a
 * new value. A staff role applies only to a login that passed two-factor. Runs in the caller's transaction.
 */
export async function beginLogin(
  tx: Queries,
  context: RequestContext,
  tools: BeginTools,
  { user, ...login }: { user: UserSummary; organizationId: string; passedTwoFactor?: boolean },
): Promise<Answer<LoginResult | CookieLogin>> {
  const owner = { userId: user.id, ...login };
  const shown = { id: user.id, email: user.email, name: user.name };
  if (parseTransport(context, tools) === 'token') {
    const tokens = await createLoginSession(tx, owner, deviceOf(context), tools.lifetimes);
    return { data: { status: 'logged_in', user: shown, ...tokens } };
  }
  const secret = newToken(tools.cookies.prefix);
  const { expires_at: expiresAt } = await insertCookieLogin(tx, {
    ...owner,
    passedTwoFactor: login.passedTwoFactor ?? false,
    ...deviceOf(context),
    id: newId('loginSession'),
    cookieHash: hashToken(secret),
    ttlSeconds: tools.lifetimes.refreshTokenTtlSeconds,
  });
  return {
    data: { status: 'logged_in_with_cookie', user: shown, expires_at: expiresAt.toISOString() },
    headers: tools.cookies.set(context.headers, secret),
  };
}

/** Gives the login of a cookie a new secret, and ends the old one; returns the header that sets it. */
export async function replaceCookie(
  tx: Queries,
  context: Pick<RequestContext, 'headers'>,
  tools: BeginTools,
  { userId, loginSessionId }: { userId: string; loginSessionId: string },
): Promise<Readonly<Record<string, string>>> {
  const secret = newToken(tools.cookies.prefix);
  const ttlSeconds = tools.lifetimes.refreshTokenTtlSeconds;
  await updateBearerTokensRevoked(tx, { userId, sourceId: loginSessionId });
  await insertCookieToken(tx, { userId, loginSessionId, cookieHash: hashToken(secret), ttlSeconds });
  return tools.cookies.set(context.headers, secret);
}
