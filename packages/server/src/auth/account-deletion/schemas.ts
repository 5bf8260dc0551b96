import { type Static, Type } from 'typebox';

/** The body of DELETE /v1/me. */
export const AccountDeletion = Type.Object(
  {
    password: Type.String({ minLength: 1, maxLength: 256 }),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Required when two-factor authentication is on: a code from your authenticator app, or a recovery code.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type AccountDeletion = Static<typeof AccountDeletion>;
