import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { LoginTools } from '../auth-tools.ts';
import { askForReset } from './ask-for-reset.ts';
import { resetPassword } from './reset-password.ts';
import { ForgottenInput, PasswordChanged, ResetAccepted, ResetInput } from './schemas.ts';

/** The endpoints for whoever forgot a password. */
export function passwordResetRoutes(tools: Pick<LoginTools, 'passwords' | 'mailer'>): Route[] {
  return [
    defineRoute({
      ...SHARED,
      path: '/v1/auth/password/forgot',
      operationId: 'forgotPassword',
      summary: 'Ask for a password reset',
      description:
        'Mails a token for POST /v1/auth/password/reset to the address, if there is an account with it. The answer is the same in either case.',
      limit: 'password-forgot',
      body: ForgottenInput,
      response: ResetAccepted,
      errors: {},
      example: { body: { email: 'ada@example.com' }, data: { status: 'accepted' } },
      handle: async ({ database }, { body }) => {
        await askForReset(database, body.email);
        return { data: { status: 'accepted' } };
      },
    }),
    defineRoute({
      ...SHARED,
      path: '/v1/auth/password/reset',
      operationId: 'resetPassword',
      summary: 'Set a new password with a mailed token',
      description:
        "The token lives an hour and works once. All logins and connected apps of the user end, a lock is lifted, and the e-mail address counts as verified. Where it was not verified before, the user's API tokens are revoked and the apps that they registered are deleted: somebody else may have registered with the address. Two-factor stays on.",
      limit: 'password-reset',
      body: ResetInput,
      response: PasswordChanged,
      errors: {
        invalid_token: HTTP_ERRORS.invalid_token,
        token_expired: HTTP_ERRORS.token_expired,
        validation_failed: HTTP_ERRORS.validation_failed,
      },
      example: {
        body: { token: `svc_prt_${'5dRk7W'.repeat(7)}`, password: 'a loom that weaves algebra' },
        data: { status: 'password_changed' },
      },
      handle: async (context, { body }) => {
        await resetPassword(context, tools, body);
        return { data: { status: 'password_changed' } };
      },
    }),
  ];
}

const SHARED = { method: 'POST', tag: 'Authentication', access: ACCESS.public, status: 200 } as const;
