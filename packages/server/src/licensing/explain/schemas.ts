import { type Static, Type } from 'typebox';
import { REFUSAL_CODES } from '../errors.ts';
import { License, LicenseSession, NamedUser, SeatRefusal, Timestamp } from '../schemas.ts';

export const ExplainParameters = Type.Object({
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 320, description: 'The user. Or send user_id.' })),
  user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  license_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The license, as the user typed it. Or send license_id.',
    }),
  ),
  license_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export type ExplainQuery = Static<typeof ExplainParameters>;

const Reason = Type.Object(
  {
    code: Type.Enum(['organization_suspended', 'not_found', ...REFUSAL_CODES], {
      description: 'The error code that an acquire returns for this reason.',
    }),
    message: Type.String({ description: 'A description of the reason.' }),
    since: Type.Union([Timestamp, Type.Null()], { description: 'When this reason began to apply. Null if unknown.' }),
    holders: Type.Optional(
      Type.Array(LicenseSession, {
        description: 'For no_seats_available: the sessions that hold the seats, newest first, at most 100.',
      }),
    ),
  },
  { title: 'RefusalReason' },
);

const { user: _, ...Refusal } = SeatRefusal.properties;

export const Explanation = Type.Object(
  {
    can_acquire: Type.Boolean({ description: 'Whether the user could get a seat on another machine now.' }),
    reasons: Type.Array(Reason, {
      description: 'Why the user cannot get a seat. An acquire returns the first reason. Empty if can_acquire is true.',
    }),
    user: Type.Object(
      {
        ...NamedUser.properties,
        role: Type.Union([Type.Enum(['admin', 'billing', 'member']), Type.Null()], {
          description: 'In the organization that owns the license. Null if the user is not a member.',
        }),
      },
      { title: 'ExplainedUser' },
    ),
    license: Type.Object({ ...License.properties, organization_id: Type.String() }, { title: 'ExplainedLicense' }),
    sessions: Type.Array(LicenseSession, {
      description:
        "The user's active sessions of the license. An acquire on one of their machines returns its existing session.",
    }),
    refusals: Type.Array(Type.Object(Refusal, { title: 'ExplainedRefusal' }), {
      description: 'The last 20 refusals of this user by the license, newest first.',
    }),
  },
  { title: 'SeatExplanation' },
);
export type Explanation = Static<typeof Explanation>;
export type ReasonResource = Static<typeof Reason>;
