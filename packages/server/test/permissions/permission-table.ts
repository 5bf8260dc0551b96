import { expect } from 'vitest';
import { LICENSE_READS, SEAT_ROUTES } from './license-routes.ts';
import { WEBHOOK_ACTS, WEBHOOK_READS } from './webhook-routes.ts';

/*
 * Who may call what, copied from the documented table. It is deliberately not derived from the code's own table
 * (http/access.ts): two tables written independently have to agree.
 */

export type Role = 'member' | 'billing' | 'admin';
export type StaffRole = 'viewer' | 'support' | 'finance' | 'owner';

/**
 * The staff roles, besides `owner`, that may do it for the organization in X-Organization-Id. `self` if it is about the
 * caller's own account, and `never` if only members may.
 */
export type Acting = readonly StaffRole[] | 'self' | 'never';

/** What one row of the table requires of a caller. */
export type Demand =
  | { token: false }
  | {
      token: true;
      scope?: string;
      role: Role;
      acting: Acting;
      /** No API or OAuth token is enough, whatever its scopes. */
      sessionOnly?: boolean;
      /** The path parameter in which users can name themselves. They then need only a session token. */
      orSelf?: string;
      /** Whether the session of a portal link may use it. */
      byPortal?: boolean;
    }
  /** Only for staff and programs with this staff role, and for no member, whatever their scopes and role. */
  | { token: true; staff: StaffRole };

interface Row {
  name: string;
  demand: Demand;
  /** `METHOD path`, where {} represents any one parameter. Some have no route yet. */
  routes: readonly string[];
}

const OTHER_METHODS = ['POST', 'PATCH', 'DELETE'] as const;
/** Every method that changes something at a path. */
const changes = (path: string) => OTHER_METHODS.map((method) => `${method} ${path}`);

/** Every staff role sees everything. */
const VIEWERS = ['viewer', 'support', 'finance'] as const;

const ROWS: readonly Row[] = [
  {
    name: 'GET /me, /auth/me',
    demand: { token: true, scope: 'read:profile', role: 'member', acting: 'self' },
    routes: ['GET /v1/me', 'GET /v1/auth/me'],
  },
  {
    name: 'PATCH /me, 2fa, sessions, api-tokens, oauth-apps',
    demand: { token: true, scope: 'write:profile', role: 'member', sessionOnly: true, acting: 'self' },
    routes: [
      'PATCH /v1/me',
      'DELETE /v1/me',
      'POST /v1/auth/2fa/setup',
      'POST /v1/auth/2fa/enable',
      'POST /v1/auth/2fa/disable',
      'POST /v1/auth/2fa/recovery-codes',
      'POST /v1/auth/email/verification',
      'GET /v1/auth/sessions',
      'DELETE /v1/auth/sessions/{}',
      'GET /v1/auth/grants',
      'DELETE /v1/auth/grants/{}',
      ...['/v1/api-tokens', '/v1/oauth-apps'].flatMap((path) => [
        `GET ${path}`,
        `POST ${path}`,
        `GET ${path}/{}`,
        `PATCH ${path}/{}`,
        `DELETE ${path}/{}`,
      ]),
      'POST /v1/api-tokens/{}/rotate',
      'POST /v1/oauth-apps/{}/rotate-secret',
    ],
  },
  {
    name: 'GET /me/export',
    demand: { token: true, scope: 'read:profile', role: 'member', sessionOnly: true, acting: 'self' },
    routes: ['GET /v1/me/export'],
  },
  {
    name: 'GET /projects*',
    demand: { token: true, scope: 'read:projects', role: 'member', acting: VIEWERS },
    routes: ['GET /v1/projects', 'GET /v1/projects/{}', 'GET /v1/projects/{}/usage'],
  },
  {
    name: 'other /projects*',
    demand: { token: true, scope: 'write:projects', role: 'member', acting: ['support'] },
    routes: [...changes('/v1/projects'), ...changes('/v1/projects/{}')],
  },
  {
    name: 'GET /orgs*, members',
    demand: { token: true, scope: 'read:org', role: 'member', acting: VIEWERS },
    routes: ['GET /v1/orgs/{}', 'GET /v1/orgs/{}/members', 'GET /v1/orgs/{}/members/{}'],
  },
  {
    name: 'GET /orgs: those of the caller',
    demand: { token: true, scope: 'read:org', role: 'member', acting: 'self' },
    routes: ['GET /v1/orgs'],
  },
  {
    name: 'GET invitations, audit-log',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: VIEWERS },
    routes: ['GET /v1/orgs/{}/invitations', 'GET /v1/orgs/{}/invitations/{}', 'GET /v1/audit-log'],
  },
  {
    name: 'PATCH /orgs/{id}: support names it, finance knows whom to bill',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: ['support', 'finance'] },
    routes: ['PATCH /v1/orgs/{}'],
  },
  {
    name: 'DELETE /orgs/{id}',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: ['owner'] },
    routes: ['DELETE /v1/orgs/{}'],
  },
  {
    name: 'other members, invitations',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: ['support'] },
    routes: [
      'PATCH /v1/orgs/{}/members/{}',
      ...changes('/v1/orgs/{}/invitations'),
      ...changes('/v1/orgs/{}/invitations/{}'),
      'POST /v1/orgs/{}/invitations/{}/resend',
    ],
  },
  {
    name: 'other /orgs*: members may leave',
    demand: { token: true, scope: 'admin:org', role: 'admin', orSelf: 'user_id', acting: ['support'] },
    routes: ['DELETE /v1/orgs/{}/members/{}'],
  },
  {
    name: 'GET subscriptions, invoices, payment-methods, usage',
    demand: { token: true, scope: 'read:org', role: 'billing', acting: VIEWERS },
    routes: [
      'GET /v1/subscriptions',
      'GET /v1/subscriptions/{}',
      'GET /v1/subscriptions/preview',
      'GET /v1/subscriptions/{}/preview',
      'GET /v1/credit-balance',
      'GET /v1/invoices',
      'GET /v1/invoices/{}',
      'GET /v1/invoices/{}/pdf',
      'GET /v1/payment-methods',
      'GET /v1/payment-methods/{}',
      'GET /v1/usage',
    ],
  },
  {
    name: 'other subscriptions, payment-methods',
    demand: { token: true, scope: 'admin:org', role: 'billing', acting: ['finance'] },
    routes: [
      ...changes('/v1/subscriptions'),
      ...changes('/v1/subscriptions/{}'),
      'POST /v1/subscriptions/{}/cancel',
      'POST /v1/subscriptions/{}/resume',
      'POST /v1/invoices/{}/pay',
      ...changes('/v1/payment-methods'),
      ...changes('/v1/payment-methods/{}'),
    ],
  },
  {
    name: 'GET /licenses*, public-key',
    demand: { token: true, scope: 'read:licenses', role: 'member', acting: VIEWERS },
    routes: LICENSE_READS,
  },
  {
    name: 'acquire, waits, heartbeat: staff hold no seats',
    demand: { token: true, scope: 'manage:licenses', role: 'member', acting: 'never' },
    routes: SEAT_ROUTES,
  },
  {
    name: 'release',
    demand: { token: true, scope: 'manage:licenses', role: 'member', acting: ['support'] },
    routes: ['POST /v1/licenses/release'],
  },
  {
    name: 'revoking an activation',
    demand: { token: true, scope: 'manage:licenses', role: 'admin', acting: ['support'] },
    routes: ['DELETE /v1/licenses/{}/activations/{}'],
  },
  {
    name: 'GET /webhooks*',
    demand: { token: true, scope: 'read:org', role: 'admin', acting: VIEWERS, byPortal: true },
    routes: WEBHOOK_READS,
  },
  {
    name: 'GET /events',
    demand: { token: true, scope: 'read:org', role: 'admin', acting: VIEWERS },
    routes: ['GET /v1/events', 'GET /v1/events/stream', 'GET /v1/events/{}'],
  },
  {
    name: 'other /webhooks*',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: ['support'], byPortal: true },
    routes: [...changes('/v1/webhooks'), ...changes('/v1/webhooks/{}'), ...WEBHOOK_ACTS],
  },
  {
    name: 'portal links: staff would get the secrets that the portal shows',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: 'never' },
    routes: ['POST /v1/webhooks/portal-links'],
  },
  {
    name: '/event-types',
    demand: { token: true, role: 'member', acting: VIEWERS, byPortal: true },
    routes: ['GET /v1/event-types'],
  },
  {
    name: 'POST /auth/logout, /invitations/accept, POST /orgs',
    demand: { token: true, role: 'member', sessionOnly: true, acting: 'self' },
    routes: ['POST /v1/auth/logout', 'POST /v1/invitations/accept', 'POST /v1/orgs'],
  },
  {
    name: 'GET /sandbox/*',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: VIEWERS },
    routes: ['GET /v1/sandbox/clock'],
  },
  {
    name: 'other /sandbox/clock',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: ['support'] },
    routes: ['POST /v1/sandbox/clock/advance'],
  },
  {
    name: 'cards of the sandbox',
    demand: { token: true, scope: 'admin:org', role: 'admin', acting: ['finance'] },
    routes: ['POST /v1/sandbox/payment-methods', 'POST /v1/sandbox/payments/confirm'],
  },
  {
    name: 'GET /operator/*',
    demand: { token: true, staff: 'viewer' },
    routes:
      'payments subscriptions invoices exports/invoices exports/payments audit-log staff tokens refusals explain requests/{} organizations organizations/{} users users/{} overview products products/{} catalog licenses licenses/{}'
        .split(' ')
        .map((each) => `GET /v1/operator/${each}`),
  },
  {
    name: 'other /operator/* about money',
    demand: { token: true, staff: 'finance' },
    routes: ['POST /v1/operator/usage', 'POST /v1/operator/credits'],
  },
  {
    name: 'organizations (only an owner changes the status), users (of staff, only an owner) and licenses (only an owner revokes)',
    demand: { token: true, staff: 'support' },
    routes: [
      'POST /v1/operator/organizations',
      'PATCH /v1/operator/organizations/{}',
      ...['unlock', 'disable-two-factor'].map((act) => `POST /v1/operator/users/{}/${act}`),
      'POST /v1/operator/licenses',
      'PATCH /v1/operator/licenses/{}',
      ...['suspend', 'reinstate'].map((act) => `POST /v1/operator/licenses/{}/${act}`),
    ],
  },
  {
    name: 'staff, operator tokens and the end of a license or a customer',
    demand: { token: true, staff: 'owner' },
    routes: [
      'POST /v1/operator/licenses/{}/revoke',
      'DELETE /v1/operator/organizations/{}',
      ...['staff', 'staff/{}', 'tokens', 'tokens/{}'].flatMap((place) => changes(`/v1/operator/${place}`)),
      'PUT /v1/operator/catalog',
      'PUT /v1/operator/products/{}',
    ],
  },
  {
    name: '/plans, openapi.json, /.well-known/*, and whatever leads to a token or is proved by a mail or a signature',
    demand: { token: false },
    routes: [
      'GET /v1/plans',
      'GET /v1/plans/{}',
      'GET /v1/openapi.json',
      ...['jwks.json', 'license-revocations.jwt'].map((name) => `GET /.well-known/${name}`),
      ...['', '/oauth'].map((form) => `GET /.well-known/oauth-authorization-server${form}`),
      ...['register', 'login', 'refresh', '2fa/verify'].map((act) => `POST /v1/auth/${act}`),
      ...['password/forgot', 'password/reset', 'email/verify'].map((act) => `POST /v1/auth/${act}`),
      'POST /v1/providers/stripe/webhook',
      'POST /v1/licenses/activate',
      'POST /v1/webhooks/portal-links/exchange',
    ],
  },
];

/** What the table requires of a route's callers. Fails for a route in no row, or in several. */
export function demandOf(method: string, path: string): Demand {
  const asked = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
  const rows = ROWS.filter((row) => row.routes.includes(asked));
  expect(rows, `${asked} has ${rows.length} rows in the table, not one`).toHaveLength(1);
  return rows[0]?.demand ?? { token: false };
}
