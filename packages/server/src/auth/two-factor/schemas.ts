import { type Static, Type } from 'typebox';

const Code = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Six digits from the authenticator app. Spaces make no difference.',
});

const CodeOrRecoveryCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Six digits from the authenticator app, or a recovery code in any case, with or without its hyphen.',
});

/** The answer of POST /v1/auth/2fa/setup. */
export const TwoFactorSetup = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base32, for typing it into an authenticator app.' }),
    otpauth_url: Type.String({ description: 'The same as an address, for showing it as a QR code.' }),
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

/** The body of POST /v1/auth/2fa/verify. */
export const ChallengeAnswer = Type.Object(
  { challenge_token: Type.String({ minLength: 1, maxLength: 512 }), code: CodeOrRecoveryCode },
  { additionalProperties: false },
);

/** The answer of enabling two-factor, and of renewing the recovery codes. */
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Shown this once. Each takes the place of a code from the app, once.',
    }),
  },
  { title: 'RecoveryCodes' },
);

/** The answer of POST /v1/auth/2fa/disable. */
export const TwoFactorDisabled = Type.Object({ status: Type.Literal('disabled') }, { title: 'TwoFactorDisabled' });
