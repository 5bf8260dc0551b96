import { expect } from 'vitest';
import { hashToken, newToken } from '../../src/security/index.ts';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { joinOrganization } from '../harness/join-organization.ts';
import { plantDeliveries } from '../harness/plant-deliveries.ts';
import { plantEndpoint } from '../harness/plant-endpoint.ts';
import { plantGrant } from '../harness/plant-grant.ts';
import { plantInvoice } from '../harness/plant-invoice.ts';
import { plantPaymentMethod } from '../harness/plant-payment-method.ts';
import { plantSubscription } from '../harness/plant-sales.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import type { Role, StaffRole } from './permission-table.ts';

export const ROLES: readonly Role[] = ['member', 'billing', 'admin'];

export const STAFF_ROLES: readonly StaffRole[] = ['viewer', 'support', 'finance', 'owner'];

export const SCOPES = [
  'read:profile',
  'write:profile',
  'read:projects',
  'write:projects',
  'read:org',
  'admin:org',
  'read:licenses',
  'manage:licenses',
] as const;

/** The properties of a token. Written with SQL, because the API gives nobody more rights than their role. */
export interface TokenTerms {
  kind: 'session' | 'api' | 'oauth';
  scopes?: readonly string[];
  state?: 'alive' | 'expired' | 'revoked';
  prefix?: 'svc_test_';
  /** The organization that it acts in, if not the world's. */
  organizationId?: string;
  /** Whether the login of a session token passed two-factor. */
  passedTwoFactor?: boolean;
}

/** An organization's objects, and a token for their owner. */
export interface Things {
  ownerToken: string;
  /** The identifiers for the parameters of a route's path. Fails if there is no such object. */
  idsIn(path: string): Record<string, string>;
}

const APP = {
  name: 'App',
  redirect_uris: ['https://app.example.com/back'],
  scopes: ['read:profile'],
  confidential: true,
};

/** Payments are configured, although no provider is at this address: no request here gets that far. */
const STRIPE = {
  SEATHOLD_STRIPE_SECRET_KEY: 'sk_test_ofPermissions',
  SEATHOLD_STRIPE_WEBHOOK_SECRET: 'whsec_ofPermissions',
  SEATHOLD_STRIPE_API_BASE: 'http://127.0.0.1:1',
};

/**
 * An organization with a member in each role, a stranger with their own organization, and tokens of every kind.
 */
export class PermissionWorld {
  readonly test: TestApp;
  readonly stranger: Member;
  readonly #members: Readonly<Record<Role, Member>>;

  private constructor(test: TestApp, members: Readonly<Record<Role, Member>>, stranger: Member) {
    this.test = test;
    this.stranger = stranger;
    this.#members = members;
  }

  static async start(): Promise<PermissionWorld> {
    const test = await startTestApp({ settings: STRIPE });
    const admin = await test.register('Admin');
    const billing = await joinOrganization(test, admin, 'billing');
    const member = await joinOrganization(test, admin, 'member');
    return new PermissionWorld(test, { member, billing, admin }, await test.register('Stranger'));
  }

  get organizationId(): string {
    return this.#members.admin.organizationId;
  }

  userIn(role: Role): string {
    return this.#members[role].userId;
  }

  /** A new user of this role, whom a case may remove. */
  async addUser(role: Role): Promise<string> {
    return (await joinOrganization(this.test, this.#members.admin, role)).userId;
  }

  /** A place in the line of a full license. */
  async #join(token: string): Promise<string> {
    const { key } = await this.test.issueLicense(this.organizationId, { maxSeats: 1 });
    const acquire = (digit: string) => {
      const body = { license_key: key, hardware_id: `hw_${digit.repeat(32)}`, wait_seconds: 3_600 };
      return this.test.api.post('/v1/licenses/acquire', token, body);
    };
    await acquire('1');
    return (await acquire('2')).body.data.wait_id;
  }

  /** Creates one of everything that has its own identifier, as an admin of the organization. */
  async fill(): Promise<Things> {
    const ownerToken = await this.grant(this.userIn('admin'), { kind: 'session' });
    const make = async (path: string, body: unknown): Promise<Record<string, string>> => {
      const answer = await this.test.api.post(path, ownerToken, body);
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body.data;
    };
    const license = await this.test.issueLicense(this.organizationId, { policy: { activation: 'key' } });
    const machine = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
    await make('/v1/licenses/acquire', machine);
    const events = await this.test.api.get('/v1/events', ownerToken);
    const plans = await this.test.api.get('/v1/plans');
    const logins = await this.test.api.get('/v1/auth/sessions', ownerToken);
    const invitation = { email: 'someone@example.com', role: 'member' };
    const endpoint = await plantEndpoint(this.test, this.organizationId, 'https://93.184.216.34/hooks');
    const [delivery] = await plantDeliveries(this.test, endpoint, { status: 'failed' });
    const since = '2020-01-01T00:00:00Z';
    const replay = await this.test.api.post(`/v1/webhooks/${endpoint.id}/replay`, ownerToken, { since });
    const missing = await this.test.api.get('/v1/licenses/lic_missing', ownerToken);
    await this.test.runJob('http.write-request-records');
    const sold = { organizationId: this.organizationId, planId: plans.body.data[0].id };
    const ids: ReadonlyArray<readonly [string, string, string | undefined]> = [
      ['/v1/subscriptions/', 'subscription_id', await plantSubscription(this.test, sold)],
      ['/v1/licenses/', 'license_id', license.id],
      ['/v1/licenses/', 'wait_id', await this.#join(ownerToken)],
      ['/v1/licenses/', 'activation_id', (await make('/v1/licenses/activate', machine)).activation_id],
      ['/v1/operator/licenses/', 'license_id', license.id],
      ['/v1/events/', 'event_id', events.body.data[0].id],
      ['/v1/plans/', 'plan_id', plans.body.data[0].id],
      ['/v1/invoices/', 'invoice_id', (await plantInvoice(this.test, this.organizationId)).id],
      ['/v1/payment-methods/', 'payment_method_id', (await plantPaymentMethod(this.test, this.organizationId)).id],
      ['/v1/api-tokens/', 'id', (await make('/v1/api-tokens', { name: 'CI', scopes: ['read:profile'] })).id],
      ['/v1/oauth-apps/', 'id', (await make('/v1/oauth-apps', APP)).id],
      ['/v1/auth/sessions/', 'id', logins.body.data[0].id],
      ['/v1/auth/grants/', 'id', (await plantGrant(this.test, this.#members.admin)).id],
      ['/v1/operator/staff/', 'user_id', this.userIn('admin')],
      ['/v1/operator/users/', 'user_id', this.userIn('member')],
      ['/v1/operator/organizations/', 'id', this.organizationId],
      ['/v1/operator/tokens/', 'id', (await makeOperatorToken(this.test)).id],
      ['/v1/projects/', 'project_id', (await make('/v1/projects', { name: 'Film' })).id],
      ['/v1/webhooks/', 'webhook_id', endpoint.id],
      ['/v1/webhooks/', 'delivery_id', delivery?.id],
      ['/v1/webhooks/', 'replay_id', replay.body.data.id],
      ['/v1/operator/requests/', 'request_id', missing.body.meta.request_id],
      ['/v1/orgs/', 'organization_id', this.organizationId],
      ['/v1/orgs/', 'user_id', this.userIn('member')],
      ['/v1/orgs/', 'invitation_id', (await make(`/v1/orgs/${this.organizationId}/invitations`, invitation)).id],
    ];
    const idsIn = (path: string) =>
      Object.fromEntries(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
          const id = ids.find(([prefix, each]) => path.startsWith(prefix) && each === name)?.[2];
          expect(id, `nothing was made that {${name}} of ${path} could name`).toBeTruthy();
          return [name, id ?? ''];
        }),
      );
    return { ownerToken, idsIn };
  }

  /** Writes a user's token that acts in the organization, and returns it. */
  async grant(userId: string, terms: TokenTerms): Promise<string> {
    const { kind, scopes, state = 'alive' } = terms;
    const token = newToken(terms.prefix ?? PREFIXES[kind]);
    const sourceId = `${kind === 'session' ? 'login' : kind}_${token.slice(-20)}`;
    const organizationId = terms.organizationId ?? this.organizationId;
    const values = [organizationId, userId, sourceId, hashToken(token), kind, scopes ?? null, state];
    await execute(this.test.database, INSERT_TOKEN, values);
    if (kind === 'session') {
      await execute(this.test.database, INSERT_LOGIN, [
        userId,
        sourceId,
        organizationId,
        terms.passedTwoFactor ?? false,
      ]);
    }
    return token;
  }

  /** The token of a session opened by this user's portal link. */
  async grantPortal(userId: string): Promise<string> {
    const token = newToken('svc_wps_');
    const values = [hashToken(newToken('svc_wpl_')), `plink_${token.slice(-26)}`, this.organizationId, userId];
    await execute(this.test.database, INSERT_PORTAL_SESSION, [...values, hashToken(token)]);
    return token;
  }
}

const PREFIXES = { session: 'svc_sat_', api: 'svc_live_', oauth: 'svc_oat_' } as const;

const INSERT_PORTAL_SESSION = `insert into portal_links
    (link_hash, id, organization_id, user_id, created_at, expires_at, exchanged_at, session_hash, session_expires_at)
  select $1, $2, $3, $4, n.t, n.t, n.t, $5, n.t + interval '1 hour' from (select clock_timestamp() as t) n`;

const INSERT_TOKEN = `insert into bearer_tokens
    (organization_id, user_id, source_id, token_hash, kind, scopes, created_at, expires_at, revoked_at)
  select $1, $2, $3, $4, $5, $6, n.t - interval '2 hours',
    case $7 when 'expired' then n.t - interval '1 hour' else n.t + interval '1 hour' end,
    case $7 when 'revoked' then n.t - interval '1 minute' end
  from (select clock_timestamp() as t) n`;

const INSERT_LOGIN = `insert into login_sessions
    (user_id, id, organization_id, created_at, ends_at, last_seen_at, passed_two_factor)
  select $1, $2, $3, n.t, n.t + interval '1 day', n.t, $4 from (select clock_timestamp() as t) n`;
