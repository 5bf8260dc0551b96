import type { ApiAnswer } from '../harness/api-client.ts';
import { type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../harness/join-organization.ts';
import { plantDeliveries } from '../harness/plant-deliveries.ts';
import { plantEndpoint } from '../harness/plant-endpoint.ts';
import { plantGrant } from '../harness/plant-grant.ts';
import { registerStaff } from '../harness/staff.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../harness/two-factor.ts';
import { makeOperatorToken } from '../usage/usage-world.ts';
import { CUSTOMER_CASES } from './customer-cases.ts';
import { ACTIVATION_CASES, LICENSE_CASES, SEATS_WITHOUT_AUDIT } from './license-cases.ts';

/** A call that succeeds, and who made it. */
export interface AuditedCall {
  answer: ApiAnswer;
  actor: Member;
  /** The operator token that made it, instead of the actor's login. */
  operatorTokenId?: string;
}

/** An admin. Staff or their programs may do what the case is about in the admin's organization. */
export interface Customer extends Member {
  servedBy?: { token: string; headers: Readonly<Record<string, string>> };
}

/** Where the cases run: one app, and a new user per case, who is the admin of their own organization. */
export class AuditWorld {
  readonly test: TestApp;
  readonly clock: MovedClock;

  private constructor(test: TestApp, clock: MovedClock) {
    this.test = test;
    this.clock = clock;
  }

  static async start(): Promise<AuditWorld> {
    const clock = new MovedClock();
    return new AuditWorld(await startTestApp({ clock, environment: 'sandbox' }), clock);
  }

  /** Sends the call that a case is about. */
  send(actor: Customer, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const by: Required<Customer>['servedBy'] = actor.servedBy ?? { token: actor.accessToken, headers: {} };
    return this.test.api.call(method, path, { ...by, ...(body === undefined ? {} : { body }) });
  }

  /** The data returned by a call that only prepares the case. */
  async data(actor: Customer, method: string, path: string, body?: unknown) {
    const { servedBy: _served, ...customer } = actor;
    const answer = await this.send(customer, method, path, body);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body.data;
  }
}

/** Changes that the audit log does not record, and why. */
export const WITHOUT_AUDIT: Readonly<Record<string, string>> = {
  ...SEATS_WITHOUT_AUDIT,
  'POST /v1/licenses/release':
    'a seat has its session, which is kept forever, and its events; releases by staff are recorded (seats/release-by-staff.test.ts)',
  'POST /v1/sandbox/payment-methods': "it stands in for a browser's form; the card is recorded when it is attached",
  'POST /v1/sandbox/payments/confirm': 'it stands in for the customer; the consequences have their events and invoices',
  'POST /v1/auth/2fa/setup': 'nothing changes until two-factor is enabled',
  'POST /v1/auth/email/verification': 'it only sends a mail; the verification of the address is recorded',
};

type Case = (world: AuditWorld, actor: Customer) => Promise<ApiAnswer>;

const TOKEN = { name: 'Nightly build', scopes: ['read:profile'], expires_at: null };
const APP = {
  name: 'Console',
  redirect_uris: ['https://console.example.com/back'],
  scopes: ['read:profile'],
  confidential: true,
};

const WEBHOOK = { url: 'https://93.184.216.34/hooks', events: ['*'] };
const VISA = { payment_method_id: 'pm_card_visa' };
/** A purchase with it waits for the customer, with an open invoice. */
const NEEDS_CUSTOMER = 'pm_card_authenticationRequired';
const REPLAY = { since: '2020-01-01T00:00:00Z' };
const TEST_EVENT = { type: 'license.expired' };

/** Creates an object in a collection and then calls the object's own address. */
const onNew =
  (collection: string, thing: unknown, method: string, suffix = '', body?: unknown): Case =>
  async (world, actor) => {
    const { id } = await world.data(actor, 'POST', collection, thing);
    return world.send(actor, method, `${collection}/${id}${suffix}`, body);
  };

/** A call that needs no preparation. */
function callTo(method: string, path: string, body: unknown): Case {
  return (world, actor) => world.send(actor, method, path, body);
}

const ofMember =
  (method: string, body?: unknown): Case =>
  async (world, actor) => {
    const colleague = await joinOrganization(world.test, actor);
    return world.send(actor, method, `/v1/orgs/${actor.organizationId}/members/${colleague.userId}`, body);
  };

/** For users with two-factor enabled, who prove a change to it with their password and a code. */
const withProof =
  (path: string): ((world: AuditWorld) => Promise<AuditedCall>) =>
  async (world) => {
    const actor = await registerWithTwoFactor(world.test, world.clock);
    const proof = { password: actor.password, code: codeAt(world.clock, actor.secret) };
    return { actor, answer: await world.send(actor, 'POST', path, proof) };
  };

/** Acts on a subscription with two seats that the actor has just bought. */
const onBought =
  (method: string, suffix: string, body?: unknown): Case =>
  async (world, actor) =>
    world.send(actor, method, `/v1/subscriptions/${await buy(world, actor)}${suffix}`, body);

async function buy(world: AuditWorld, actor: Customer, quantity = 2): Promise<string> {
  const order = { plan_id: await proPlan(world, actor), quantity, ...VISA };
  return (await world.data(actor, 'POST', '/v1/subscriptions', order)).id;
}

/** The plan that is not free. */
async function proPlan(world: AuditWorld, actor: Customer): Promise<string> {
  const plans: Array<{ id: string; price: number | null }> = await world.data(actor, 'GET', '/v1/plans');
  return plans.find(({ price }) => price !== null && price > 0)?.id ?? '';
}

const CASES: Readonly<Record<string, Case>> = {
  ...ACTIVATION_CASES,
  'DELETE /v1/me': (world, actor) => world.send(actor, 'DELETE', '/v1/me', { password: actor.password }),
  'PATCH /v1/me': callTo('PATCH', '/v1/me', { name: 'Augusta' }),
  'POST /v1/auth/logout': callTo('POST', '/v1/auth/logout', {}),
  'POST /v1/auth/2fa/enable': async (world, actor) => {
    const { secret } = await world.data(actor, 'POST', '/v1/auth/2fa/setup');
    return world.send(actor, 'POST', '/v1/auth/2fa/enable', { code: codeAt(world.clock, secret) });
  },
  'DELETE /v1/auth/sessions/{id}': async (world, actor) => {
    const { email, password } = actor;
    await world.test.api.post('/v1/auth/login', undefined, { email, password });
    const [newest] = await world.data(actor, 'GET', '/v1/auth/sessions');
    return world.send(actor, 'DELETE', `/v1/auth/sessions/${newest.id}`);
  },
  'DELETE /v1/auth/grants/{id}': async (world, actor) => {
    const { id } = await plantGrant(world.test, actor);
    return world.send(actor, 'DELETE', `/v1/auth/grants/${id}`);
  },
  'POST /v1/api-tokens': callTo('POST', '/v1/api-tokens', TOKEN),
  'POST /v1/api-tokens/{id}/rotate': onNew('/v1/api-tokens', TOKEN, 'POST', '/rotate', {}),
  'DELETE /v1/api-tokens/{id}': onNew('/v1/api-tokens', TOKEN, 'DELETE'),
  'POST /v1/oauth-apps': callTo('POST', '/v1/oauth-apps', APP),
  'PATCH /v1/oauth-apps/{id}': onNew('/v1/oauth-apps', APP, 'PATCH', '', { name: 'Another' }),
  'DELETE /v1/oauth-apps/{id}': onNew('/v1/oauth-apps', APP, 'DELETE'),
  'POST /v1/oauth-apps/{id}/rotate-secret': onNew('/v1/oauth-apps', APP, 'POST', '/rotate-secret', {}),
  'POST /v1/orgs': callTo('POST', '/v1/orgs', { name: 'Analytical Engines' }),
  'PATCH /v1/orgs/{organization_id}': (world, actor) =>
    world.send(actor, 'PATCH', `/v1/orgs/${actor.organizationId}`, { name: 'Difference Engines' }),
  'DELETE /v1/orgs/{organization_id}': async (world, actor) => {
    const path = `/v1/orgs/${actor.organizationId}`;
    const { name } = await world.data(actor, 'GET', path);
    return world.send(actor, 'DELETE', path, { confirm: name });
  },
  'PATCH /v1/orgs/{organization_id}/members/{user_id}': ofMember('PATCH', { role: 'billing' }),
  'DELETE /v1/orgs/{organization_id}/members/{user_id}': ofMember('DELETE'),
  'POST /v1/orgs/{organization_id}/invitations': (world, actor) =>
    world.send(actor, 'POST', `/v1/orgs/${actor.organizationId}/invitations`, {
      email: 'grace@example.com',
      role: 'member',
    }),
  'DELETE /v1/orgs/{organization_id}/invitations/{invitation_id}': async (world, actor) => {
    const path = `/v1/orgs/${actor.organizationId}/invitations`;
    const { id } = await world.data(actor, 'POST', path, { email: 'kay@example.com', role: 'member' });
    return world.send(actor, 'DELETE', `${path}/${id}`);
  },
  'POST /v1/invitations/accept': async (world, actor) => {
    const admin = await world.test.register();
    const token = await inviteToOrganization(world.test, admin, 'member', actor.email);
    return world.send(actor, 'POST', '/v1/invitations/accept', { token });
  },
  'POST /v1/subscriptions': async (world, actor) =>
    world.send(actor, 'POST', '/v1/subscriptions', { plan_id: await proPlan(world, actor), quantity: 2, ...VISA }),
  'PATCH /v1/subscriptions/{subscription_id}': onBought('PATCH', '', { quantity: 3 }),
  'POST /v1/subscriptions/{subscription_id}/cancel': onBought('POST', '/cancel', {}),
  'POST /v1/subscriptions/{subscription_id}/resume': async (world, actor) => {
    const id = await buy(world, actor);
    await world.data(actor, 'POST', `/v1/subscriptions/${id}/cancel`, {});
    return world.send(actor, 'POST', `/v1/subscriptions/${id}/resume`);
  },
  'POST /v1/invoices/{invoice_id}/pay': async (world, actor) => {
    const order = { plan_id: await proPlan(world, actor), quantity: 1, payment_method_id: NEEDS_CUSTOMER };
    const { id } = await world.data(actor, 'POST', '/v1/subscriptions', order);
    const [invoice] = await world.data(actor, 'GET', `/v1/invoices?subscription_id=${id}`);
    return world.send(actor, 'POST', `/v1/invoices/${invoice.id}/pay`);
  },
  'POST /v1/payment-methods': callTo('POST', '/v1/payment-methods', VISA),
  'DELETE /v1/payment-methods/{payment_method_id}': onNew('/v1/payment-methods', VISA, 'DELETE'),
  'POST /v1/projects': callTo('POST', '/v1/projects', { name: 'Feature film' }),
  'PATCH /v1/projects/{project_id}': onNew('/v1/projects', { name: 'Film' }, 'PATCH', '', { name: 'Short film' }),
  'POST /v1/sandbox/clock/advance': callTo('POST', '/v1/sandbox/clock/advance', { seconds: 60 }),
  'POST /v1/webhooks': callTo('POST', '/v1/webhooks', WEBHOOK),
  'POST /v1/webhooks/portal-links': callTo('POST', '/v1/webhooks/portal-links', {}),
  'PATCH /v1/webhooks/{webhook_id}': onNew('/v1/webhooks', WEBHOOK, 'PATCH', '', { status: 'paused' }),
  'DELETE /v1/webhooks/{webhook_id}': onNew('/v1/webhooks', WEBHOOK, 'DELETE'),
  'POST /v1/webhooks/{webhook_id}/rotate-secret': onNew('/v1/webhooks', WEBHOOK, 'POST', '/rotate-secret', {}),
  'POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry': async (world, actor) => {
    const endpoint = await plantEndpoint(world.test, actor.organizationId, WEBHOOK.url);
    const [delivery] = await plantDeliveries(world.test, endpoint, { status: 'failed' });
    return world.send(actor, 'POST', `/v1/webhooks/${endpoint.id}/deliveries/${delivery?.id}/retry`);
  },
  'POST /v1/webhooks/{webhook_id}/replay': onNew('/v1/webhooks', WEBHOOK, 'POST', '/replay', REPLAY),
  'POST /v1/webhooks/{webhook_id}/replays/{replay_id}/cancel': async (world, actor) => {
    const { id } = await world.data(actor, 'POST', '/v1/webhooks', WEBHOOK);
    const replay = await world.data(actor, 'POST', `/v1/webhooks/${id}/replay`, REPLAY);
    return world.send(actor, 'POST', `/v1/webhooks/${id}/replays/${replay.id}/cancel`);
  },
  'POST /v1/webhooks/{webhook_id}/test': onNew('/v1/webhooks', WEBHOOK, 'POST', '/test', TEST_EVENT),
  'DELETE /v1/projects/{project_id}': onNew('/v1/projects', { name: 'Film' }, 'DELETE'),
};

/** The same call by a staff member who acts for the customer. */
export async function playForCustomer(
  world: AuditWorld,
  route: string,
  token: string,
): Promise<{ answer: ApiAnswer | undefined; customer: Member }> {
  const customer = await world.test.register();
  const headers = { 'x-organization-id': customer.organizationId };
  return { answer: await CASES[route]?.(world, { ...customer, servedBy: { token, headers } }), customer };
}

/** A call by the operator's program about an organization. */
async function byProgram({ test }: AuditWorld, path: string, input: object): Promise<AuditedCall> {
  const actor = await test.register();
  const { id, token } = await makeOperatorToken(test, null, 'finance');
  const body = { organization_id: actor.organizationId, ...input };
  return { actor, answer: await test.api.post(path, token, body), operatorTokenId: id };
}

/** A call by a staff owner, with their login. */
const asOwner =
  (play: Case): ((world: AuditWorld) => Promise<AuditedCall>) =>
  async (world) => {
    const actor = await registerStaff(world.test, world.clock, 'owner');
    return { actor, answer: await play(world, actor) };
  };

/** Adds a meter to the catalogue. */
const replaceCatalogue: Case = async (world, actor) => {
  const file = await world.data(actor, 'GET', '/v1/operator/catalog');
  const meters = [...file.meters, { name: 'audited', aggregation: 'sum' }];
  return world.send(actor, 'PUT', '/v1/operator/catalog', { ...file, meters });
};

const ofStaff =
  (method: string, body?: unknown): Case =>
  async (world, actor) => {
    const colleague = await registerStaff(world.test, world.clock, 'viewer');
    return world.send(actor, method, `/v1/operator/staff/${colleague.userId}`, body);
  };

const PRODUCT = { name: 'Audited', features: {} };
const OPERATOR_TOKEN = { name: 'Metering', role: 'finance' };

const WITH_OTHER_ACTORS: Readonly<Record<string, (world: AuditWorld) => Promise<AuditedCall>>> = {
  'POST /v1/operator/usage': (world) =>
    byProgram(world, '/v1/operator/usage', { meter: 'ai_tokens', value: 1, at: new Date().toISOString() }),
  'POST /v1/operator/credits': (world) =>
    byProgram(world, '/v1/operator/credits', { amount: 500, currency: 'usd', reason: 'An outage' }),
  ...Object.fromEntries(
    Object.entries({ ...LICENSE_CASES, ...CUSTOMER_CASES }).map(([route, play]) => [route, asOwner(play)]),
  ),
  'POST /v1/operator/staff': asOwner(
    callTo('POST', '/v1/operator/staff', { email: 'new.colleague@example.com', role: 'support' }),
  ),
  'PATCH /v1/operator/staff/{user_id}': asOwner(ofStaff('PATCH', { role: 'support' })),
  'DELETE /v1/operator/staff/{user_id}': asOwner(ofStaff('DELETE')),
  'POST /v1/operator/tokens': asOwner(callTo('POST', '/v1/operator/tokens', OPERATOR_TOKEN)),
  'DELETE /v1/operator/tokens/{id}': asOwner(onNew('/v1/operator/tokens', OPERATOR_TOKEN, 'DELETE')),
  'PUT /v1/operator/catalog': asOwner(replaceCatalogue),
  'PUT /v1/operator/products/{key}': asOwner(callTo('PUT', '/v1/operator/products/audited', PRODUCT)),
  'POST /v1/auth/2fa/disable': withProof('/v1/auth/2fa/disable'),
  'POST /v1/auth/2fa/recovery-codes': withProof('/v1/auth/2fa/recovery-codes'),
};

/** A successful call of each route that changes something and is recorded. */
export const AUDITED_CALLS: Readonly<Record<string, (world: AuditWorld) => Promise<AuditedCall>>> = {
  ...WITH_OTHER_ACTORS,
  ...Object.fromEntries(
    Object.entries(CASES).map(([route, play]) => [
      route,
      async (world: AuditWorld) => {
        const actor = await world.test.register();
        return { actor, answer: await play(world, actor) };
      },
    ]),
  ),
};
