import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../http/index.ts';
import { activationRoutes } from './activations/routes.ts';
import { demandRoutes } from './demand/routes.ts';
import { LICENSING_ERRORS } from './errors.ts';
import { explainRoutes } from './explain/routes.ts';

import { getKeySet } from './license-tokens/get-key-set.ts';
import { getPublicKey } from './license-tokens/get-public-key.ts';
import { FEATURES_EXAMPLE, LICENSE_EXAMPLE, SESSION_EXAMPLE } from './licenses/examples.ts';
import { licenseRoutes } from './licenses/routes.ts';
import type { LicensingTools } from './licensing-tools.ts';
import { operatorLicenseRoutes } from './operator/routes.ts';

import { projectUsageRoutes } from './project-usage/routes.ts';
import { refusalRoutes } from './refusals/routes.ts';
import { revocationRoutes } from './revocations/routes.ts';
import { AcquireBody, Acquired, Heartbeat, KeySet, PublicKey, Released, SessionBody } from './schemas.ts';
import { acquireSeat, presentGrant } from './seats/acquire-seat.ts';
import { acquiresAMinute, countBySession } from './seats/count-by-session.ts';
import { releaseSeat } from './seats/release-seats.ts';

import { presentHeartbeat, sendHeartbeat } from './seats/send-heartbeat.ts';
import { PLACE_EXAMPLE, waitRoutes } from './waits/routes.ts';
import { PlaceInLine } from './waits/schemas.ts';

const {
  no_seats_available,
  license_expired,
  license_suspended,
  license_revoked,
  user_not_allowed,
  offline_not_allowed,
  invalid_hardware_id,
  session_timeout,
  session_released,
} = LICENSING_ERRORS;

const IN_FORCE = { license_expired, license_suspended, license_revoked, user_not_allowed };
const ACQUIRE_ERRORS = {
  no_seats_available,
  ...IN_FORCE,
  offline_not_allowed,
  invalid_hardware_id,
  validation_failed: HTTP_ERRORS.validation_failed,
};

const SESSION_ID = SESSION_EXAMPLE.id;
const TOKEN_EXAMPLE = {
  license_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImtleV8wMWthZ3QyLi4uIn0.eyJzdWIiOiJ1c3JfMDFrYWd0MiJ9.c2lnbmF0dXJl',
  expires_at: '2026-02-01T12:00:00.000Z',
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
  return [
    ...licenseRoutes(),
    ...operatorLicenseRoutes(tools),
    ...seatRoutes(tools),
    ...waitRoutes(tools),
    ...activationRoutes(tools),
    ...refusalRoutes(),
    ...demandRoutes(),
    ...explainRoutes(),
    ...keyRoutes(tools),
    ...revocationRoutes(tools),
    ...projectUsageRoutes(),
  ];
}

function seatRoutes(tools: LicensingTools): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/acquire',
      operationId: 'acquireSeat',
      checksToken: true,
      tag: 'Seats',
      summary: 'Acquire a seat',
      description:
        'Returns 201 with a new session, or 200 with the session that this user already has on this machine. With `offline_seconds`, the seat needs no heartbeat until `offline_until`. With `wait_seconds`, returns 202 with a place in the waiting list if no seat is free. Verify the license_token offline with the public key.',
      access: ACCESS.useSeats,
      limit: 'acquire',
      limitAtLeast: ({ organizationId }) => acquiresAMinute(tools, organizationId),
      body: AcquireBody,
      status: 201,
      alsoStatus: 200,
      accepted: { response: PlaceInLine, example: PLACE_EXAMPLE },
      response: Acquired,
      errors: ACQUIRE_ERRORS,
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
      errors: { session_timeout, session_released, ...IN_FORCE },
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
        'Returns the key that signs license tokens now, as PEM and JWK, with the issuer and audience to expect. After a rotation, older tokens were signed with another key: see GET /.well-known/jwks.json.',
      access: ACCESS.readPublicKey,
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
