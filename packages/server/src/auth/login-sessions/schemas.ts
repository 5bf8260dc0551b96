import { type Static, Type } from 'typebox';
import { EmailInput, NameInput, UserSummary } from '../../users/index.ts';

/** The body of POST /v1/auth/register. */
export const Registration = Type.Object(
  {
    email: EmailInput,
    password: Type.String({
      minLength: 10,
      maxLength: 256,
      description: 'Not one of the common ones, nor the name or the address itself.',
    }),
    name: NameInput,
  },
  { additionalProperties: false },
);
export type Registration = Static<typeof Registration>;

/** The body of POST /v1/auth/login. The rules for new passwords do not hold for old ones. */
export const Credentials = Type.Object(
  { email: EmailInput, password: Type.String({ minLength: 1, maxLength: 256 }) },
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

/** The answer of register and login. */
export const LoginResult = Type.Object({ user: UserSummary, ...SessionTokens.properties }, { title: 'LoginResult' });
export type LoginResult = Static<typeof LoginResult>;

/** The answer of POST /v1/auth/logout. */
export const LoggedOut = Type.Object({ status: Type.Literal('logged_out') });
export type LoggedOut = Static<typeof LoggedOut>;
