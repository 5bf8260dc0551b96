import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { ApiAnswer } from '../../../test/harness/index.ts';

const it = createTest({ environment: 'sandbox' });

const refusalOf = ({ status, body }: ApiAnswer) => [status, body.error?.code, body.error?.details];
const REDEEMED = [422, 'validation_failed', { field: 'coupon_code', reason: 'already_redeemed' }];

it('an organization can redeem a coupon once by default, and other organizations still can', async ({ app, shop }) => {
  const [ada, bob] = [await app.register(), await app.register()];
  const once = await shop.coupon('ONCE-EACH', { percent: 50, most: 10 });
  const id = await shop.buy(ada, 'pm_card_visa', once);
  const before = await shop.kept(ada);
  expect(refusalOf(await shop.order(ada, 'pm_card_visa', once))).toEqual(REDEEMED);
  expect(await shop.kept(ada)).toEqual(before);
  // Ending the subscription refunds nothing, because its period was discounted.
  await shop.cancel(ada, id, { cancel_immediately: true });
  expect(refusalOf(await shop.order(ada, 'pm_card_visa', once))).toEqual(REDEEMED);
  expect((await shop.order(bob, 'pm_card_visa', once)).status).toBe(201);
  expect(await shop.redemptions('ONCE-EACH')).toBe(2);
});

it('an organization can redeem a coupon as often as the catalogue allows', async ({ shop, ada }) => {
  const twice = await shop.coupon('TWICE-EACH', { percent: 50, mostOfOne: 2 });
  await shop.buy(ada, 'pm_card_visa', twice);
  await shop.buy(ada, 'pm_card_visa', twice);
  expect(refusalOf(await shop.order(ada, 'pm_card_visa', twice))).toEqual(REDEEMED);
});

it('concurrent orders redeem a coupon once, whether they are paid by a card or by the coupon alone', async ({
  app,
  shop,
}) => {
  for (const percent of [10, 100]) {
    const ada = await app.register();
    await shop.attach(ada, 'pm_card_visa');
    const once = await shop.coupon(`RACE-${percent}`, { percent });
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.order(ada, 'pm_card_visa', once)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await shop.redemptions(`RACE-${percent}`)).toBe(1);
  }
});

it('an unpaid order gives its redemption back', async ({ shop, ada }) => {
  const once = await shop.coupon('GIVEN-BACK', { percent: 10 });
  expect((await shop.order(ada, 'pm_card_chargeDeclined', once)).body.error.code).toBe('payment_failed');
  const waiting = await shop.order(ada, 'pm_card_authenticationRequired', once);
  expect(waiting.body.data.status).toBe('incomplete');
  expect(refusalOf(await shop.order(ada, 'pm_card_visa', once))).toEqual(REDEEMED);
  await shop.travel(ada, 1);
  expect((await shop.order(ada, 'pm_card_visa', once)).status).toBe(201);
});
