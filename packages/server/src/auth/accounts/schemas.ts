import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { AccountEmailInput, EmailInput, NameInput } from '../../users/index.ts';
import { NewPassword, PresentPassword } from '../passwords/schemas.ts';

/** The body of POST /v1/auth/register. */
export const Registration = Type.Object(
  {
    email: EmailInput,
    password: NewPassword,
    name: NameInput,
  },
  { additionalProperties: false },
);
export type Registration = Static<typeof Registration>;

const AvatarUrl = Type.String({
  format: 'uri',
  pattern: '^https://',
  maxLength: 2048,
  description: 'The https URL of a picture. Null removes it and shows the default picture.',
});

/** The body of PATCH /v1/me. Omitted fields stay unchanged. */
export const ProfileInput = Type.Object(
  {
    name: Type.Optional(NameInput),
    avatar_url: Type.Optional(Type.Union([AvatarUrl, Type.Null()])),
    password: Type.Optional(NewPassword),
    current_password: Type.Optional(PresentPassword),
  },
  {
    additionalProperties: false,
    published: { dependentRequired: { password: ['current_password'], current_password: ['password'] } },
  },
);
export type ProfileInput = Static<typeof ProfileInput>;

/** The body of POST /v1/auth/password/forgot. */
export const ForgottenInput = Type.Object({ email: AccountEmailInput }, { additionalProperties: false });
export type ForgottenInput = Static<typeof ForgottenInput>;

/** The body of POST /v1/auth/password/reset. */
export const ResetInput = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 512, description: 'The code from the email.' }),
    password: NewPassword,
  },
  { additionalProperties: false },
);
export type ResetInput = Static<typeof ResetInput>;

/** The answer of POST /v1/auth/password/forgot, whether there is such an account or not. */
export const ResetAccepted = Type.Object({ status: Type.Literal('accepted') }, { title: 'ResetAccepted' });

/** The answer of POST /v1/auth/password/reset. */
export const PasswordChanged = Type.Object({ status: Type.Literal('password_changed') }, { title: 'PasswordChanged' });

/** The body of POST /v1/auth/email/verify. */
export const VerificationInput = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 512, description: 'The code from the email.' }) },
  { additionalProperties: false },
);

/** The answer of POST /v1/auth/email/verify. */
export const Verified = Type.Object({ status: Type.Literal('verified') }, { title: 'EmailVerified' });

/** The answer of POST /v1/auth/email/verification. */
export const VerificationSent = Type.Object({ status: Type.Literal('sent') }, { title: 'VerificationSent' });

const Timestamp = Type.String({ format: 'date-time' });

/** A login of the user as the API shows one. */
export const OwnLogin = Type.Object(
  {
    id: Type.String({ pattern: idPattern('loginSession') }),
    kind: Type.Enum(['api', 'browser', 'dashboard'], {
      description:
        '`api`: created by POST /v1/auth/login. `dashboard`: the same, with a cookie. `browser`: created on the login page for OAuth apps.',
    }),
    created_at: Timestamp,
    last_seen_at: Type.String({
      format: 'date-time',
      description:
        'When the session was created, last refreshed, or last used by a browser. Use of a cookie is noted once an hour.',
    }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'When the session ends unless it is refreshed, or used if it has a cookie.',
    }),
    client_address: Type.Union([Type.String(), Type.Null()]),
    user_agent: Type.Union([Type.String(), Type.Null()]),
    organization_id: Type.Union([Type.String({ pattern: idPattern('organization') }), Type.Null()], {
      description:
        'The organization that requests act in by default. Null for a browser session, where the user chooses each time.',
    }),
    is_current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  },
  { title: 'OwnLogin' },
);
export type OwnLogin = Static<typeof OwnLogin>;
