import { expect } from 'vitest';
import { createTest } from '../harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';

const DAY = 86_400;
let pro: string;
let free: string;

const it = createTest({ environment: 'sandbox' });
it.beforeAll(async ({ app }) => {
  const plans: Array<{ id: string; name: string }> = (await app.api.get('/v1/plans')).body.data;
  pro = plans.find((plan) => plan.name === 'Pro')?.id ?? '';
  free = plans.find((plan) => plan.name === 'Free')?.id ?? '';
  await execute(
    app.database,
    `insert into coupons (id, code, percent_off, duration, created_at, updated_at)
      values ('coup_01kagt2m8xf3q9wz5r7e6b4c1q', 'THIRD', 33, 'forever', clock_timestamp(), clock_timestamp())`,
  );
});

/** Sends one request, which must get this status, and checks that all invariants hold. */
async function does(app: TestApp, who: Member, method: string, path: string, body: unknown, status: number) {
  const answer = await app.api.call(method, path, { token: who.accessToken, body });
  expect([answer.status, answer.body.error]).toEqual([status, undefined]);
  await requireInvariants(app.database);
  return answer.body.data;
}

const buys = (app: TestApp, who: Member, card: string, more: object = {}) =>
  does(app, who, 'POST', '/v1/subscriptions', { plan_id: pro, quantity: 5, payment_method_id: card, ...more }, 201);
const changes = (app: TestApp, who: Member, id: string, body: object) =>
  does(app, who, 'PATCH', `/v1/subscriptions/${id}`, body, 200);
const travels = (app: TestApp, who: Member, days: number) =>
  does(app, who, 'POST', '/v1/sandbox/clock/advance', { seconds: days * DAY }, 200);
const stateOf = async (app: TestApp, who: Member, id: string): Promise<string> =>
  (await app.api.get(`/v1/subscriptions/${id}`, who.accessToken)).body.data.status;

it('all invariants hold while a subscription is bought, changed, renewed, canceled, resumed and ended', async ({
  app,
  ada,
}) => {
  const { id } = await buys(app, ada, 'pm_card_visa', { coupon_code: 'THIRD' });
  await travels(app, ada, 7.5);
  await changes(app, ada, id, { quantity: 12 });
  await changes(app, ada, id, { quantity: 3 });
  await changes(app, ada, id, { quantity: 4 });
  await travels(app, ada, 70);
  await does(app, ada, 'POST', `/v1/subscriptions/${id}/cancel`, { reason: 'for now' }, 200);
  await does(app, ada, 'POST', `/v1/subscriptions/${id}/resume`, {}, 200);
  await changes(app, ada, id, { plan_id: free, quantity: 2 });
  await travels(app, ada, 31);
  await does(app, ada, 'POST', `/v1/subscriptions/${id}/cancel`, {}, 200);
  await travels(app, ada, 32);
  expect(await stateOf(app, ada, id)).toBe('canceled');
});

it('all invariants hold when a subscription is canceled immediately', async ({ app, ada }) => {
  const { id } = await buys(app, ada, 'pm_card_visa');
  await does(app, ada, 'POST', `/v1/subscriptions/${id}/cancel`, { cancel_immediately: true }, 200);
  expect(await stateOf(app, ada, id)).toBe('canceled');
});

it('all invariants hold for a subscription whose renewals are declined, through dunning to its end', async ({
  app,
  ada,
}) => {
  const { id } = await buys(app, ada, 'pm_card_chargeCustomerFail');
  await travels(app, ada, 32);
  expect(await stateOf(app, ada, id)).toBe('past_due');
  await travels(app, ada, 4);
  await travels(app, ada, 30);
  expect(await stateOf(app, ada, id)).toBe('expired');
});

it('all invariants hold for a subscription that is saved by a new card', async ({ app, ada }) => {
  const { id } = await buys(app, ada, 'pm_card_chargeCustomerFail');
  await travels(app, ada, 32);
  await does(app, ada, 'POST', '/v1/payment-methods', { payment_method_id: 'pm_card_visa', set_default: true }, 201);
  await travels(app, ada, 1);
  expect(await stateOf(app, ada, id)).toBe('active');
});

it('all invariants hold for a first payment that waits for the customer, whether they authenticate, give up or cancel', async ({
  app,
}) => {
  const [ada, bob, cleo] = [await app.register(), await app.register(), await app.register()];
  const confirmed = await buys(app, ada, 'pm_card_authenticationRequired', { coupon_code: 'THIRD' });
  expect(confirmed).toMatchObject({ status: 'incomplete', requires_action: true });
  const confirmation = { client_secret: confirmed.client_secret, outcome: 'succeed' };
  await does(app, ada, 'POST', '/v1/sandbox/payments/confirm', confirmation, 200);
  expect(await stateOf(app, ada, confirmed.id)).toBe('active');
  const forgotten = await buys(app, bob, 'pm_card_authenticationRequired', { coupon_code: 'THIRD' });
  await travels(app, bob, 2);
  expect(await stateOf(app, bob, forgotten.id)).toBe('expired');
  const canceled = await buys(app, cleo, 'pm_card_authenticationRequired', { coupon_code: 'THIRD' });
  await does(app, cleo, 'POST', `/v1/subscriptions/${canceled.id}/cancel`, {}, 200);
  expect(await stateOf(app, cleo, canceled.id)).toBe('canceled');
});

it('all invariants hold after a declined purchase', async ({ app, ada }) => {
  const body = { plan_id: pro, quantity: 5, payment_method_id: 'pm_card_chargeDeclined', coupon_code: 'THIRD' };
  const refused = await app.api.post('/v1/subscriptions', ada.accessToken, body);
  expect([refused.status, refused.body.error.code]).toEqual([422, 'payment_failed']);
  await requireInvariants(app.database);
});
