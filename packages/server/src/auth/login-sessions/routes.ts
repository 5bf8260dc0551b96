import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { User } from '../../users/index.ts';
import type { AuthDeps, LoginTools } from '../auth-tools.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedAccount } from './counted-account.ts';
import { createCurrentUserReader } from './get-current-user.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { refreshSession } from './refresh-session.ts';
import { registerUser } from './register-user.ts';
import {
  Credentials,
  LoggedOut,
  LoginAnswer,
  LoginResult,
  RefreshInput,
  Registration,
  SessionTokens,
} from './schemas.ts';

/** The endpoints of logins: register, log in, refresh, log out, and who is asking. */
export function loginSessionRoutes(database: AuthDeps['database'], tools: LoginTools): Route[] {
  return [
    registerRoute(tools),
    loginRoute(tools),
    refreshRoute(tools),
    LOGOUT,
    ...currentUserRoutes(database, tools.baseUrl),
  ];
}

const TAG = 'Authentication';

const EXAMPLE_CREDENTIALS = { email: 'ada@example.com', password: 'an engine that weaves patterns' };
const EXAMPLE_USER = { id: 'usr_01k9m2v5x8e4bt3q6r7s8t9vwx', email: 'ada@example.com', name: 'Ada Lovelace' };
const EXAMPLE_TOKENS = {
  access_token: `svc_sat_${'4fTz9Q'.repeat(7)}`,
  refresh_token: `svc_srt_${'8hWx2L'.repeat(7)}`,
  expires_at: '2026-11-02T10:30:00.000Z',
};
/** What a complete login answers, wherever it is completed. */
export const EXAMPLE_LOGIN = { user: EXAMPLE_USER, ...EXAMPLE_TOKENS };
const EXAMPLE_CURRENT_USER = {
  ...EXAMPLE_USER,
  avatar_url: 'https://localhost:8443/avatar.svg',
  created_at: '2026-11-02T09:30:00.000Z',
  email_verified: true,
  two_factor_enabled: false,
  organization: { id: 'org_01k9m2v5x9f0ct4r7s8t9vwxyz', name: 'Ada Lovelace', role: 'admin' },
};

function registerRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/register',
    operationId: 'register',
    tag: TAG,
    summary: 'Register a user',
    description: 'Makes the user and an organization named after them, of which they are the admin, and logs them in.',
    access: ACCESS.public,
    limit: 'register',
    body: Registration,
    status: 201,
    response: LoginResult,
    errors: { already_exists: HTTP_ERRORS.already_exists, validation_failed: HTTP_ERRORS.validation_failed },
    example: { body: { ...EXAMPLE_CREDENTIALS, name: EXAMPLE_USER.name }, data: EXAMPLE_LOGIN },
    handle: async (context, { body }) => ({ data: await registerUser(context, tools, body) }),
  });
}

function loginRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/login',
    operationId: 'login',
    tag: TAG,
    summary: 'Log in',
    description:
      'Where two-factor is on, the answer is a challenge for POST /v1/auth/2fa/verify instead of tokens. Ten wrong passwords or codes in a row lock the account for 15 minutes, during which the right one is refused like a wrong one; after five, each further attempt waits for up to two seconds.',
    access: ACCESS.public,
    limit: 'login',
    countedAccount,
    body: Credentials,
    status: 200,
    response: LoginAnswer,
    errors: { invalid_credentials: AUTH_ERRORS.invalid_credentials },
    example: { body: EXAMPLE_CREDENTIALS, data: EXAMPLE_LOGIN },
    handle: async (context, { body }) => ({ data: await logIn(context, tools, body) }),
  });
}

function refreshRoute(tools: LoginTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/refresh',
    operationId: 'refresh',
    tag: TAG,
    summary: 'Exchange a refresh token',
    description:
      'The refresh token is used up by this. For 10 seconds it gets the identical answer again, should the first be lost; used later than that, it ends the whole login.',
    access: ACCESS.public,
    body: RefreshInput,
    status: 200,
    response: SessionTokens,
    errors: { invalid_token: HTTP_ERRORS.invalid_token },
    example: { body: { refresh_token: EXAMPLE_TOKENS.refresh_token }, data: EXAMPLE_TOKENS },
    handle: async (context, { body }) => ({ data: await refreshSession(context, tools, body.refresh_token) }),
  });
}

const LOGOUT = defineRoute({
  method: 'POST',
  path: '/v1/auth/logout',
  operationId: 'logout',
  tag: TAG,
  summary: 'Log out',
  description: 'Ends the access token of the request, its refresh token, and all others of the same login at once.',
  access: ACCESS.ownSession,
  status: 200,
  response: LoggedOut,
  errors: { forbidden: HTTP_ERRORS.forbidden },
  example: { data: { status: 'logged_out' } },
  handle: async (context) => {
    await logOut(context);
    return { data: { status: 'logged_out' } };
  },
});

/** One answer under two addresses. */
function currentUserRoutes(database: AuthDeps['database'], baseUrl: string): Route[] {
  const getCurrentUser = createCurrentUserReader(database, baseUrl);
  const addresses = [
    ['/v1/auth/me', 'getCurrentUser'],
    ['/v1/me', 'getMe'],
  ] as const;
  return addresses.map(([path, operationId]) =>
    defineRoute({
      method: 'GET',
      path,
      operationId,
      tag: TAG,
      summary: 'Get the user of the token',
      description: 'With the organization that the request acts in, and the role in it.',
      access: ACCESS.readProfile,
      checksToken: true,
      status: 200,
      response: User,
      errors: {},
      example: { data: EXAMPLE_CURRENT_USER },
      handle: async (context) => ({ data: await getCurrentUser(context) }),
    }),
  );
}
