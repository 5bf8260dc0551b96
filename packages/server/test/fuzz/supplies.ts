import { randomBytes } from 'node:crypto';
import { newId } from '../../src/ids/index.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../harness/join-organization.ts';
import { plantDeliveries } from '../harness/plant-deliveries.ts';
import { plantEndpoint } from '../harness/plant-endpoint.ts';
import { plantGrant } from '../harness/plant-grant.ts';
import { codeAt } from '../harness/two-factor.ts';
import { makeOperatorToken, plantMeters } from '../usage/usage-world.ts';
import { LICENSE_SUPPLIES } from './license-supplies.ts';
import { OPERATOR_SUPPLIES } from './operator-supplies.ts';
import type { Supply } from './supply.ts';

/** Keeps a supply for each operation that needs one, and remakes it when it is spent or worn. */
export class Supplies {
  readonly #test: TestApp;
  readonly #current = new Map<string, { supply: Supply; uses: number }>();

  constructor(test: TestApp) {
    this.#test = test;
  }

  /** Makes the first supply of every kind. */
  async fill(): Promise<void> {
    for (const operationId of Object.keys(MAKERS)) {
      await this.#renew(operationId);
    }
  }

  /** The operation's supply. Empty for operations that use nothing up. */
  of(operationId: string): Supply {
    return this.#current.get(operationId)?.supply ?? {};
  }

  /** Notes that the operation was tried. A wrong code or password wears a supply before it is spent. */
  async noteUse(operationId: string, isSpent: boolean): Promise<void> {
    const current = this.#current.get(operationId);
    if (current === undefined) {
      return;
    }
    current.uses += 1;
    if (isSpent || current.uses >= MAX_USES) {
      await this.#renew(operationId);
    }
  }

  async #renew(operationId: string): Promise<void> {
    const make = MAKERS[operationId];
    if (make !== undefined) {
      this.#current.set(operationId, { supply: await make(this.#test), uses: 0 });
    }
  }
}

/** A challenge ends after five wrong codes. */
const MAX_USES = 4;

/** By operation. */
const MAKERS: Readonly<Record<string, (test: TestApp) => Promise<Supply>>> = {
  login: async (test) => {
    const { email, password } = await test.register();
    return { fields: { email, password } };
  },
  exchangeWebhookPortalLink: async (test) => {
    const { accessToken } = await test.register();
    const { url } = (await test.api.post('/v1/webhooks/portal-links', accessToken, {})).body.data;
    return { fields: { token: url.slice(url.indexOf('#') + 1) } };
  },
  refresh: async (test) => ({ fields: { refresh_token: (await test.register()).refreshToken } }),
  logout: async (test) => ({ token: (await test.register()).accessToken }),
  updateMe: async (test) => {
    const { accessToken, password } = await test.register();
    return { token: accessToken, fields: { current_password: password, password: `${password}, but changed` } };
  },
  deleteMe: async (test) => {
    const { accessToken, password } = await test.register();
    return { token: accessToken, fields: { password } };
  },
  // A separate clock, so that Ada's resources keep their times.
  advanceSandboxClock: async (test) => ({ token: (await test.register()).accessToken }),
  setUpTwoFactor: async (test) => ({ token: (await test.register()).accessToken }),
  enableTwoFactor: async (test) => {
    const { accessToken } = await test.register();
    return { token: accessToken, fields: { code: codeAt(PRESENT, await setUpTwoFactor(test, accessToken)) } };
  },
  disableTwoFactor: proveTwoFactor,
  renewRecoveryCodes: proveTwoFactor,
  verifyTwoFactor: async (test) => {
    const { member, recoveryCode } = await registerWithCodes(test);
    const { email, password } = member;
    const challenge = await ask(test, 'POST', '/v1/auth/login', undefined, { email, password });
    return { fields: { challenge_token: challenge.challenge_token, code: recoveryCode } };
  },
  resetPassword: async (test) => {
    const { email } = await test.register();
    await ask(test, 'POST', '/v1/auth/password/forgot', undefined, { email });
    await test.service.jobs.find((job) => job.name === 'auth.answer-reset-requests')?.run();
    return { fields: { token: await codeOfMail(test, email, 'reset-password') } };
  },
  verifyEmail: async (test) => ({
    fields: { token: await codeOfMail(test, (await test.register()).email, 'verify-email') },
  }),
  sendEmailVerification: async (test) => ({ token: (await test.register()).accessToken }),
  deleteSession: async (test) => {
    const { accessToken, email, password } = await test.register();
    await ask(test, 'POST', '/v1/auth/login', undefined, { email, password });
    const logins = await ask(test, 'GET', '/v1/auth/sessions', accessToken);
    const other = logins.find((login: { current: boolean }) => !login.current);
    return { token: accessToken, path: { id: other.id } };
  },
  deleteApiToken: (test) => own(test, '/v1/api-tokens', { name: 'CI', scopes: ['read:profile'] }),
  rotateApiToken: (test) => own(test, '/v1/api-tokens', { name: 'CI', scopes: ['read:profile'] }),
  updateOauthApp: (test) => own(test, '/v1/oauth-apps', APP),
  deleteOauthApp: (test) => own(test, '/v1/oauth-apps', APP),
  rotateOauthAppSecret: (test) => own(test, '/v1/oauth-apps', APP),
  deleteOauthGrant: async (test) => {
    const member = await test.register();
    return { token: member.accessToken, path: { id: (await plantGrant(test, member)).id } };
  },
  deleteOrganization: async (test) => {
    const { accessToken } = await test.register();
    const made = await ask(test, 'POST', '/v1/orgs', accessToken, { name: 'Short-lived & Söhne' });
    return { token: accessToken, path: { organization_id: made.id }, fields: { confirm: made.name } };
  },
  changeMemberRole: withMember,
  removeMember: withMember,
  createInvitation: async (test) => {
    const { accessToken, organizationId } = await test.register();
    return { token: accessToken, path: { organization_id: organizationId } };
  },
  revokeInvitation: async (test) => {
    const { accessToken, organizationId } = await test.register();
    const path = `/v1/orgs/${organizationId}/invitations`;
    const invited = await ask(test, 'POST', path, accessToken, {
      email: `guest-${randomBytes(6).toString('hex')}@example.com`,
      role: 'member',
    });
    return { token: accessToken, path: { organization_id: organizationId, invitation_id: invited.id } };
  },
  acceptInvitation: async (test) => {
    const guest = await test.register();
    const token = await inviteToOrganization(test, await test.register(), 'billing', guest.email);
    return { token: guest.accessToken, fields: { token } };
  },
  createOrganization: async (test) => ({ token: (await test.register()).accessToken }),
  createSubscription: (test) => withCoupon(test),
  getOrderPreview: (test) => withCoupon(test),
  updateSubscription: (test) => withSubscription(test),
  previewSubscription: (test) => withSubscription(test),
  cancelSubscription: (test) => withSubscription(test),
  resumeSubscription: async (test) => {
    const supply = await withSubscription(test);
    await ask(test, 'POST', `/v1/subscriptions/${supply.path?.subscription_id}/cancel`, supply.token, {});
    return supply;
  },
  payInvoice: async (test) => {
    const { token = '', path } = await withSubscription(test, 'pm_card_authenticationRequired');
    const [invoice] = await ask(test, 'GET', `/v1/invoices?subscription_id=${path?.subscription_id}`, token);
    return { token, path: { invoice_id: invoice.id } };
  },
  deletePaymentMethod: async (test) => {
    const { token = '', path } = await own(test, '/v1/payment-methods', { payment_method_id: 'pm_card_visa' });
    return { token, path: { payment_method_id: path?.id ?? '' } };
  },
  confirmSandboxPayment: async (test) => {
    const { accessToken } = await test.register();
    const bought = await ask(test, 'POST', '/v1/subscriptions', accessToken, {
      plan_id: await paidPlan(test, accessToken),
      quantity: 1,
      payment_method_id: 'pm_card_authenticationRequired',
    });
    return { token: accessToken, fields: { client_secret: bought.client_secret } };
  },
  createWebhook: async (test) => ({ token: (await test.register()).accessToken }),
  deleteWebhook: async (test) => {
    const { token = '', path } = await own(test, '/v1/webhooks', WEBHOOK);
    return { token, path: { webhook_id: path?.id ?? '' } };
  },
  deleteProject: async (test) => {
    const { token = '', path } = await own(test, '/v1/projects', { name: 'Film' });
    return { token, path: { project_id: path?.id ?? '' } };
  },
  getWebhookDelivery: withDelivery,
  retryWebhookDelivery: withDelivery,
  replayWebhook: async (test) => {
    const { token = '', path = {} } = await withDelivery(test);
    return { token, path, fields: { since: '2020-01-01T00:00:00Z' } };
  },
  getWebhookReplay: withReplay,
  recordUsage: async (test) => {
    await plantMeters(test, { ai_tokens: 'sum' });
    const { organizationId } = await test.register();
    const { token } = await makeOperatorToken(test);
    return { token, fields: { organization_id: organizationId, meter: 'ai_tokens', at: new Date().toISOString() } };
  },
  cancelWebhookReplay: withReplay,
  ...LICENSE_SUPPLIES,
  ...OPERATOR_SUPPLIES,
};

const WEBHOOK = { url: 'https://93.184.216.34/hooks', events: ['*'] };

const APP = {
  name: 'App',
  redirect_uris: ['https://app.example/back'],
  scopes: ['read:profile'],
  confidential: true,
};

const PRESENT = { nowMs: () => Date.now() };

/** Something that a new person creates in their own organization. */
async function own(test: TestApp, path: string, body: unknown): Promise<Supply> {
  const { accessToken } = await test.register();
  return { token: accessToken, path: { id: (await ask(test, 'POST', path, accessToken, body)).id } };
}

const COUPON = 'FUZZ10';

const PLANT_COUPON = `insert into coupons (id, code, percent_off, duration, created_at, updated_at)
  values ($1, $2, 10, 'forever', clock_timestamp(), clock_timestamp()) on conflict do nothing`;

/** The plan that is not free. */
async function paidPlan(test: TestApp, token: string): Promise<string> {
  const plans: Array<{ id: string; price: number | null }> = await ask(test, 'GET', '/v1/plans', token);
  return plans.find(({ price }) => price !== null && price > 0)?.id ?? '';
}

/** A subscription of a new organization. */
async function withSubscription(test: TestApp, card = 'pm_card_visa'): Promise<Supply> {
  const { accessToken } = await test.register();
  const planId = await paidPlan(test, accessToken);
  const order = { plan_id: planId, quantity: 2, payment_method_id: card };
  const { id } = await ask(test, 'POST', '/v1/subscriptions', accessToken, order);
  return { token: accessToken, path: { subscription_id: id }, fields: { plan_id: planId } };
}

async function withCoupon(test: TestApp): Promise<Supply> {
  const { accessToken } = await test.register();
  await execute(test.database, PLANT_COUPON, [newId('coupon'), COUPON]);
  return { token: accessToken, fields: { plan_id: await paidPlan(test, accessToken), coupon_code: COUPON } };
}

async function withMember(test: TestApp): Promise<Supply> {
  const admin = await test.register();
  const { userId } = await joinOrganization(test, admin);
  return { token: admin.accessToken, path: { organization_id: admin.organizationId, user_id: userId } };
}

async function withDelivery(test: TestApp): Promise<Supply> {
  const { accessToken, organizationId } = await test.register();
  const endpoint = await plantEndpoint(test, organizationId, 'https://93.184.216.34/hooks');
  const [delivery] = await plantDeliveries(test, endpoint, { status: 'failed' });
  return { token: accessToken, path: { webhook_id: endpoint.id, delivery_id: delivery?.id ?? '' } };
}

async function withReplay(test: TestApp): Promise<Supply> {
  const { token = '', path = {} } = await withDelivery(test);
  const body = { since: '2020-01-01T00:00:00Z' };
  const replay = await ask(test, 'POST', `/v1/webhooks/${path.webhook_id}/replay`, token, body);
  return { token, path: { ...path, replay_id: replay.id } };
}

async function proveTwoFactor(test: TestApp): Promise<Supply> {
  const { member, recoveryCode } = await registerWithCodes(test);
  return { token: member.accessToken, fields: { password: member.password, code: recoveryCode } };
}

/** A user with two-factor enabled. Recovery codes need no clock: none of them ends with a time step. */
export async function registerWithCodes(test: TestApp): Promise<{ member: Member; recoveryCode: string }> {
  const member = await test.register();
  const secret = await setUpTwoFactor(test, member.accessToken);
  const body = { code: codeAt(PRESENT, secret) };
  const enabled = await ask(test, 'POST', '/v1/auth/2fa/enable', member.accessToken, body);
  return { member, recoveryCode: enabled.recovery_codes[0] };
}

async function setUpTwoFactor(test: TestApp, token: string): Promise<string> {
  return (await ask(test, 'POST', '/v1/auth/2fa/setup', token)).secret;
}

/** The code in the newest mail of a kind. */
export async function codeOfMail(test: TestApp, recipient: string, kind: string): Promise<string> {
  const mails = await test.mailsTo(recipient);
  const code = mails.findLast((each) => each.kind === kind)?.code;
  if (code === undefined) {
    throw new Error(`no mail ${kind} to ${recipient} among ${mails.map((each) => each.kind)}`);
  }
  return code;
}

/** The API's response to a request that must succeed. */
async function ask(test: TestApp, method: string, path: string, token: string | undefined, body?: unknown) {
  const answer = await test.api.call(method, path, { token, body });
  if (answer.status >= 300) {
    throw new Error(`${method} ${path} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body.data;
}
