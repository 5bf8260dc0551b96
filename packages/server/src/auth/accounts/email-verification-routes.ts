import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { resendVerification } from './resend-verification.ts';
import { VerificationInput, VerificationSent, Verified } from './schemas.ts';
import type { VerificationTools } from './send-verification.ts';
import { verifyEmail } from './verify-email.ts';

/** The endpoints that verify an email address. */
export function emailVerificationRoutes(tools: VerificationTools): Route[] {
  return [
    defineRoute({
      ...SHARED,
      path: '/v1/auth/email/verify',
      operationId: 'verifyEmail',
      summary: 'Verify an email address',
      description: 'Takes the token from the email. It expires after seven days and works once.',
      access: ACCESS.public,
      body: VerificationInput,
      response: Verified,
      errors: { invalid_token: HTTP_ERRORS.invalid_token, token_expired: HTTP_ERRORS.token_expired },
      example: { body: { token: `svc_evt_${'3cYm8J'.repeat(7)}` }, data: { status: 'verified' } },
      handle: async (context, { body }) => {
        await verifyEmail(context, body.token);
        return { data: { status: 'verified' } };
      },
    }),
    defineRoute({
      ...SHARED,
      path: '/v1/auth/email/verification',
      operationId: 'sendEmailVerification',
      summary: 'Resend the verification email',
      description: 'We send at most five of these emails an hour.',
      access: ACCESS.writeProfile,
      response: VerificationSent,
      errors: { forbidden: HTTP_ERRORS.forbidden, conflict: HTTP_ERRORS.conflict },
      example: { data: { status: 'sent' } },
      handle: async (context) => {
        await resendVerification(context, tools);
        return { data: { status: 'sent' } };
      },
    }),
  ];
}

const SHARED = { method: 'POST', tag: 'Authentication', status: 200 } as const;
