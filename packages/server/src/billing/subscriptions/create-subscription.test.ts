import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { startAppForTest } from '../../../test/harness/index.ts';
import type { Shop } from '../../../test/harness/shop.ts';

const it = createTest({ environment: 'sandbox' });

const NOTHING = { subscriptions: 0, invoices: 0, licenses: 0, methods: 0, credit: 0, collected: 0 };

describe('a paid order', () => {
  it('is active immediately, with a paid invoice and a license for its seats', async ({ app, shop }) => {
    const ada = await app.register();
    const { status, body } = await shop.order(ada, 'pm_card_visa');
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^sub_/),
      status: 'active',
      client_secret: expect.stringMatching(/_secret_/),
      requires_action: false,
    });
    const subscription = await shop.subscription(ada, body.data.id);
    expect(subscription).toMatchObject({ quantity: 5, cancel_at_period_end: false, pending_change: null });
    expect(await shop.invoices(ada)).toMatchObject([{ status: 'paid', amount_due: 14_500, amount_paid: 14_500 }]);
    expect(await shop.license(ada, body.data.id)).toMatchObject({ max_seats: 5, status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500, methods: 1 });
    expect(await shop.told(ada, 'subscription.created')).toHaveLength(1);
    expect(await shop.told(ada, 'invoice.paid')).toHaveLength(1);
  });

  it('succeeds for many simultaneous orders, each separately', async ({ app, shop }) => {
    const ada = await app.register();
    const orders = await Promise.all([1, 2, 3, 4].map((quantity) => shop.order(ada, 'pm_card_visa', { quantity })));
    expect(orders.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await shop.kept(ada)).toMatchObject({ subscriptions: 4, licenses: 4, methods: 1, collected: 29_000 });
  });

  it('costs nothing for a free plan, and still requires a valid card', async ({ app, shop }) => {
    const ada = await app.register();
    const free = { plan_id: shop.plans.free, quantity: 3 };
    expect((await shop.order(ada, 'pm_card_chargeDeclined', free)).body.error.code).toBe('payment_failed');
    expect(await shop.kept(ada)).toEqual(NOTHING);
    const id = await shop.buy(ada, 'pm_card_visa', free);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await shop.invoices(ada)).toMatchObject([{ status: 'paid', amount_due: 0 }]);
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 3 });
  });
});

describe('a declined order', () => {
  it.for([
    ['pm_card_chargeDeclined', 'generic_decline'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_radarBlock', 'fraudulent'],
  ] as const)('with %s leaves nothing behind, and releases its coupon', async ([card, declineCode], { app, shop }) => {
    const ada = await app.register();
    const code = `D${declineCode.toUpperCase()}`;
    const refused = await shop.order(ada, card, await shop.coupon(code, { percent: 10, most: 1 }));
    expect([refused.status, refused.body.error.code]).toEqual([422, 'payment_failed']);
    expect(refused.body.error.details).toEqual({ decline_code: declineCode });
    expect(await shop.kept(ada)).toEqual(NOTHING);
    expect(await shop.redemptions(code)).toBe(0);
    expect(await shop.told(ada, 'subscription.created')).toEqual([]);
  });
});

describe('an order that waits for the customer', () => {
  it('is incomplete, without a license, until they have authenticated it', async ({ app, shop }) => {
    const ada = await app.register();
    const { body } = await shop.order(ada, 'pm_card_authenticationRequired');
    expect(body.data).toMatchObject({
      status: 'incomplete',
      requires_action: true,
      client_secret: expect.any(String),
    });
    const { id, client_secret: secret } = body.data;
    expect(await shop.subscription(ada, id)).toMatchObject({ license_id: null, requires_action: true });
    expect(await shop.invoices(ada)).toMatchObject([{ status: 'open' }]);
    await shop.confirm(ada, secret, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active', requires_action: false });
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 5 });
  });

  it('stays incomplete when authentication fails, and can be paid by another attempt', async ({ app, shop }) => {
    const ada = await app.register();
    const { id, client_secret: secret } = (await shop.order(ada, 'pm_card_authenticationRequired')).body.data;
    await shop.confirm(ada, secret, 'fail');
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'incomplete', requires_action: false });
    await shop.attach(ada, 'pm_card_visa');
    const [invoice] = await shop.invoices(ada);
    expect((await shop.pay(ada, invoice.id)).body.data).toMatchObject({ id, status: 'active' });
  });

  it('expires after 23 hours, and its coupon can be redeemed again', async ({ app, shop }) => {
    const ada = await app.register();
    const coupon = await shop.coupon('INCOMPLETE', { percent: 10, most: 1 });
    const id = await shop.buy(ada, 'pm_card_authenticationRequired', coupon);
    await shop.travel(ada, 22.9 / 24);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'incomplete' });
    await shop.travel(ada, 0.2 / 24);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'expired', requires_action: false });
    expect(await shop.invoices(ada)).toMatchObject([{ status: 'void' }]);
    expect(await shop.redemptions('INCOMPLETE')).toBe(0);
    expect(await shop.told(ada, 'subscription.expired')).toHaveLength(1);
    expect(await shop.kept(ada)).toMatchObject({ licenses: 0, collected: 0 });
  });
});

describe('an order whose outcome is not known immediately', () => {
  it('is active if only the response was lost', async ({ app, shop }) => {
    const ada = await app.register();
    expect((await shop.order(ada, 'pm_card_lostResponse')).body.data).toMatchObject({ status: 'active' });
  });

  it('is collected by the same attempt if the request was lost', async ({ app, shop }) => {
    const ada = await app.register();
    const { body } = await shop.order(ada, 'pm_card_lostRequest');
    expect(body.data).toMatchObject({ status: 'incomplete', requires_action: false });
    await shop.travel(ada, 1 / 24);
    expect(await shop.subscription(ada, body.data.id)).toMatchObject({ status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500, invoices: 1 });
  });

  it.for([
    ['pm_card_processing', 'active', 'paid'],
    ['pm_card_processingDeclined', 'incomplete', 'open'],
  ] as const)('with %s is incomplete for two hours, then %s', async ([card, status, invoice], { app, shop }) => {
    const ada = await app.register();
    const id = await shop.buy(ada, card);
    await shop.travel(ada, 1.9 / 24);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'incomplete', requires_action: false });
    await shop.travel(ada, 0.2 / 24);
    expect(await shop.subscription(ada, id)).toMatchObject({ status });
    expect(await shop.invoices(ada)).toMatchObject([{ status: invoice }]);
  });
});

describe('a coupon', () => {
  it('is discounted for its duration', async ({ app, shop }) => {
    const ada = await app.register();
    await shop.buy(ada, 'pm_card_visa', await shop.coupon('TWOMONTHS', { percent: 33, months: 2 }));
    await shop.travel(ada, 65);
    const invoices: Array<{ discount: number; amount_due: number }> = await shop.invoices(ada);
    expect(invoices.map(({ discount }) => discount)).toEqual([4_785, 4_785, 0]);
    expect(await shop.redemptions('TWOMONTHS')).toBe(1);
  });

  it('with a fixed amount never makes an invoice negative', async ({ app, shop }) => {
    const ada = await app.register();
    await shop.buy(ada, 'pm_card_visa', await shop.coupon('BIG', { amount: 1_000_000 }));
    expect(await shop.invoices(ada)).toMatchObject([{ amount_due: 0, discount: 14_500, status: 'paid' }]);
  });

  it('is redeemed no more often than allowed, however many orders use it simultaneously', async ({ app, shop }) => {
    const coupon = await shop.coupon('LAST', { percent: 50, most: 2 });
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => app.register()));
    const orders = await Promise.all(people.map((who) => shop.order(who, 'pm_card_visa', coupon)));
    expect(orders.map(({ status }) => status).toSorted()).toEqual([201, 201, 422, 422, 422]);
    const reasons = orders.flatMap(({ body }) => body.error?.details.reason ?? []);
    expect(reasons).toEqual(['used_up', 'used_up', 'used_up']);
    expect(await shop.redemptions('LAST')).toBe(2);
  });
});

describe('an impossible order', () => {
  it.for([
    ['more seats than the plan has', (shop: Shop) => ({ plan_id: shop.plans.free, quantity: 4 }), 'quantity', 'max'],
    ['a plan sold by contact', (shop: Shop) => ({ plan_id: shop.plans.enterprise }), 'plan_id', 'contact_sales'],
    ['an unknown plan', () => ({ plan_id: 'plan_01kagt2m8xf3q9wz5r7e6b4c1q' }), 'plan_id', 'unknown'],
    ['an unknown coupon', () => ({ coupon_code: 'NOSUCH' }), 'coupon_code', 'unknown'],
    ['an unknown card', () => ({ payment_method_id: 'pm_nobodys' }), 'payment_method_id', 'unknown'],
  ] as const)('is refused: %s', async ([_what, more, field, reason], { app, shop }) => {
    const ada = await app.register();
    const refused = await shop.order(ada, 'pm_card_visa', more(shop));
    expect([refused.status, refused.body.error.code]).toEqual([422, 'validation_failed']);
    expect(refused.body.error.details).toMatchObject({ field, reason });
    expect(await shop.kept(ada)).toEqual(NOTHING);
  });

  it('is refused in production if payments are not configured', async ({ shop }) => {
    const test = await startAppForTest();
    const ada = await test.register();
    const body = { plan_id: shop.plans.pro, quantity: 1, payment_method_id: 'pm_card_visa' };
    const refused = await test.api.post('/v1/subscriptions', ada.accessToken, body);
    expect([refused.status, refused.body.error.details.reason]).toEqual([422, 'payments_not_configured']);
  });
});

describe('an order repeated with its Idempotency-Key', () => {
  it('buys once, however often and simultaneously it is sent', async ({ app, shop }) => {
    const ada = await app.register();
    const key = { 'idempotency-key': 'order-1' };
    const orders = await Promise.all([1, 2, 3, 4, 5].map(() => shop.order(ada, 'pm_card_visa', {}, key)));
    const bought = orders.filter(({ status }) => status === 201);
    const refused = orders.filter(({ status }) => status !== 201);
    expect(bought.length).toBeGreaterThan(0);
    expect(refused.every(({ body }) => body.error.code === 'idempotency_in_progress')).toBe(true);
    const again = await shop.order(ada, 'pm_card_visa', {}, key);
    expect(new Set([...bought, again].map(({ body }) => body.data.id)).size).toBe(1);
    expect(await shop.kept(ada)).toMatchObject({ subscriptions: 1, collected: 14_500 });
  });

  it('is refused if its body differs', async ({ app, shop }) => {
    const ada = await app.register();
    const key = { 'idempotency-key': 'order-2' };
    await shop.order(ada, 'pm_card_visa', {}, key);
    const other = await shop.order(ada, 'pm_card_visa', { quantity: 6 }, key);
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('returns the secret again if the first response was lost', async ({ app, shop }) => {
    const ada = await app.register();
    const key = { 'idempotency-key': 'order-4' };
    const first = (await shop.order(ada, 'pm_card_authenticationRequired', {}, key)).body.data;
    await shop.loseAnswers(ada);
    const { status, body } = await shop.order(ada, 'pm_card_authenticationRequired', {}, key);
    expect([status, body.data]).toEqual([201, first]);
    await shop.confirm(ada, first.client_secret, 'succeed');
    expect(await shop.kept(ada)).toMatchObject({ subscriptions: 1, collected: 14_500 });
  });

  it('is tried again after a decline', async ({ app, shop }) => {
    const ada = await app.register();
    const key = { 'idempotency-key': 'order-3' };
    for (let time = 0; time < 2; time += 1) {
      expect((await shop.order(ada, 'pm_card_radarBlock', {}, key)).status).toBe(422);
    }
    expect(await shop.kept(ada)).toEqual(NOTHING);
  });
});
