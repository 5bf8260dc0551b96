import { Type } from 'typebox';

/** The body of POST /v1/auth/email/verify. */
export const VerificationInput = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 512, description: 'The code of the mail.' }) },
  { additionalProperties: false },
);

/** The answer of POST /v1/auth/email/verify. */
export const Verified = Type.Object({ status: Type.Literal('verified') }, { title: 'EmailVerified' });

/** The answer of POST /v1/auth/email/verification. */
export const VerificationSent = Type.Object({ status: Type.Literal('sent') }, { title: 'VerificationSent' });
