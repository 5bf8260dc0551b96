import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { openStripeDouble, type StripeDouble } from '../../../test/stripe-double/index.ts';

/** Its issuer refuses a charge without the customer as long as the card has no mandate. */
const SCA_CARD = 'pm_card_authenticationRequiredOnSetup';

let double: StripeDouble;
let test: TestApp;
let planId: string;
beforeAll(async () => {
  double = await openStripeDouble();
  test = await openTestApp({ settings: double.settings });
  const plans = (await test.api.get('/v1/plans')).body.data;
  planId = plans.find((plan: { name: string }) => plan.name === 'Pro').id;
});
afterAll(async () => {
  await double.close();
  await test.close();
});

async function buy(who: Member, card: string): Promise<string> {
  const body = { plan_id: planId, quantity: 5, payment_method_id: double.makeCard(card) };
  return (await test.api.post('/v1/subscriptions', who.accessToken, body)).body.data.id;
}

async function changeDefault(who: Member, card: string): Promise<void> {
  const body = { payment_method_id: double.makeCard(card), set_default: true };
  expect((await test.api.post('/v1/payment-methods', who.accessToken, body)).status).toBe(201);
}

/** The customer authenticates, and the service looks the payment up. */
async function authenticate(who: Member, clientSecret: string): Promise<void> {
  double.playCustomer(clientSecret, 'succeed');
  await test.moveClock(who.organizationId, 3_700);
  await test.runJob('billing.check-payments');
}

async function nextMonth(who: Member): Promise<void> {
  await test.moveClock(who.organizationId, 31 * 86_400);
  await test.runJobs();
}

async function subscription(who: Member, id: string) {
  return (await test.api.get(`/v1/subscriptions/${id}`, who.accessToken)).body.data;
}

const change = (who: Member, id: string, quantity: number) =>
  test.api.call('PATCH', `/v1/subscriptions/${id}`, { token: who.accessToken, body: { quantity } });

function lastConfirmation() {
  return double.requests.filter(({ path }) => path.endsWith('/confirm')).at(-1)?.params ?? {};
}

it('a card that is first used by PATCH pays the next renewal without the customer', async () => {
  const ada = await test.register();
  const id = await buy(ada, 'pm_card_visa');
  await changeDefault(ada, SCA_CARD);
  const changed = (await change(ada, id, 6)).body.data;
  await authenticate(ada, changed.pending_change.client_secret);
  expect(await subscription(ada, id)).toMatchObject({ status: 'active', quantity: 6 });
  await nextMonth(ada);
  expect(await subscription(ada, id)).toMatchObject({ status: 'active', requires_action: false });
});

it('a card that is first used to pay an open invoice pays the next renewal without the customer', async () => {
  const bob = await test.register();
  const id = await buy(bob, 'pm_card_visa');
  await changeDefault(bob, SCA_CARD);
  await nextMonth(bob);
  const overdue = await subscription(bob, id);
  expect(overdue.status).toBe('past_due');
  const paid = await test.api.post(`/v1/invoices/${overdue.latest_invoice_id}/pay`, bob.accessToken, {});
  await authenticate(bob, paid.body.data.client_secret);
  expect((await subscription(bob, id)).status).toBe('active');
  await nextMonth(bob);
  const renewed = await subscription(bob, id);
  expect(renewed.status).toBe('active');
  expect(renewed.latest_invoice_id).not.toBe(overdue.latest_invoice_id);
});

it('a card that has its mandate is not asked for another', async () => {
  const eve = await test.register();
  const id = await buy(eve, 'pm_card_visa');
  expect(lastConfirmation()).toMatchObject({ setup_future_usage: 'off_session' });
  await change(eve, id, 6);
  expect(lastConfirmation()).not.toHaveProperty('setup_future_usage');
  await changeDefault(eve, 'pm_card_mastercard');
  await change(eve, id, 7);
  expect(lastConfirmation()).toMatchObject({ setup_future_usage: 'off_session' });
  await change(eve, id, 8);
  expect(lastConfirmation()).not.toHaveProperty('setup_future_usage');
});
