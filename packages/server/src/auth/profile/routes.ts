import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { User } from '../../users/index.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedPasswordChange } from '../login-sessions/counted-account.ts';
import { ProfileInput } from './schemas.ts';
import { type ProfileTools, updateProfile } from './update-profile.ts';

/** The endpoint at which a user changes their own account. */
export function profileRoutes(tools: ProfileTools): Route[] {
  return [
    defineRoute({
      method: 'PATCH',
      path: '/v1/me',
      operationId: 'updateMe',
      tag: 'Authentication',
      summary: 'Change the own profile or password',
      description:
        'What is left out stays. A new password needs the present one beside it, and ends all other logins and all connected apps at once; API tokens go on. A wrong present password counts like a failed login.',
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
      example: { body: EXAMPLE_INPUT, data: EXAMPLE },
      handle: (context, { body }) => updateProfile(context, tools, body),
    }),
  ];
}

const EXAMPLE_INPUT = { name: 'Augusta Ada King', avatar_url: 'https://pictures.example.com/ada.png' };

const EXAMPLE = {
  id: 'usr_01k9m2v5x8e4bt3q6r7s8t9vwx',
  email: 'ada@example.com',
  ...EXAMPLE_INPUT,
  email_verified: true,
  two_factor_enabled: false,
  created_at: '2026-11-02T09:30:00.000Z',
  organization: { id: 'org_01k9m2v5x9f0ct4r7s8t9vwxyz', name: 'Ada Lovelace', role: 'admin' },
};
