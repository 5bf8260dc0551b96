import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';

/** A free plan besides Free. */
const STARTER = 'plan_01kagt2m8xf3q9wz5r7e6b4c2a';

const it = createTest({ environment: 'sandbox' });
it.beforeAll(async ({ shop }) => {
  await execute(
    shop.app.database,
    `insert into plans (id, key, name, description, price, currency, interval, tier, product, features, license_features,
        grace_seconds, created_at, updated_at)
      select $1, 'starter', 'Starter', '', 0, currency, interval, tier, product, features, license_features, grace_seconds,
        created_at, updated_at from plans where key = 'free'`,
    [STARTER],
  );
});

it('an organization with a free subscription cannot change another one to a free plan', async ({ app, shop, ada }) => {
  await shop.buy(ada, 'pm_card_visa', { plan_id: shop.plans.free, quantity: 3 });
  const paid = await shop.buy(ada, 'pm_card_visa', { quantity: 2 });
  for (const plan of [shop.plans.free, STARTER]) {
    const refused = await shop.change(ada, paid, { plan_id: plan });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    const preview = await app.api.get(`/v1/subscriptions/${paid}/preview?quantity=2&plan_id=${plan}`, ada.accessToken);
    expect(preview.body.error.code).toBe('conflict');
  }
  expect(await shop.subscription(ada, paid)).toMatchObject({ plan: { name: 'Pro' }, quantity: 2 });
});

it('an organization has at most one live free subscription, by purchase or by change', async ({ shop, ada }) => {
  const id = await shop.buy(ada, 'pm_card_visa', { quantity: 2 });
  expect((await shop.change(ada, id, { plan_id: shop.plans.free })).body.data.plan.name).toBe('Free');
  const second = await shop.order(ada, 'pm_card_visa', { plan_id: STARTER, quantity: 1 });
  expect([second.status, second.body.error.code]).toEqual([409, 'conflict']);
  // After a change to another free plan, it is still the only one.
  expect((await shop.change(ada, id, { plan_id: STARTER })).body.data.plan.name).toBe('Starter');
  await shop.cancel(ada, id, { cancel_immediately: true });
  expect((await shop.order(ada, 'pm_card_visa', { plan_id: shop.plans.free, quantity: 1 })).status).toBe(201);
});

it('one of two concurrent changes to a free plan succeeds', async ({ shop, ada }) => {
  const ids = [
    await shop.buy(ada, 'pm_card_visa', { quantity: 1 }),
    await shop.buy(ada, 'pm_card_visa', { quantity: 1 }),
  ];
  const answers = await Promise.all(ids.map((id) => shop.change(ada, id, { plan_id: shop.plans.free })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it('a 100% coupon does not make a plan free', async ({ shop, ada }) => {
  const coupon = await shop.coupon('ALL-OFF', { percent: 100, mostOfOne: 2 });
  await shop.buy(ada, 'pm_card_visa', { ...coupon, quantity: 1 });
  await shop.buy(ada, 'pm_card_visa', { ...coupon, quantity: 1 });
  expect((await shop.order(ada, 'pm_card_visa', { plan_id: shop.plans.free, quantity: 1 })).status).toBe(201);
});
