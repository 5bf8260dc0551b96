import { Type } from 'typebox';
import { ACCESS, defineRoute, type Route } from '../http/index.ts';
import { LICENSING_ERRORS } from './errors.ts';
import { publishedKeySet, publishedPublicKey } from './license-tokens/publish-keys.ts';
import { readLicense, readLicenses } from './licenses/read-licenses.ts';
import {
  AcquireBody,
  Acquired,
  Heartbeat,
  KeySet,
  License,
  LicenseDetail,
  PublicKey,
  Released,
  SessionBody,
  SessionRecord,
} from './schemas.ts';
import { acquireSeat, presentGrant } from './seats/acquire-seat.ts';
import { heartbeatSeat, presentBeat } from './seats/beat-seats.ts';
import { readSessions } from './seats/read-sessions.ts';
import { releaseSeat } from './seats/release-seats.ts';
import type { LicensingState } from './state.ts';

const {
  no_seats_available,
  license_expired,
  license_suspended,
  license_revoked,
  invalid_hardware_id,
  session_timeout,
  session_released,
} = LICENSING_ERRORS;

const LicensePath = Type.Object({ license_id: Type.String() });
const Time = { kind: 'time' } as const;
const Text = { kind: 'text' } as const;

/** The room's endpoints, whole. */
export function licensingRoutes(state: LicensingState): Route[] {
  return [...readRoutes(), ...seatRoutes(state), ...keyRoutes(state)];
}

function readRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses',
      operationId: 'listLicenses',
      tag: 'Licenses',
      summary: 'List licenses',
      access: ACCESS.readLicenses,
      list: {
        defaultSort: '-created_at',
        sorts: { created_at: 'time', expires_at: 'time', product: 'text' },
        filters: {
          status: { kind: 'enum', values: ['active', 'suspended', 'expired', 'revoked'] },
          product: Text,
          expires_before: Time,
          created_after: Time,
          created_before: Time,
        },
      },
      status: 200,
      response: License,
      errors: {},
      handle: (context, { page }) => readLicenses(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}',
      operationId: 'getLicense',
      tag: 'Licenses',
      summary: 'Read a license with its active sessions',
      access: ACCESS.readLicenses,
      params: LicensePath,
      status: 200,
      response: LicenseDetail,
      errors: {},
      handle: (context, { params }) => readLicense(context, params.license_id),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/sessions',
      operationId: 'listLicenseSessions',
      tag: 'Licenses',
      summary: 'List the sessions of a license, ended ones included',
      access: ACCESS.readLicenses,
      params: LicensePath,
      list: {
        defaultSort: '-started_at',
        sorts: { started_at: 'time', last_heartbeat: 'time' },
        filters: {
          status: { kind: 'enum', values: ['active', 'released', 'timed_out'] },
          user_id: Text,
          hardware_id: Text,
          started_after: Time,
        },
      },
      status: 200,
      response: SessionRecord,
      errors: {},
      handle: (context, { params, page }) => readSessions(context, params.license_id, page),
    }),
  ];
}

function seatRoutes(state: LicensingState): Route[] {
  const inForce = { license_expired, license_suspended, license_revoked };
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/acquire',
      operationId: 'acquireSeat',
      tag: 'Seats',
      summary: 'Take a seat',
      description:
        'Answers 201 with a new session, or 200 with the session that this user holds on this machine already. Check the license_token offline with the public key.',
      access: ACCESS.manageLicenses,
      limit: 'acquire',
      body: AcquireBody,
      status: 201,
      alsoStatus: 200,
      response: Acquired,
      errors: { no_seats_available, ...inForce, invalid_hardware_id },
      example: { body: { license_key: 'A1B2C-3D4E5-F6G7H-8J9K4', hardware_id: 'hw_0123456789abcdef0123456789abcdef' } },
      handle: (context, { body }) => acquireSeat(state, context, body),
      present: (grant) => presentGrant(state, grant),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/heartbeat',
      operationId: 'heartbeatSeat',
      checksToken: true,
      tag: 'Seats',
      summary: 'Keep a session alive',
      description:
        'Send one within every heartbeat interval. A fresh license_token comes when less than half of the last one is left.',
      access: ACCESS.manageLicenses,
      body: SessionBody,
      status: 200,
      response: Heartbeat,
      errors: { session_timeout, session_released, ...inForce },
      example: { body: { session_id: 'sess_01kagt2m8xf3q9wz5r7e6b4c1d' } },
      handle: (context, { body }) => heartbeatSeat(state, context, body),
      present: (beat) => presentBeat(state, beat),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/release',
      operationId: 'releaseSeat',
      tag: 'Seats',
      summary: 'Give a seat back',
      description: 'Releasing a released session again answers the first release. Admins may release anyone’s.',
      access: ACCESS.manageLicenses,
      body: SessionBody,
      status: 200,
      response: Released,
      errors: { session_timeout },
      example: { body: { session_id: 'sess_01kagt2m8xf3q9wz5r7e6b4c1d' } },
      handle: (context, { body }) => releaseSeat(state, context, body),
    }),
  ];
}

function keyRoutes(state: LicensingState): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/public-key',
      operationId: 'getLicensePublicKey',
      tag: 'Licenses',
      summary: 'Read the public key that checks license tokens',
      access: ACCESS.readLicenses,
      status: 200,
      response: PublicKey,
      errors: {},
      handle: async () => ({ data: await publishedPublicKey(state) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      tag: 'Licenses',
      summary: 'Read every key that license tokens in the field are signed with',
      access: ACCESS.public,
      status: 200,
      response: KeySet,
      raw: 'application/jwk-set+json',
      errors: {},
      handle: async () => ({ data: await publishedKeySet(state), headers: { 'cache-control': 'public, max-age=300' } }),
    }),
  ];
}
