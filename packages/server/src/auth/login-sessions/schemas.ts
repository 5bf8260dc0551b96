import { type Static, Type } from 'typebox';
import { AccountEmailInput, UserSummary } from '../../users/index.ts';
import { CodeOrRecoveryCode } from '../two-factor/schemas.ts';

/** The body of POST /v1/auth/login. The rules for new passwords do not apply to existing ones. */
export const Credentials = Type.Object(
  { email: AccountEmailInput, password: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);
export type Credentials = Static<typeof Credentials>;

/** The body of POST /v1/auth/refresh. */
export const RefreshInput = Type.Object(
  { refresh_token: Type.String({ minLength: 1, maxLength: 512 }) },
  { additionalProperties: false },
);

/** The tokens of a login. */
export const SessionTokens = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String(),
    expires_at: Type.String({ format: 'date-time', description: 'When the access token expires.' }),
  },
  { title: 'SessionTokens' },
);
export type SessionTokens = Static<typeof SessionTokens>;

/** The tokens of a complete login, and their user. */
export const LoginResult = Type.Object(
  { status: Type.Literal('logged_in'), user: UserSummary, ...SessionTokens.properties },
  { title: 'LoginResult' },
);
export type LoginResult = Static<typeof LoginResult>;

/** The same for a login whose secret is a cookie known only to the browser. */
export const CookieLogin = Type.Object(
  {
    status: Type.Literal('logged_in_with_cookie'),
    user: UserSummary,
    expires_at: Type.String({ format: 'date-time', description: 'When the session ends unless it is used.' }),
  },
  { title: 'CookieLogin' },
);
export type CookieLogin = Static<typeof CookieLogin>;

/** The answer of register, and of a login that is complete, by the requested transport. */
export const CompletedLogin = Type.Union([LoginResult, CookieLogin], { title: 'CompletedLogin' });
export type CompletedLogin = Static<typeof CompletedLogin>;

/** The response to a correct password when the second factor is still required. */
const TwoFactorRequired = Type.Object(
  {
    status: Type.Literal('two_factor_required'),
    requires_2fa: Type.Literal(true),
    challenge_token: Type.String({
      description: 'For POST /v1/auth/2fa/verify. Expires after 5 minutes or 5 attempts.',
    }),
    method: Type.Literal('totp'),
  },
  { title: 'TwoFactorRequired' },
);

/** The answer of login: tokens, a cookie, or the challenge where two-factor is on. */
export const LoginAnswer = Type.Union([LoginResult, CookieLogin, TwoFactorRequired], { title: 'LoginAnswer' });
export type LoginAnswer = Static<typeof LoginAnswer>;

/** The body of POST /v1/auth/2fa/verify. */
export const ChallengeAnswer = Type.Object(
  { challenge_token: Type.String({ minLength: 1, maxLength: 512 }), code: CodeOrRecoveryCode },
  { additionalProperties: false },
);

/** The answer of POST /v1/auth/logout. */
export const LoggedOut = Type.Object({ status: Type.Literal('logged_out') }, { title: 'LoggedOut' });
export type LoggedOut = Static<typeof LoggedOut>;
