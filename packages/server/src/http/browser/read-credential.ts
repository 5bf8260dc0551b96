import type { IncomingMessage } from 'node:http';
import { bearerToken } from './bearer-token.ts';
import { isCookieToken, type SessionCookies } from './session-cookies.ts';

/** The credential of a request; a cookie's secret in the Authorization header is not valid. */
export type Credential = { kind: 'token'; token: string } | { kind: 'misplaced' };

/** The token of a request. If there is an Authorization header with any content, the cookie is ignored. */
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
