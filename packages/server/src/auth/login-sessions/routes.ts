import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedAccount } from '../passwords/counted-account.ts';
import { logIn, logInByCode } from './log-in.ts';
import { logOut } from './log-out.ts';
import type { LoginTools } from './login-tools.ts';
import { refreshSession } from './refresh-session.ts';
import {
  ChallengeAnswer,
  CompletedLogin,
  Credentials,
  LoggedOut,
  LoginAnswer,
  RefreshInput,
  SessionTokens,
} from './schemas.ts';

/** The endpoints of logins: log in, refresh, log out, and complete a login with the second factor. */
export function loginSessionRoutes(tools: LoginTools): Route[] {
  return [loginRoute(tools), refreshRoute(tools), logoutRoute(tools), verifyRoute(tools)];
}

const TAG = 'Authentication';

export const EXAMPLE_CREDENTIALS = { email: 'ada@example.com', password: 'an engine that weaves patterns' };
export const EXAMPLE_USER = { id: 'usr_01k9m2v5x8e4bt3q6r7s8t9vwx', email: 'ada@example.com', name: 'Ada Lovelace' };
const EXAMPLE_TOKENS = {
  access_token: `svc_sat_${'4fTz9Q'.repeat(7)}`,
  refresh_token: `svc_srt_${'8hWx2L'.repeat(7)}`,
  expires_at: '2026-11-02T10:30:00.000Z',
};
/** The answer to a completed login. */
export const EXAMPLE_LOGIN = { status: 'logged_in', user: EXAMPLE_USER, ...EXAMPLE_TOKENS };
function loginRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/login',
    operationId: 'login',
    tag: TAG,
    summary: 'Log in',
    description:
      'With the header X-Session-Transport: cookie, the session is a cookie instead of tokens; see POST /v1/auth/register. If two-factor authentication is on, the response contains a challenge for POST /v1/auth/2fa/verify instead of tokens. Ten incorrect passwords or codes in a row lock the account for 15 minutes; while it is locked, the correct password is rejected too. After five, each further attempt is delayed by up to two seconds.',
    access: ACCESS.public,
    limit: 'login',
    countedAccount,
    body: Credentials,
    status: 200,
    response: LoginAnswer,
    errors: { invalid_credentials: AUTH_ERRORS.invalid_credentials },
    example: { body: EXAMPLE_CREDENTIALS, data: EXAMPLE_LOGIN },
    handle: (context, { body }) => logIn(context, tools, body),
  });
}

function refreshRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/refresh',
    operationId: 'refresh',
    tag: TAG,
    summary: 'Refresh an access token',
    description:
      'A refresh token works once. If the response is lost, the same token returns the identical response for 10 more seconds. If it is used after that, the whole session ends.',
    access: ACCESS.public,
    body: RefreshInput,
    status: 200,
    response: SessionTokens,
    errors: { invalid_token: HTTP_ERRORS.invalid_token },
    example: { body: { refresh_token: EXAMPLE_TOKENS.refresh_token }, data: EXAMPLE_TOKENS },
    handle: async (context, { body }) => ({ data: await refreshSession(context, tools, body.refresh_token) }),
  });
}

function logoutRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/logout',
    operationId: 'logout',
    tag: TAG,
    summary: 'Log out',
    description:
      'Immediately ends the session: its access tokens and refresh tokens, or its cookie, stop working. The cookie is removed.',
    access: ACCESS.logOut,
    status: 200,
    response: LoggedOut,
    errors: { forbidden: HTTP_ERRORS.forbidden },
    example: { data: { status: 'logged_out' } },
    handle: (context) => logOut(context, tools),
  });
}

function verifyRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/2fa/verify',
    operationId: 'verifyTwoFactor',
    tag: TAG,
    summary: 'Complete a two-factor login',
    description:
      'A challenge expires after 5 minutes or 5 attempts. Each code works once. A recovery code is accepted in place of a code.',
    access: ACCESS.public,
    limit: 'login',
    body: ChallengeAnswer,
    status: 200,
    response: CompletedLogin,
    errors: {
      invalid_credentials: AUTH_ERRORS.invalid_credentials,
      invalid_token: HTTP_ERRORS.invalid_token,
      token_expired: HTTP_ERRORS.token_expired,
    },
    example: {
      body: { challenge_token: `ch_${'5gTy7R'.repeat(7)}`, code: '287082' },
      data: EXAMPLE_LOGIN,
    },
    handle: (context, { body }) => logInByCode(context, tools, body),
  });
}
