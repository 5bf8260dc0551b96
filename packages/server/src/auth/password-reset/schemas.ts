import { type Static, Type } from 'typebox';
import { EmailInput } from '../../users/index.ts';
import { NewPassword } from '../passwords/schemas.ts';

/** The body of POST /v1/auth/password/forgot. */
export const ForgottenInput = Type.Object({ email: EmailInput }, { additionalProperties: false });
export type ForgottenInput = Static<typeof ForgottenInput>;

/** The body of POST /v1/auth/password/reset. */
export const ResetInput = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 512, description: 'The code of the mail.' }),
    password: NewPassword,
  },
  { additionalProperties: false },
);
export type ResetInput = Static<typeof ResetInput>;

/** The answer of POST /v1/auth/password/forgot, whether there is such an account or not. */
export const ResetAccepted = Type.Object({ status: Type.Literal('accepted') }, { title: 'ResetAccepted' });

/** The answer of POST /v1/auth/password/reset. */
export const PasswordChanged = Type.Object({ status: Type.Literal('password_changed') }, { title: 'PasswordChanged' });
