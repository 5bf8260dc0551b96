import { Type } from 'typebox';
import { defineEvent } from '../events/index.ts';
import { REFUSAL_EXAMPLE } from './refusals/example.ts';
import { EventSession, License, SeatHolder, SeatRefusal, SessionRecord, Timestamp } from './schemas.ts';

const Ids = { session_id: Type.String(), license_id: Type.String() };
const Counts = { active_seats: Type.Integer(), max_seats: Type.Integer() };

/** Exactly the members that service.md lists. */
const SeatAcquired = Type.Object(
  { ...Ids, user_id: SeatHolder, hardware_id: Type.String(), ...Counts },
  { additionalProperties: false },
);
/**
 * How a session ended, as in its record. Data from the program, such as its host, may name a person, so it is not sent.
 */
const { released_by, offline_until } = SessionRecord.properties;
const SeatReleased = Type.Object({
  ...EventSession.properties,
  status: Type.Literal('released'),
  released_at: Timestamp,
  ended_at: Timestamp,
  released_by,
  offline_until,
  ...Ids,
  ...Counts,
});
const SeatTimeout = Type.Object({
  ...EventSession.properties,
  status: Type.Literal('timed_out'),
  timeout_at: Timestamp,
  ended_at: Timestamp,
  released_by,
  offline_until,
  ...Ids,
  ...Counts,
});
const { user: _, ...Refusal } = SeatRefusal.properties;
const SeatRefused = Type.Object({ ...Refusal, license_id: Type.String() }, { title: 'SeatRefusedEventObject' });
const LicenseTold = Type.Object({ ...License.properties, license_id: Type.String() }, { title: 'LicenseEventObject' });

const IDS = { session_id: 'sess_01kagt2m8xf3q9wz5r7e6b4c1d', license_id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1e' };
const USER_ID = 'usr_01kagt2m8xf3q9wz5r7e6b4c1f';
const HARDWARE_ID = 'hw_0123456789abcdef0123456789abcdef';
const SESSION = {
  id: IDS.session_id,
  user_id: USER_ID,
  hardware_id: HARDWARE_ID,
  started_at: '2026-01-31T09:00:00.000Z',
  last_heartbeat: '2026-01-31T11:59:00.000Z',
};
const LICENSE = {
  id: IDS.license_id,
  license_id: IDS.license_id,
  key: 'A1B2C-3D4E5-F6G7H-8J9K4',
  product: 'studio',
  max_seats: 10,
  active_seats: 10,
  status: 'active' as const,
  expires_at: '2026-12-31T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
};

export const LICENSE_SEAT_ACQUIRED = defineEvent({
  type: 'license.seat.acquired',
  description: 'A client acquired a seat. The object has exactly these members.',
  schema: SeatAcquired,
  example: { ...IDS, user_id: USER_ID, hardware_id: HARDWARE_ID, active_seats: 3, max_seats: 10 },
});

export const LICENSE_SEAT_RELEASED = defineEvent({
  type: 'license.seat.released',
  description: 'A client or an admin released a seat.',
  schema: SeatReleased,
  example: {
    ...SESSION,
    status: 'released',
    released_at: '2026-01-31T12:00:00.000Z',
    ended_at: '2026-01-31T12:00:00.000Z',
    released_by: USER_ID,
    offline_until: null,
    ...IDS,
    active_seats: 2,
    max_seats: 10,
  },
});

export const LICENSE_SEAT_TIMEOUT = defineEvent({
  type: 'license.seat.timeout',
  description: 'A seat was released due to inactivity.',
  schema: SeatTimeout,
  example: {
    ...SESSION,
    status: 'timed_out',
    timeout_at: '2026-01-31T12:02:00.000Z',
    ended_at: '2026-01-31T12:02:00.000Z',
    released_by: null,
    offline_until: null,
    ...IDS,
    active_seats: 2,
    max_seats: 10,
  },
});

export const LICENSE_SEATS_EXHAUSTED = defineEvent({
  type: 'license.seats.exhausted',
  description: 'The last seat was acquired. All seats are in use.',
  schema: LicenseTold,
  example: LICENSE,
});

export const LICENSE_SEAT_REFUSED = defineEvent({
  type: 'license.seat.refused',
  description:
    'An acquire was refused. Sent at most once a minute for each license and error code, with the last refusal. `GET /v1/licenses/{license_id}/refusals` lists them all.',
  schema: SeatRefused,
  example: { ...REFUSAL_EXAMPLE, license_id: IDS.license_id },
});

export const LICENSE_CREATED = defineEvent({
  type: 'license.created',
  description: 'The operator issued a license. For licenses that a subscription pays for, see `subscription.*` events.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 0 },
});

export const LICENSE_UPDATED = defineEvent({
  type: 'license.updated',
  description: 'The operator changed the seats or the expiry of a license.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 4, max_seats: 20 },
});

export const LICENSE_SUSPENDED = defineEvent({
  type: 'license.suspended',
  description: 'The operator suspended the license: acquires and heartbeats are refused until it is reinstated.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 4, status: 'suspended' },
});

export const LICENSE_REINSTATED = defineEvent({
  type: 'license.reinstated',
  description: 'The operator reinstated a suspended license.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 0 },
});

export const LICENSE_REVOKED = defineEvent({
  type: 'license.revoked',
  description: 'The operator revoked the license: acquires and heartbeats are refused permanently.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 4, status: 'revoked' },
});

export const LICENSE_EXPIRING = defineEvent({
  type: 'license.expiring',
  description: 'A license expires within 7 days and will not renew automatically. Sent once for each expiry date.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 4 },
});

export const LICENSE_EXPIRED = defineEvent({
  type: 'license.expired',
  description: 'The license has expired.',
  schema: LicenseTold,
  example: { ...LICENSE, active_seats: 0, status: 'expired' },
});

/** The room's part of the catalogue. */
export const LICENSING_EVENTS = [
  LICENSE_SEAT_ACQUIRED,
  LICENSE_SEAT_RELEASED,
  LICENSE_SEAT_TIMEOUT,
  LICENSE_SEATS_EXHAUSTED,
  LICENSE_SEAT_REFUSED,
  LICENSE_CREATED,
  LICENSE_UPDATED,
  LICENSE_SUSPENDED,
  LICENSE_REINSTATED,
  LICENSE_REVOKED,
  LICENSE_EXPIRING,
  LICENSE_EXPIRED,
];
