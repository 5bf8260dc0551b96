import { type Static, Type } from 'typebox';

const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Six digits from the authenticator app. Spaces are ignored.',
});

/** Either proves the second factor. */
export const CodeOrRecoveryCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    'Six digits from the authenticator app, or a recovery code. The hyphen and the letter case of a recovery code are ignored.',
});

/** The answer of POST /v1/auth/2fa/setup. */
export const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ description: 'The secret in Base32, to enter in an authenticator app.' }),
    otpauth_url: Type.String({ description: 'The secret as a URL, to show as a QR code.' }),
  },
  { title: 'TwoFactorSetup' },
);

/** The body of POST /v1/auth/2fa/enable. */
export const EnableInput = Type.Object({ code: Code }, { additionalProperties: false });

/** The body of POST /v1/auth/2fa/disable and of POST /v1/auth/2fa/recovery-codes. */
export const PasswordAndCode = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 256 }), code: CodeOrRecoveryCode },
  { additionalProperties: false },
);
export type PasswordAndCode = Static<typeof PasswordAndCode>;

/** The answer of enabling two-factor, and of renewing the recovery codes. */
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Shown only once. Each code works once in place of a code from the authenticator app.',
    }),
  },
  { title: 'RecoveryCodes' },
);

/** The answer of POST /v1/auth/2fa/disable. */
export const TwoFactorDisabled = Type.Object({ status: Type.Literal('disabled') }, { title: 'TwoFactorDisabled' });
