import { type Static, Type } from 'typebox';
import { FeatureValue } from '../billing/index.ts';
import { idPattern } from '../ids/index.ts';

export const HARDWARE_ID_FORMAT = 'hw_[a-z0-9]{32}';

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' });
const LicenseId = Type.String({ pattern: idPattern('license') });
const SessionId = Type.String({ pattern: idPattern('seatSession') });
const HardwareId = Type.String({
  pattern: `^${HARDWARE_ID_FORMAT}$`,
  description: 'The machine, as the client named it.',
});
const Features = Type.Record(Type.String(), FeatureValue, {
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

export const LicenseSession = Type.Object(
  { id: SessionId, user_id: Type.String(), hardware_id: HardwareId, started_at: Timestamp, last_heartbeat: Timestamp },
  { title: 'LicenseSession' },
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
    metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  },
  { title: 'LicenseSessionRecord' },
);

/** At most 50 keys; the whole is bounded again as JSON in the use case. */
const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 50,
  // The record's own key type would lose its bounds: it becomes a pattern that matches everything.
  propertyNames: { minLength: 1, maxLength: 64 },
  description:
    'Any data to store with the session, at most 50 keys and 8 KiB of JSON. If you set `project_id`, it must be the ID of an active project; the session then counts toward its usage.',
});

export const AcquireBody = Type.Object(
  {
    license_key: Type.String({ minLength: 1, maxLength: 64 }),
    // The format has an error code of its own, so it is checked by the use case.
    hardware_id: Type.String({
      published: { pattern: `^${HARDWARE_ID_FORMAT}$` },
      description: `An ID of the machine, chosen by the client, in the format ${HARDWARE_ID_FORMAT}.`,
    }),
    metadata: Type.Optional(Metadata),
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

export const Released = Type.Object(
  { session_id: SessionId, status: Type.Literal('released'), released_at: Timestamp },
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
export type SessionResource = Static<typeof LicenseSession>;
