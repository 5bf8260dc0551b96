import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';

/** The issuer refuses charges without the customer until the card has a mandate. */
const SCA_CARD = 'pm_card_authenticationRequiredOnSetup';
const it = createTest()
  .override('options', ({ stripe }) => ({ settings: stripe.settings }))
  .extend('buy', ({ app, shop, stripe }) => async (who: Member, card: string): Promise<string> => {
    const body = { plan_id: shop.plans.pro, quantity: 5, payment_method_id: stripe.makeCard(card) };
    return (await app.api.post('/v1/subscriptions', who.accessToken, body)).body.data.id;
  })
  .extend('changeDefault', ({ app, stripe }) => async (who: Member, card: string): Promise<void> => {
    const body = { payment_method_id: stripe.makeCard(card), set_default: true };
    expect((await app.api.post('/v1/payment-methods', who.accessToken, body)).status).toBe(201);
  })
  /** The customer authenticates, and the service looks the payment up. */
  .extend('authenticate', ({ app, stripe }) => async (who: Member, clientSecret: string): Promise<void> => {
    stripe.playCustomer(clientSecret, 'succeed');
    await app.moveClock(who.organizationId, 3_700);
    await app.runJob('billing.check-payments');
  })
  .extend('lastConfirmation', ({ stripe }) => () => {
    return stripe.requests.filter(({ path }) => path.endsWith('/confirm')).at(-1)?.params ?? {};
  });

async function nextMonth(app: TestApp, who: Member): Promise<void> {
  await app.moveClock(who.organizationId, 31 * 86_400);
  await app.runJobs();
}

async function subscription(app: TestApp, who: Member, id: string) {
  return (await app.api.get(`/v1/subscriptions/${id}`, who.accessToken)).body.data;
}

const change = (app: TestApp, who: Member, id: string, quantity: number) =>
  app.api.call('PATCH', `/v1/subscriptions/${id}`, { token: who.accessToken, body: { quantity } });

it('a card first used by PATCH pays the next renewal without the customer', async ({
  app,
  ada,
  buy,
  changeDefault,
  authenticate,
}) => {
  const id = await buy(ada, 'pm_card_visa');
  await changeDefault(ada, SCA_CARD);
  const changed = (await change(app, ada, id, 6)).body.data;
  await authenticate(ada, changed.pending_change.client_secret);
  expect(await subscription(app, ada, id)).toMatchObject({ status: 'active', quantity: 6 });
  await nextMonth(app, ada);
  expect(await subscription(app, ada, id)).toMatchObject({ status: 'active', requires_action: false });
});

it('a card first used to pay an open invoice pays the next renewal without the customer', async ({
  app,
  buy,
  changeDefault,
  authenticate,
}) => {
  const bob = await app.register();
  const id = await buy(bob, 'pm_card_visa');
  await changeDefault(bob, SCA_CARD);
  await nextMonth(app, bob);
  const overdue = await subscription(app, bob, id);
  expect(overdue.status).toBe('past_due');
  const paid = await app.api.post(`/v1/invoices/${overdue.latest_invoice_id}/pay`, bob.accessToken, {});
  await authenticate(bob, paid.body.data.client_secret);
  expect((await subscription(app, bob, id)).status).toBe('active');
  await nextMonth(app, bob);
  const renewed = await subscription(app, bob, id);
  expect(renewed.status).toBe('active');
  expect(renewed.latest_invoice_id).not.toBe(overdue.latest_invoice_id);
});

it('a card that has a mandate is not asked for another', async ({ app, buy, changeDefault, lastConfirmation }) => {
  const eve = await app.register();
  const id = await buy(eve, 'pm_card_visa');
  expect(lastConfirmation()).toMatchObject({ setup_future_usage: 'off_session' });
  await change(app, eve, id, 6);
  expect(lastConfirmation()).not.toHaveProperty('setup_future_usage');
  await changeDefault(eve, 'pm_card_mastercard');
  await change(app, eve, id, 7);
  expect(lastConfirmation()).toMatchObject({ setup_future_usage: 'off_session' });
  await change(app, eve, id, 8);
  expect(lastConfirmation()).not.toHaveProperty('setup_future_usage');
});
