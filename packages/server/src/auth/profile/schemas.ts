import { type Static, Type } from 'typebox';
import { NameInput } from '../../users/index.ts';
import { NewPassword, PresentPassword } from '../passwords/schemas.ts';

const AvatarUrl = Type.String({
  format: 'uri',
  pattern: '^https://',
  maxLength: 2048,
  description: 'An https address of a picture; null removes it, and the neutral silhouette is shown.',
});

/** The body of PATCH /v1/me. What is left out stays as it is. */
export const ProfileInput = Type.Object(
  {
    name: Type.Optional(NameInput),
    avatar_url: Type.Optional(Type.Union([AvatarUrl, Type.Null()])),
    password: Type.Optional(NewPassword),
    current_password: Type.Optional(PresentPassword),
  },
  { additionalProperties: false },
);
export type ProfileInput = Static<typeof ProfileInput>;
