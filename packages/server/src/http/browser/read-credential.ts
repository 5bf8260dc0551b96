import type { IncomingMessage } from 'node:http';
import { bearerToken } from './bearer-token.ts';
import { isCookieToken, type SessionCookies } from './session-cookies.ts';

/** What a request proves its sender by; a cookie's secret in the Authorization header proves nothing. */
export type Credential = { kind: 'token'; token: string } | { kind: 'misplaced' };

/** The token of a request. One with an Authorization header, whatever is in it, ignores the cookie. */
export function readCredential(
  cookies: SessionCookies,
  request: Pick<IncomingMessage, 'headers' | 'method'>,
): Credential | undefined {
  const { authorization } = request.headers;
  const token = authorization === undefined ? cookies.read(request) : bearerToken(authorization);
  if (token === undefined) {
    return undefined;
  }
  return authorization !== undefined && isCookieToken(token) ? { kind: 'misplaced' } : { kind: 'token', token };
}
