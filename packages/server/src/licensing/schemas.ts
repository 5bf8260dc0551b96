import { type Static, Type } from 'typebox';
import { FeatureValue } from '../billing/index.ts';
import { idPattern } from '../ids/index.ts';
import { REFUSAL_CODES } from './errors.ts';
import { WaitingBody } from './waits/schemas.ts';

export const HARDWARE_ID_FORMAT = 'hw_[a-z0-9]{32}';

export const Timestamp = Type.String({ format: 'date-time' });
const OfflineUntil = Type.String({
  format: 'date-time',
  description: 'The time until which the seat needs no heartbeat. The seat is then freed.',
});
const LicenseId = Type.String({ pattern: idPattern('license') });
const SessionId = Type.String({ pattern: idPattern('seatSession') });
const HardwareId = Type.String({
  pattern: `^${HARDWARE_ID_FORMAT}$`,
  description: 'The machine, as the client named it.',
});
const Features = Type.Record(Type.String(), FeatureValue, {
  title: 'LicenseFeatures',
  description:
    'The features of the license: ai_assistance, cloud_workstations, team_collaboration, and priority_support, each true or false, and any that the vendor adds, which can also be numbers or strings.',
});
const SeatCount = Type.Integer({ minimum: 0 });

export const License = Type.Object(
  {
    id: LicenseId,
    key: Type.String({ description: 'Four groups of five characters, separated by hyphens.' }),
    product: Type.String(),
    max_seats: Type.Integer({ minimum: 1, description: 'The maximum number of simultaneous sessions.' }),
    active_seats: SeatCount,
    status: Type.Enum(['active', 'suspended', 'expired', 'revoked']),
    expires_at: Type.Union([Timestamp, Type.Null()], { description: 'ISO 8601 in UTC. Null for a perpetual license.' }),
    created_at: Timestamp,
  },
  { title: 'License' },
);

/** A session as defined in service.md, and as events show it. */
/** Null for a machine that was activated with a license key. */
export const SeatHolder = Type.Union([Type.String(), Type.Null()]);

export const EventSession = Type.Object({
  id: SessionId,
  user_id: SeatHolder,
  activation_id: Type.Optional(
    Type.String({ description: 'The activation, if the seat was taken with a license key instead of by a user.' }),
  ),
  hardware_id: HardwareId,
  started_at: Timestamp,
  last_heartbeat: Timestamp,
});

/** A member of the organization, for the admins among its members. */
export const NamedUser = Type.Object(
  { id: Type.String(), name: Type.String(), email: Type.String() },
  { title: 'NamedUser' },
);

/** `user`, if names are shown. Its presence depends on the caller, never on the user. */
const ShownUser = Type.Optional(
  Type.Union([NamedUser, Type.Null()], {
    description: 'The user. Only admins get this field. Null if the user is no longer a member.',
  }),
);

export const LicenseSession = Type.Object(
  {
    ...EventSession.properties,
    user: ShownUser,
    hostname: Type.Union([Type.String(), Type.Null()], { description: '`metadata.hostname`, if it is a string.' }),
    client_version: Type.Union([Type.String(), Type.Null()], {
      description: '`metadata.client_version`, if it is a string.',
    }),
    offline_until: Type.Union([OfflineUntil, Type.Null()], {
      description: 'The time until which the seat needs no heartbeat. Null if the seat is not offline.',
    }),
  },
  { title: 'LicenseSession' },
);

/** One seat of a license, on the map of its seats. */
export const LicenseSeat = Type.Object(
  {
    slot: Type.Integer({ minimum: 1, description: 'The number of the seat, from 1 to max_seats.' }),
    session: Type.Union([LicenseSession, Type.Null()], {
      description: 'The active session that holds the seat. Null if the seat is free.',
    }),
  },
  { title: 'LicenseSeat' },
);

export const LicenseDetail = Type.Object(
  {
    ...License.properties,
    available_seats: SeatCount,
    features: Features,
    sessions: Type.Array(LicenseSession, { description: 'The active sessions, newest first, at most 100.' }),
  },
  { title: 'LicenseDetail' },
);

export const SessionRecord = Type.Object(
  {
    ...LicenseSession.properties,
    license_id: LicenseId,
    status: Type.Enum(['active', 'released', 'timed_out']),
    ended_at: Type.Union([Timestamp, Type.Null()]),
    released_by: Type.Union([Type.String(), Type.Null()], {
      description:
        'The ID of the user, admin, staff member, or operator token that released the session. Null if it was not released.',
    }),
    metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { title: 'LicenseSessionRecord' },
);

export const SeatRefusal = Type.Object(
  {
    id: Type.String({ pattern: idPattern('seatRefusal') }),
    code: Type.Enum([...REFUSAL_CODES], { description: 'The error code that the acquires returned.' }),
    activation_id: Type.Optional(Type.String()),
    user_id: Type.Union([Type.String(), Type.Null()], {
      description:
        'Null for an activated machine, and if so many users and machines were refused in this minute that they are not listed individually.',
    }),
    hardware_id: Type.Union([HardwareId, Type.Null()], {
      description: 'The machine. Null if more machines were refused in this minute than are listed individually.',
    }),
    count: Type.Integer({ minimum: 1, description: 'How many acquires were refused.' }),
    first_at: Timestamp,
    last_at: Type.String({
      format: 'date-time',
      description: 'The time of the last refusal, in the same minute as first_at.',
    }),
    active_seats: Type.Integer({
      minimum: 0,
      description: 'The number of seats in use at the last of these refusals.',
    }),
    max_seats: Type.Integer({
      minimum: 1,
      description: 'The number of seats of the license at the last of these refusals.',
    }),
    user: ShownUser,
  },
  { title: 'SeatRefusal' },
);

const { user: _user, ...RefusalProperties } = SeatRefusal.properties;

/** A refusal among those of all organizations. */
export const OperatorRefusal = Type.Object(
  { ...RefusalProperties, organization_id: Type.String(), license_id: LicenseId },
  { title: 'OperatorRefusal' },
);

export const LicenseDemand = Type.Object(
  {
    points: Type.Array(
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'When the hour or day begins.' }),
          peak: Type.Integer({ minimum: 0, description: 'The most seats in use at one moment.' }),
          refused: Type.Integer({ minimum: 0, description: 'How many acquires were refused, with any error code.' }),
          waiting_peak: Type.Integer({
            minimum: 0,
            description: 'The most machines in the waiting list at one moment.',
          }),
        },
        { title: 'DemandPoint' },
      ),
      { description: 'One for each hour or day, including those with no use, oldest first.' },
    ),
    suggested_seats: Type.Integer({
      minimum: 0,
      description:
        'How many seats would have been enough: the highest number, over all minutes, of the most seats in use at one moment plus the users and machines that were refused in that minute.',
    }),
  },
  { title: 'LicenseDemand' },
);

/** At most 50 keys; the use case also limits the total size as JSON. */
const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 50,
  // The record's own key type would lose its bounds: it becomes a pattern that matches everything.
  propertyNames: { minLength: 1, maxLength: 64 },
  description:
    'Any data to store with the session, at most 50 keys and 8 KiB of JSON. If you set `project_id`, it must be the ID of an active project; the session then counts toward its usage.',
});

export const AcquireBody = Type.Object(
  {
    license_key: Type.String({ minLength: 1, maxLength: 128 }),
    // The format has its own error code, so the use case checks it.
    hardware_id: Type.String({
      published: { pattern: `^${HARDWARE_ID_FORMAT}$` },
      description: `An ID of the machine, chosen by the client, in the format ${HARDWARE_ID_FORMAT}.`,
    }),
    metadata: Type.Optional(Metadata),
    wait_seconds: Type.Optional(WaitingBody),
    offline_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_536_000,
        description:
          "Keeps the seat without heartbeats for this many seconds, up to the license's `policy.max_offline_seconds`. The license token is valid for the same time.",
      }),
    ),
  },
  { additionalProperties: false },
);

export const Acquired = Type.Object(
  {
    session_id: SessionId,
    license_token: Type.String({ description: 'A JWT signed with RS256. Verify it offline with the public key.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When the license token expires.' }),
    heartbeat_interval: Type.Integer({ minimum: 1, description: 'Seconds between heartbeats.' }),
    features: Features,
    offline_until: Type.Optional(OfflineUntil),
  },
  { title: 'AcquiredSeat' },
);

export const SessionBody = Type.Object(
  { session_id: Type.String({ minLength: 1, maxLength: 64 }) },
  { additionalProperties: false },
);

export const Heartbeat = Type.Object(
  {
    session_id: SessionId,
    status: Type.Literal('active'),
    next_heartbeat_due: Timestamp,
    license_token: Type.Optional(
      Type.String({
        description: 'A new license token. Returned when less than half of the lifetime of the last one remains.',
      }),
    ),
    expires_at: Type.Optional(Timestamp),
  },
  { title: 'Heartbeat' },
);

const MayRunUntil = Type.String({
  format: 'date-time',
  description:
    'Present only if an admin released an offline seat: the time until which its program may keep running without noticing. Until then, the session is in the revocation list.',
});

export const Released = Type.Object(
  {
    session_id: SessionId,
    status: Type.Literal('released'),
    released_at: Timestamp,
    may_run_until: Type.Optional(MayRunUntil),
  },
  { title: 'ReleasedSeat' },
);

export const PublicKey = Type.Object(
  {
    algorithm: Type.Literal('RS256'),
    key_id: Type.String(),
    public_key: Type.String({ description: 'The public key in PEM format (SPKI).' }),
    jwk: Type.Record(Type.String(), Type.Unknown()),
    issuer: Type.String(),
    audience: Type.String(),
  },
  { title: 'LicensePublicKey' },
);

export const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
  { title: 'JsonWebKeySet' },
);

export type LicenseResource = Static<typeof License>;
export type DemandResource = Static<typeof LicenseDemand>;
export type RefusalResource = Static<typeof SeatRefusal>;
export type SessionResource = Static<typeof EventSession>;
export type NamedSessionResource = Static<typeof LicenseSession>;
export type NamedUserResource = Static<typeof NamedUser>;
