import type { Queries } from '../../database/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { User } from '../../users/index.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { EXAMPLE_CREDENTIALS, EXAMPLE_LOGIN, EXAMPLE_USER } from '../login-sessions/routes.ts';
import { CompletedLogin } from '../login-sessions/schemas.ts';
import { countedPasswordChange } from '../passwords/counted-account.ts';
import type { AccountTools } from './account-tools.ts';
import { emailVerificationRoutes } from './email-verification-routes.ts';
import { createCurrentUserReader } from './get-current-user.ts';
import { ownLoginRoutes } from './own-login-routes.ts';
import { passwordResetRoutes } from './password-reset-routes.ts';
import { registerUser } from './register-user.ts';
import { ProfileInput, Registration } from './schemas.ts';
import { updateProfile } from './update-profile.ts';

/**
 * The endpoints of a user's own account: view and change it, reset the password, verify the address, list and end
 * logins.
 */
export function accountRoutes(database: Queries, tools: AccountTools): Route[] {
  return [
    ...currentUserRoutes(database, tools.baseUrl),
    profileRoute(tools),
    ...passwordResetRoutes(tools),
    ...emailVerificationRoutes(tools),
    ...ownLoginRoutes(tools),
  ];
}

const TAG = 'Authentication';

const EXAMPLE_CURRENT_USER = {
  ...EXAMPLE_USER,
  avatar_url: 'https://localhost:8443/avatar.svg',
  created_at: '2026-11-02T09:30:00.000Z',
  email_verified: true,
  two_factor_enabled: false,
  organization: { id: 'org_01k9m2v5x9f0ct4r7s8t9vwxyz', name: 'Ada Lovelace', role: 'admin' },
  staff: null,
};

const EXAMPLE_PROFILE_INPUT = { name: 'Augusta Ada King', avatar_url: 'https://pictures.example.com/ada.png' };

const EXAMPLE_PROFILE = {
  id: 'usr_01k9m2v5x8e4bt3q6r7s8t9vwx',
  email: 'ada@example.com',
  ...EXAMPLE_PROFILE_INPUT,
  email_verified: true,
  two_factor_enabled: false,
  created_at: '2026-11-02T09:30:00.000Z',
  organization: { id: 'org_01k9m2v5x9f0ct4r7s8t9vwxyz', name: 'Ada Lovelace', role: 'admin' },
  staff: null,
};

/** POST /v1/auth/register. */
export function registerRoute(tools: AccountTools): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/auth/register',
    operationId: 'register',
    tag: TAG,
    summary: 'Register a user',
    description:
      'Creates a user and an organization named after them, makes the user its admin, and logs them in. With the header X-Session-Transport: cookie, the response contains no tokens and sets the cookie __Host-seathold. The API accepts it from pages of its own origin only.',
    access: ACCESS.public,
    limit: 'register',
    body: Registration,
    status: 201,
    response: CompletedLogin,
    errors: {
      forbidden: HTTP_ERRORS.forbidden,
      already_exists: HTTP_ERRORS.already_exists,
      validation_failed: HTTP_ERRORS.validation_failed,
    },
    example: { body: { ...EXAMPLE_CREDENTIALS, name: EXAMPLE_USER.name }, data: EXAMPLE_LOGIN },
    handle: (context, { body }) => registerUser(context, tools, body),
  });
}

/** The same response at two paths. */
function currentUserRoutes(database: Queries, baseUrl: string): Route[] {
  const getCurrentUser = createCurrentUserReader(database, baseUrl);
  const addresses = [
    ['/v1/auth/me', 'getCurrentUser', 'Get the authenticated user', ' Same as GET /v1/me.'],
    ['/v1/me', 'getMe', 'Get your profile', ''],
  ] as const;
  return addresses.map(([path, operationId, summary, note]) =>
    defineRoute({
      method: 'GET',
      path,
      operationId,
      tag: TAG,
      summary,
      description: `Returns the user, the organization that the request acts in, and the user's role there.${note}`,
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

function profileRoute(tools: AccountTools): Route {
  return defineRoute({
    method: 'PATCH',
    path: '/v1/me',
    operationId: 'updateMe',
    tag: TAG,
    summary: 'Update your profile or password',
    description:
      'Fields that you omit stay unchanged. To set a new password, send the current one as well. A new password ends all your other sessions and disconnects all apps; API tokens keep working. An incorrect current password counts as a failed login.',
    access: ACCESS.writeProfile,
    opensTransaction: true,
    countedAccount: countedPasswordChange,
    body: ProfileInput,
    status: 200,
    response: User,
    errors: {
      forbidden: HTTP_ERRORS.forbidden,
      invalid_credentials: AUTH_ERRORS.invalid_credentials,
      validation_failed: HTTP_ERRORS.validation_failed,
    },
    example: { body: EXAMPLE_PROFILE_INPUT, data: EXAMPLE_PROFILE },
    handle: (context, { body }) => updateProfile(context, tools, body),
  });
}
