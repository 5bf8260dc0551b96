import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../http/index.ts';
import { LICENSING_ERRORS } from './errors.ts';
import { publishedKeySet, publishedPublicKey } from './license-tokens/publish-keys.ts';
import { readLicense, readLicenses } from './licenses/read-licenses.ts';
import { projectUsageRoutes } from './project-usage/routes.ts';
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
import { acquiresAMinute, countBySession } from './seats/count-by-session.ts';
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

const SESSION_ID = 'sess_01kagt2m8xf3q9wz5r7e6b4c1d';
const TOKEN_EXAMPLE = {
  license_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImtleV8wMWthZ3QyLi4uIn0.eyJzdWIiOiJ1c3JfMDFrYWd0MiJ9.c2lnbmF0dXJl',
  expires_at: '2026-02-01T12:00:00.000Z',
};
const LICENSE_EXAMPLE = {
  id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1e',
  key: 'A1B2C-3D4E5-F6G7H-8J9K4',
  product: 'studio',
  max_seats: 10,
  active_seats: 1,
  status: 'active',
  expires_at: '2026-12-31T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
};
const FEATURES_EXAMPLE = {
  ai_assistance: true,
  cloud_workstations: true,
  team_collaboration: true,
  priority_support: false,
};
const SESSION_EXAMPLE = {
  id: SESSION_ID,
  user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
  hardware_id: 'hw_0123456789abcdef0123456789abcdef',
  started_at: '2026-01-31T09:00:00.000Z',
  last_heartbeat: '2026-01-31T11:59:00.000Z',
};
const JWK_EXAMPLE = {
  kty: 'RSA',
  n: 'u7Zq0cXo4m9…',
  e: 'AQAB',
  kid: 'key_01kagt2m8xf3q9wz5r7e6b4c1g',
  use: 'sig',
  alg: 'RS256',
};

const EXAMPLES = {
  licenses: { data: [LICENSE_EXAMPLE] },
  licenseDetail: {
    data: { ...LICENSE_EXAMPLE, available_seats: 9, features: FEATURES_EXAMPLE, sessions: [SESSION_EXAMPLE] },
  },
  sessions: {
    data: [
      {
        ...SESSION_EXAMPLE,
        license_id: LICENSE_EXAMPLE.id,
        status: 'active',
        ended_at: null,
        metadata: { hostname: 'workstation-7' },
      },
    ],
  },
  acquire: {
    body: { license_key: LICENSE_EXAMPLE.key, hardware_id: SESSION_EXAMPLE.hardware_id },
    data: { session_id: SESSION_ID, ...TOKEN_EXAMPLE, heartbeat_interval: 60, features: FEATURES_EXAMPLE },
  },
  heartbeat: {
    body: { session_id: SESSION_ID },
    data: {
      session_id: SESSION_ID,
      status: 'active',
      next_heartbeat_due: '2026-01-31T12:01:00.000Z',
      ...TOKEN_EXAMPLE,
    },
  },
  release: {
    body: { session_id: SESSION_ID },
    data: { session_id: SESSION_ID, status: 'released', released_at: '2026-01-31T12:00:00.000Z' },
  },
  publicKey: {
    data: {
      algorithm: 'RS256',
      key_id: JWK_EXAMPLE.kid,
      public_key:
        '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…\n-----END PUBLIC KEY-----\n',
      jwk: JWK_EXAMPLE,
      issuer: 'https://localhost:8443',
      audience: 'seathold-client',
    },
  },
  keySet: { data: { keys: [JWK_EXAMPLE] } },
};

/** The room's endpoints, whole. */
export function licensingRoutes(state: LicensingState): Route[] {
  return [...readRoutes(), ...seatRoutes(state), ...keyRoutes(state), ...projectUsageRoutes()];
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
      example: EXAMPLES.licenses,
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
      example: EXAMPLES.licenseDetail,
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
          project_id: Text,
          started_after: Time,
        },
      },
      status: 200,
      response: SessionRecord,
      errors: {},
      example: EXAMPLES.sessions,
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
      limitAtLeast: ({ organizationId }) => acquiresAMinute(state, organizationId),
      body: AcquireBody,
      status: 201,
      alsoStatus: 200,
      response: Acquired,
      errors: { no_seats_available, ...inForce, invalid_hardware_id, validation_failed: HTTP_ERRORS.validation_failed },
      example: EXAMPLES.acquire,
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
        "Send one within every heartbeat interval. A fresh license_token comes when less than half of the last one is left. Requests count for each session, not against the user's limits.",
      access: ACCESS.manageLicenses,
      countedResource: countBySession(state, 'heartbeat'),
      body: SessionBody,
      status: 200,
      response: Heartbeat,
      errors: { session_timeout, session_released, ...inForce },
      example: EXAMPLES.heartbeat,
      handle: (context, { body }) => heartbeatSeat(state, context, body),
      present: (beat) => presentBeat(state, beat),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/release',
      operationId: 'releaseSeat',
      tag: 'Seats',
      summary: 'Give a seat back',
      description:
        "Releasing a released session again answers the first release. Admins may release anyone’s. Requests count for each session, not against the user's limits.",
      access: ACCESS.manageLicenses,
      countedResource: countBySession(state, 'release'),
      body: SessionBody,
      status: 200,
      response: Released,
      errors: { session_timeout },
      example: EXAMPLES.release,
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
      example: EXAMPLES.publicKey,
      handle: async () => ({ data: await publishedPublicKey(state) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      tag: 'Licenses',
      summary: 'Read every key that license tokens in the field are signed with',
      access: ACCESS.public,
      isForAnyOrigin: true,
      status: 200,
      alsoStatus: 304,
      response: KeySet,
      raw: 'application/jwk-set+json',
      errors: {},
      example: EXAMPLES.keySet,
      handle: async () => ({ data: await publishedKeySet(state), headers: { 'cache-control': 'public, max-age=300' } }),
    }),
  ];
}
