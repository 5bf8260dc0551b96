import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import type { AccountTools } from './account-tools.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { resetPassword } from './reset-password.ts';
import { ForgottenInput, PasswordChanged, ResetAccepted, ResetInput } from './schemas.ts';

/** The endpoints for a forgotten password. */
export function passwordResetRoutes(tools: Pick<AccountTools, 'passwords' | 'mailer' | 'connectedApps'>): Route[] {
  return [
    defineRoute({
      ...SHARED,
      path: '/v1/auth/password/forgot',
      operationId: 'forgotPassword',
      summary: 'Request a password reset',
      description:
        'Emails a token for POST /v1/auth/password/reset if an account with this address exists. The response is the same in both cases.',
      limit: 'password-forgot',
      body: ForgottenInput,
      response: ResetAccepted,
      errors: {},
      example: { body: { email: 'ada@example.com' }, data: { status: 'accepted' } },
      handle: async ({ database }, { body }) => {
        await requestPasswordReset(database, body.email);
        return { data: { status: 'accepted' } };
      },
    }),
    defineRoute({
      ...SHARED,
      path: '/v1/auth/password/reset',
      operationId: 'resetPassword',
      summary: 'Reset a password',
      description:
        "Takes the token from the email. It expires after one hour and works once. All of the user's sessions end, all connected apps are disconnected, the account is unlocked, and the email address counts as verified. If it was not verified before, someone else may have registered with it, so the user's API tokens are revoked and the OAuth apps they registered are deleted. Two-factor authentication stays on.",
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
