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
      description: 'The error code that acquire answers with for this reason.',
    }),
    message: Type.String({ description: 'The reason, for people.' }),
    since: Type.Union([Timestamp, Type.Null()], { description: 'Null if it is not known.' }),
    holders: Type.Optional(
      Type.Array(LicenseSession, {
        description: 'For no_seats_available: who holds the seats, newest first, at most 100.',
      }),
    ),
  },
  { title: 'RefusalReason' },
);

const { user: _, ...Refusal } = SeatRefusal.properties;

export const Explanation = Type.Object(
  {
    can_acquire: Type.Boolean({ description: 'Whether the user would get a seat on another machine now.' }),
    reasons: Type.Array(Reason, {
      description: 'Why not. The first one is what acquire answers with. Empty if can_acquire is true.',
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
      description: "The user's active sessions of the license. Acquire on one of their machines returns its session.",
    }),
    refusals: Type.Array(Type.Object(Refusal, { title: 'ExplainedRefusal' }), {
      description: 'The last 20 refusals of the user by this license, newest first.',
    }),
  },
  { title: 'SeatExplanation' },
);
export type Explanation = Static<typeof Explanation>;
export type ReasonResource = Static<typeof Reason>;
