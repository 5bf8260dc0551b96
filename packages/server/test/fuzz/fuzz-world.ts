import { newId } from '../../src/ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../src/security/index.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../harness/join-organization.ts';
import { plantGrant } from '../harness/plant-grant.ts';
import { joinLine } from './license-supplies.ts';
import type { RawAnswer } from './raw-connection.ts';
import { Supplies } from './supplies.ts';

/** The kinds of resources with identifiers in paths. */
type Kind =
  | 'license'
  | 'activation'
  | 'wait'
  | 'event'
  | 'apiToken'
  | 'oauthApp'
  | 'grant'
  | 'login'
  | 'organization'
  | 'user'
  | 'invitation'
  | 'project'
  | 'webhook'
  | 'delivery'
  | 'replay'
  | 'plan'
  | 'subscription'
  | 'invoice'
  | 'paymentMethod'
  | 'request'
  | 'operatorToken'
  | 'product';

interface Ids {
  own: string[];
  others: string[];
}

/** What requests can be made of: good values of two organizations, and values that are no longer good. */
export class FuzzWorld {
  readonly test: TestApp;
  /** She sends all requests that need no supply. */
  readonly ada: Member;
  /** A stranger to her, whose resources are foreign. */
  readonly eve: Member;
  /** A member of both her own organization and Ada's. */
  readonly grace: Member;
  readonly supplies: Supplies;
  readonly hardwareIds = Array.from({ length: 20 }, (_, n) => `hw_${String(n).padStart(32, '0')}`);
  readonly ids: Readonly<Record<Kind, Ids>>;
  readonly seatSessionIds: string[] = [];
  readonly mailedTokens: string[] = [];
  /** One with free seats, one full, one expired. */
  licenses: ReadonlyArray<{ id: string; key: string }> = [];
  foreignLicense = { id: '', key: '' };
  /** With every scope. */
  apiToken = '';
  /** Valid, but another user's, of a lesser role, or with a missing scope. */
  otherTokens: readonly string[] = [];
  badTokens: readonly string[] = [];
  readonly #cursors = new Map<string, string[]>();

  private constructor(test: TestApp, ada: Member, eve: Member, grace: Member) {
    this.test = test;
    this.ada = ada;
    this.eve = eve;
    this.grace = grace;
    this.supplies = new Supplies(test);
    const none = (): Ids => ({ own: [], others: [] });
    this.ids = {
      license: none(),
      activation: none(),
      wait: none(),
      event: none(),
      apiToken: none(),
      oauthApp: none(),
      grant: none(),
      login: none(),
      organization: { own: [ada.organizationId], others: [eve.organizationId, grace.organizationId] },
      user: { own: [grace.userId], others: [eve.userId] },
      invitation: none(),
      project: none(),
      webhook: none(),
      delivery: none(),
      replay: none(),
      plan: none(),
      subscription: none(),
      invoice: none(),
      paymentMethod: none(),
      // Only staff may request them.
      request: { own: [newId('request')], others: [newId('request')] },
      operatorToken: { own: [newId('operatorToken')], others: [newId('operatorToken')] },
      product: { own: ['seathold-demo'], others: ['another'] },
    };
  }

  /** Prepares both organizations. */
  static async create(test: TestApp): Promise<FuzzWorld> {
    const ada = await test.register('Ada');
    const eve = await test.register('Eve');
    const world = new FuzzWorld(test, ada, eve, await joinOrganization(test, ada));
    await world.#makeLicenses();
    await world.#makeThings(ada, 'own');
    await world.#makeThings(eve, 'others');
    const weak = await world.#make('/v1/api-tokens', ada, { name: 'weak', scopes: ['read:profile'] });
    world.apiToken = (await world.#make('/v1/api-tokens', ada, { name: 'fuzz', scopes: SCOPES })).token ?? '';
    world.otherTokens = [eve.accessToken, world.grace.accessToken, weak.token ?? ''];
    world.badTokens = await makeBadTokens(test, eve);
    await world.supplies.fill();
    return world;
  }

  /** The identifiers that fit a path parameter. */
  idsFor(path: string, name: string): Ids {
    const prefix = Object.keys(KINDS_OF_ID).find((each) => path.startsWith(each)) ?? '';
    const kind = KINDS[name] ?? KINDS_OF_ID[prefix];
    if (kind === undefined) {
      throw new Error(`nothing is known that {${name}} of ${path} could name`);
    }
    return this.ids[kind];
  }

  /** Cursors of this list, or of other lists while it has none. */
  cursorsFor(operationId: string): readonly string[] {
    return this.#cursors.get(operationId) ?? ['AAAA', ...[...this.#cursors.values()].flat()];
  }

  /** Remembers what later requests can use. */
  learn(operationId: string, answer: RawAnswer): void {
    if (
      answer.status >= 300 ||
      !answer.headers.get('content-type')?.startsWith('application/json;') ||
      answer.body === ''
    ) {
      return;
    }
    const body = JSON.parse(answer.body);
    this.test.api.secrets.noteBody(body);
    const kind = MADE[operationId];
    if (kind !== undefined) {
      remember(this.ids[kind].own, body.data.id);
    }
    if (operationId === 'acquireSeat' && answer.status !== 202) {
      remember(this.seatSessionIds, body.data.session_id);
    }
    if (typeof body.pagination?.next_cursor === 'string') {
      const cursors = this.#cursors.get(operationId) ?? [];
      this.#cursors.set(operationId, cursors);
      remember(cursors, body.pagination.next_cursor);
    }
  }

  async #makeLicenses(): Promise<void> {
    const { test, ada, eve } = this;
    this.licenses = [
      // It allows the longest time offline that can be requested.
      await test.issueLicense(ada.organizationId, { maxSeats: 5_000, policy: { max_offline_seconds: 31_536_000 } }),
      await test.issueLicense(ada.organizationId, { maxSeats: 1 }),
      await test.issueLicense(ada.organizationId, { expiresAt: new Date(Date.now() + 1_000).toISOString() }),
    ];
    this.foreignLicense = await test.issueLicense(eve.organizationId);
    this.ids.license.own.push(...this.licenses.map((each) => each.id));
    this.ids.license.others.push(this.foreignLicense.id);
    const [roomy] = this.licenses;
    const seat = { license_key: roomy?.key, hardware_id: this.hardwareIds[0] };
    const acquired = await test.api.post('/v1/licenses/acquire', ada.accessToken, seat);
    this.seatSessionIds.push(acquired.body.data.session_id);
  }

  /** Creates one of everything that has an identifier. */
  async #makeThings(member: Member, whose: keyof Ids): Promise<void> {
    const { ids, test } = this;
    const app = { name: 'App', redirect_uris: ['https://app.example/back'], scopes: SCOPES, confidential: true };
    const listFirst = async (list: string): Promise<string> =>
      (await test.api.get(list, member.accessToken)).body.data[0].id;
    this.mailedTokens.push(await inviteToOrganization(test, member, 'member', `guest-of-${whose}@example.com`));
    ids.invitation[whose].push(await listFirst(`/v1/orgs/${member.organizationId}/invitations`));
    ids.apiToken[whose].push((await this.#make('/v1/api-tokens', member, { name: 'CI', scopes: SCOPES })).id);
    ids.oauthApp[whose].push((await this.#make('/v1/oauth-apps', member, app)).id);
    ids.project[whose].push((await this.#make('/v1/projects', member, { name: 'Film' })).id);
    ids.project[whose].push((await this.#make('/v1/projects', member, { name: 'Series' })).id);
    const webhook = await this.#make('/v1/webhooks', member, WEBHOOK);
    ids.webhook[whose].push(webhook.id);
    const tested = `/v1/webhooks/${webhook.id}/test`;
    ids.delivery[whose].push((await this.#make(tested, member, { type: 'license.expired' }, 201)).id);
    const replayed = `/v1/webhooks/${webhook.id}/replay`;
    ids.replay[whose].push((await this.#make(replayed, member, { since: '2020-01-01T00:00:00Z' }, 201)).id);
    ids.activation[whose].push(await this.#activate(member));
    ids.wait[whose].push(await joinLine(test, member));
    ids.grant[whose].push((await plantGrant(test, member)).id);
    // Ada's own login must outlive every request.
    ids.login[whose].push(await listFirst('/v1/auth/sessions'));
    ids.event[whose].push(await listFirst('/v1/events'));
    // Plans are everyone's, so none is foreign.
    const planId = await listFirst('/v1/plans');
    ids.plan[whose].push(planId);
    // An order of the cheapest plan, which is free.
    const order = { plan_id: planId, quantity: 1, payment_method_id: 'pm_card_mastercard' };
    ids.subscription[whose].push((await this.#make('/v1/subscriptions', member, order)).id);
    const visa = { payment_method_id: 'pm_card_visa' };
    ids.paymentMethod[whose].push((await this.#make('/v1/payment-methods', member, visa)).id);
    ids.invoice[whose].push(await listFirst('/v1/invoices'));
  }

  /** A machine with its own key. */
  async #activate(member: Member): Promise<string> {
    const { key } = await this.test.issueLicense(member.organizationId, { policy: { activation: 'key' } });
    const machine = { license_key: key, hardware_id: this.hardwareIds[0] };
    return (await this.test.api.post('/v1/licenses/activate', undefined, machine)).body.data.activation_id;
  }

  async #make(path: string, member: Member, body: unknown, status = 201): Promise<{ id: string; token?: string }> {
    const answer = await this.test.api.post(path, member.accessToken, body);
    if (answer.status !== status) {
      throw new Error(`${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body.data;
  }
}

const WEBHOOK = { url: 'https://93.184.216.34/hooks', events: ['*'] };

const SCOPES = [
  'read:profile',
  'write:profile',
  'read:projects',
  'write:projects',
  'read:org',
  'admin:org',
  'read:licenses',
  'manage:licenses',
];

const KINDS: Readonly<Record<string, Kind>> = {
  license_id: 'license',
  activation_id: 'activation',
  wait_id: 'wait',
  plan_id: 'plan',
  subscription_id: 'subscription',
  invoice_id: 'invoice',
  payment_method_id: 'paymentMethod',
  event_id: 'event',
  organization_id: 'organization',
  user_id: 'user',
  invitation_id: 'invitation',
  project_id: 'project',
  webhook_id: 'webhook',
  delivery_id: 'delivery',
  replay_id: 'replay',
  request_id: 'request',
  key: 'product',
};

/** The kind of a parameter that is simply called id, by the start of its path. */
const KINDS_OF_ID: Readonly<Record<string, Kind>> = {
  '/v1/api-tokens/': 'apiToken',
  '/v1/oauth-apps/': 'oauthApp',
  '/v1/auth/grants/': 'grant',
  '/v1/auth/sessions/': 'login',
  '/v1/operator/tokens/': 'operatorToken',
  '/v1/operator/organizations/': 'organization',
};

/** Operations whose responses name a new resource of Ada's. Resources of supplies belong to others. */
const MADE: Readonly<Record<string, Kind>> = {
  createApiToken: 'apiToken',
  createOauthApp: 'oauthApp',
  createProject: 'project',
};

function remember(list: string[], value: string): void {
  list.unshift(value);
  list.splice(50);
}

/** Revoked, expired, of the other environment, a refresh token, wrong checksums, too long, and no tokens at all. */
async function makeBadTokens(test: TestApp, eve: Member): Promise<string[]> {
  const { email, password } = eve;
  const logIn = async () => (await test.api.post('/v1/auth/login', undefined, { email, password })).body.data;
  const revoked = (await logIn()).access_token;
  await test.api.post('/v1/auth/logout', revoked, {});
  const expired = (await logIn()).access_token;
  await execute(test.database, 'update bearer_tokens set expires_at = created_at where token_hash = $1', [
    hashToken(expired),
  ]);
  return [
    revoked,
    expired,
    newToken(TOKEN_PREFIXES.apiTest),
    newToken(TOKEN_PREFIXES.apiLive),
    newToken(TOKEN_PREFIXES.sessionAccess),
    eve.refreshToken,
    `${eve.accessToken.slice(0, -1)}!`,
    `${eve.accessToken}${'x'.repeat(4_000)}`,
    'undefined',
    'Bearer',
    'eyJhbGciOiJub25lIn0.e30.',
  ];
}
