import { type Static, Type } from 'typebox';
import { ROLES, STAFF_ROLES, VISIBLE_LINE } from '../http/index.ts';
import { idPattern } from '../ids/index.ts';

/** The part of a user in the response to a login. */
export const UserSummary = Type.Object(
  {
    id: Type.String({ pattern: idPattern('user') }),
    email: Type.String(),
    name: Type.String(),
  },
  { title: 'UserSummary' },
);
export type UserSummary = Static<typeof UserSummary>;

/** The URL of a user's picture, as the API and the events show it. */
export const AvatarUrl = Type.String({
  format: 'uri',
  description: "The user's picture, or a default picture if they have none.",
});

/** A user as the API shows one, in the organization that the token acts in (service.md "User"). */
export const User = Type.Object(
  {
    ...UserSummary.properties,
    avatar_url: AvatarUrl,
    created_at: Type.String({ format: 'date-time' }),
    email_verified: Type.Boolean({ description: 'Whether the user has verified the email address.' }),
    two_factor_enabled: Type.Boolean({ description: 'Whether two-factor authentication is on.' }),
    organization: Type.Object({
      id: Type.String({ pattern: idPattern('organization') }),
      name: Type.String(),
      role: Type.Enum([...ROLES]),
    }),
    staff: Type.Union([Type.Object({ role: Type.Enum([...STAFF_ROLES]) }), Type.Null()], {
      description:
        "The user's role among the vendor's staff. Null for everyone else. It takes effect only for logins with two-factor authentication.",
    }),
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

const EMAIL = {
  minLength: 1,
  maxLength: 320,
  description: 'An email address. Leading and trailing spaces and letter case are ignored.',
};

/** A new email address. It is checked after normalization, so format and length are only published. */
export const EmailInput = Type.String({ ...EMAIL, published: { format: 'email', maxLength: 254 } });

/** The email address of an account that may exist. An invalid address is treated like one without an account. */
export const AccountEmailInput = Type.String(EMAIL);

/** A person's name in a request: visible, and without control characters. */
export const NameInput = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: VISIBLE_LINE,
});
