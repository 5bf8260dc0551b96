import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../http/index.ts';
import { LICENSING_ERRORS } from './errors.ts';

import { getKeySet } from './license-tokens/get-key-set.ts';
import { getPublicKey } from './license-tokens/get-public-key.ts';
import { getLicense } from './licenses/get-license.ts';
import { LICENSE_LIST } from './licenses/license-list.ts';
import { listLicenses } from './licenses/list-licenses.ts';
import { listSessions } from './licenses/list-sessions.ts';
import type { LicensingTools } from './licensing-tools.ts';

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
import { acquiresAMinute, countBySession } from './seats/count-by-session.ts';
import { releaseSeat } from './seats/release-seats.ts';

import { presentHeartbeat, sendHeartbeat } from './seats/send-heartbeat.ts';
import { SESSION_LIST } from './sessions/session-list.ts';

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

/** All endpoints of the room. */
export function licensingRoutes(tools: LicensingTools): Route[] {
  return [...readRoutes(), ...seatRoutes(tools), ...keyRoutes(tools), ...projectUsageRoutes()];
}

function readRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses',
      operationId: 'listLicenses',
      tag: 'Licenses',
      summary: 'List licenses',
      description: 'Lists the licenses of the organization with the number of seats in use.',
      access: ACCESS.readLicenses,
      list: LICENSE_LIST,
      status: 200,
      response: License,
      errors: {},
      example: EXAMPLES.licenses,
      handle: (context, { page }) => listLicenses(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}',
      operationId: 'getLicense',
      tag: 'Licenses',
      summary: 'Get a license',
      description: 'Returns the license with its features and the sessions that hold a seat now.',
      access: ACCESS.readLicenses,
      params: LicensePath,
      status: 200,
      response: LicenseDetail,
      errors: {},
      example: EXAMPLES.licenseDetail,
      handle: (context, { params }) => getLicense(context, params.license_id),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/sessions',
      operationId: 'listLicenseSessions',
      tag: 'Licenses',
      summary: 'List the sessions of a license',
      description: 'Lists current and past sessions: who used which machine, from when to when.',
      access: ACCESS.readLicenses,
      params: LicensePath,
      list: SESSION_LIST,
      status: 200,
      response: SessionRecord,
      errors: {},
      example: EXAMPLES.sessions,
      handle: (context, { params, page }) => listSessions(context, params.license_id, page),
    }),
  ];
}

function seatRoutes(tools: LicensingTools): Route[] {
  const inForce = { license_expired, license_suspended, license_revoked };
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/acquire',
      operationId: 'acquireSeat',
      checksToken: true,
      tag: 'Seats',
      summary: 'Acquire a seat',
      description:
        'Returns 201 with a new session, or 200 with the session that this user already has on this machine. Verify the license_token offline with the public key.',
      access: ACCESS.useSeats,
      limit: 'acquire',
      limitAtLeast: ({ organizationId }) => acquiresAMinute(tools, organizationId),
      body: AcquireBody,
      status: 201,
      alsoStatus: 200,
      response: Acquired,
      errors: { no_seats_available, ...inForce, invalid_hardware_id, validation_failed: HTTP_ERRORS.validation_failed },
      example: EXAMPLES.acquire,
      handle: (context, { body }) => acquireSeat(context, tools, body),
      present: (grant) => presentGrant(tools, grant),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/heartbeat',
      operationId: 'heartbeatSeat',
      checksToken: true,
      tag: 'Seats',
      summary: 'Send a heartbeat',
      description:
        'Send a heartbeat at least once per heartbeat interval. The response contains a new license_token when less than half of the lifetime of the last one remains. Rate limits apply to each session, not to the user.',
      access: ACCESS.useSeats,
      countedResource: countBySession(tools, 'heartbeat'),
      body: SessionBody,
      status: 200,
      response: Heartbeat,
      errors: { session_timeout, session_released, ...inForce },
      example: EXAMPLES.heartbeat,
      handle: (context, { body }) => sendHeartbeat(context, tools, body),
      present: (answer) => presentHeartbeat(tools, answer),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/release',
      operationId: 'releaseSeat',
      checksToken: true,
      tag: 'Seats',
      summary: 'Release a seat',
      description:
        'Releasing a session again returns the first release. Admins can release any session. Rate limits apply to each session, not to the user.',
      access: ACCESS.releaseSeats,
      countedResource: countBySession(tools, 'release'),
      body: SessionBody,
      status: 200,
      response: Released,
      errors: { session_timeout },
      example: EXAMPLES.release,
      handle: (context, { body }) => releaseSeat(context, tools, body),
    }),
  ];
}

function keyRoutes(tools: LicensingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/public-key',
      operationId: 'getLicensePublicKey',
      tag: 'Licenses',
      summary: 'Get the public key',
      description:
        'Returns the key that signs license tokens now, as PEM and JWK, with the issuer and audience to expect. After a rotation, older tokens have another key: see GET /.well-known/jwks.json.',
      access: ACCESS.readLicenses,
      status: 200,
      response: PublicKey,
      errors: {},
      example: EXAMPLES.publicKey,
      handle: async () => ({ data: await getPublicKey(tools) }),
    }),
    defineRoute({
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getKeySet',
      tag: 'Licenses',
      summary: 'List the keys that verify license tokens',
      description:
        'Returns a JSON Web Key Set with every key that may have signed a license token that is still valid. Choose the key by the `kid` of the token.',
      access: ACCESS.public,
      isForAnyOrigin: true,
      status: 200,
      alsoStatus: 304,
      response: KeySet,
      raw: 'application/jwk-set+json',
      errors: {},
      example: EXAMPLES.keySet,
      handle: async () => ({ data: await getKeySet(tools), headers: { 'cache-control': 'public, max-age=300' } }),
    }),
  ];
}
