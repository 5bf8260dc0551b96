import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member } from '../../../test/harness/index.ts';
import type { Shop } from '../../../test/harness/shop.ts';

const it = createTest({ environment: 'sandbox' });
const latest = async (shop: Shop, who: Member) => (await shop.invoices(who)).at(-1);

/**
 * Sets a subscription's period to thirty days and moves twelve of them into the past, which makes every amount known.
 */
async function moveToDayTwelve(shop: Shop, id: string): Promise<void> {
  await execute(
    shop.app.database,
    `update subscriptions s set current_period_start = n.t - interval '12 days', current_period_end = n.t + interval '18 days',
      period_accrued = s.period_billed * 2592000
     from (select date_trunc('second', clock_timestamp()) + interval '1 hour' as t) n where s.id = $1`,
    [id],
  );
  await execute(
    shop.app.database,
    `update organizations set clock_offset_ms = clock_offset_ms + (
        select extract(epoch from s.current_period_start + interval '12 days' - clock_timestamp()) * 1000
        from subscriptions s where s.id = $1)
     where id = (select organization_id from subscriptions where id = $1)`,
    [id],
  );
}

describe('more seats', () => {
  it('are charged to the second for the rest of the period, and usable once paid', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await moveToDayTwelve(shop, id);
    const changed = await shop.change(ada, id, { quantity: 8 });
    expect([changed.status, changed.body.data.quantity]).toEqual([200, 8]);
    // 3 seats at 29.00 for 18 of 30 days, minus a few seconds of the test.
    const { amount_due: due, lines, status } = await latest(shop, ada);
    expect(due).toBeLessThanOrEqual(5_220);
    expect(due).toBeGreaterThan(5_210);
    expect(lines).toEqual([{ description: expect.any(String), quantity: 1, unit_amount: due, amount: due }]);
    expect(status).toBe('paid');
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 8 });
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500 + due });
  });

  it('change nothing if the payment is declined', async ({ shop, ada }) => {
    const id = await shop.buy(ada, 'pm_card_chargeCustomerFail');
    const before = [await shop.subscription(ada, id), await shop.kept(ada)];
    const refused = await shop.change(ada, id, { quantity: 8 });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'payment_failed']);
    expect([await shop.subscription(ada, id), await shop.kept(ada)]).toEqual(before);
  });

  it('wait for the customer, and are usable once the payment is authenticated', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.attach(ada, 'pm_card_authenticationRequired');
    const { body } = await shop.change(ada, id, { quantity: 8 });
    expect(body.data).toMatchObject({
      quantity: 5,
      requires_action: true,
      pending_change: { quantity: 8, client_secret: expect.any(String), expires_at: expect.any(String) },
    });
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 5 });
    await shop.confirm(ada, body.data.pending_change.client_secret, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ quantity: 8, pending_change: null });
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 8 });
  });

  it.for(['fails', 'never comes'])(
    'that wait for a customer who %s never become usable, and their invoice is voided',
    async (what, { shop, ada }) => {
      const id = await shop.buy(ada);
      await shop.attach(ada, 'pm_card_authenticationRequired');
      const { pending_change: pending } = (await shop.change(ada, id, { quantity: 8 })).body.data;
      await (what === 'fails' ? shop.confirm(ada, pending.client_secret, 'fail') : shop.travel(ada, 1));
      expect(await shop.subscription(ada, id)).toMatchObject({
        status: 'active',
        quantity: 5,
        pending_change: null,
        requires_action: false,
      });
      expect(await latest(shop, ada)).toMatchObject({ status: 'void' });
    },
  );

  it('replace earlier ones that wait', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.attach(ada, 'pm_card_authenticationRequired');
    const first = (await shop.change(ada, id, { quantity: 8 })).body.data.pending_change;
    const second = (await shop.change(ada, id, { quantity: 9 })).body.data.pending_change;
    expect((await shop.confirm(ada, first.client_secret, 'succeed')).status).toBe(409);
    await shop.confirm(ada, second.client_secret, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ quantity: 9 });
    const statuses = (await shop.invoices(ada)).map((invoice: { status: string }) => invoice.status);
    expect(statuses).toEqual(['paid', 'void', 'paid']);
  });

  it('are charged once if requested twice simultaneously with one key', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    const key = { 'idempotency-key': 'change-1' };
    const answers = await Promise.all([1, 2, 3].map(() => shop.change(ada, id, { quantity: 8 }, key)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await shop.change(ada, id, { quantity: 8 }, key)).body.data.quantity).toBe(8);
    expect(await shop.invoices(ada)).toHaveLength(2);
  });

  it.for([
    ['pm_card_visa', 8, 2],
    ['pm_card_authenticationRequired', 5, 1],
  ] as const)(
    'are charged once to %s if the response was lost and the request is repeated',
    async ([card, quantity, paid], { shop, ada }) => {
      const id = await shop.buy(ada);
      await shop.attach(ada, card);
      const key = { 'idempotency-key': 'change-2' };
      const first = (await shop.change(ada, id, { quantity: 8 }, key)).body.data;
      await shop.loseAnswers(ada);
      const { status, body } = await shop.change(ada, id, { quantity: 8 }, key);
      expect([status, body.data]).toEqual([200, first]);
      expect(body.data.quantity).toBe(quantity);
      const invoices: Array<{ status: string }> = await shop.invoices(ada);
      expect(invoices).toHaveLength(2);
      expect(invoices.filter((invoice) => invoice.status === 'paid')).toHaveLength(paid);
    },
  );
});

describe('fewer seats', () => {
  it('take effect immediately, and their price becomes credit for the next invoice', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await moveToDayTwelve(shop, id);
    expect((await shop.change(ada, id, { quantity: 2 })).body.data.quantity).toBe(2);
    const { credit = 0, invoices } = await shop.kept(ada);
    expect(invoices).toBe(1);
    expect(credit).toBeGreaterThan(5_210);
    expect(credit).toBeLessThanOrEqual(5_220);
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 2 });
    await shop.change(ada, id, { quantity: 3 });
    expect(await latest(shop, ada)).toMatchObject({ status: 'paid', amount_due: 0 });
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500 });
  });

  it('give exactly the credit that the preview shows', async ({ app, shop, ada }) => {
    const id = await shop.buy(ada);
    const preview = await app.api.get(`/v1/subscriptions/${id}/preview?quantity=1`, ada.accessToken);
    expect(preview.body.data).toMatchObject({ amount_due: 0, credit_applied: 0, next_period_amount: 2_900 });
    await shop.change(ada, id, { quantity: 1 });
    const { credit = 0 } = await shop.kept(ada);
    expect(credit).toBe(preview.body.data.credit_added);
    expect(credit).toBeGreaterThan(11_590);
  });
});

describe('another plan', () => {
  it('brings its product, its tier and its price, and is refused if it has too few seats', async ({
    app,
    shop,
    ada,
  }) => {
    const id = await shop.buy(ada);
    const tooMany = await shop.change(ada, id, { plan_id: shop.plans.free });
    expect([tooMany.status, tooMany.body.error.details]).toMatchObject([422, { field: 'quantity', reason: 'max' }]);
    const changed = await shop.change(ada, id, { plan_id: shop.plans.free, quantity: 3 });
    expect(changed.body.data).toMatchObject({ plan: { id: shop.plans.free }, quantity: 3 });
    const tiers = await execute(app.database, 'select tier from organizations where id = $1', [ada.organizationId]);
    expect(tiers).toEqual([{ tier: 'free' }]);
    const contact = await shop.change(ada, id, { plan_id: shop.plans.enterprise });
    expect(contact.body.error.details).toMatchObject({ field: 'plan_id', reason: 'contact_sales' });
  });
});

describe('an impossible change', () => {
  it.for([
    ['incomplete', 'pm_card_authenticationRequired', 0],
    ['past_due', 'pm_card_chargeCustomerFail', 32],
  ] as const)('is refused if the subscription is %s', async ([status, card, days], { app, shop, ada }) => {
    const id = await shop.buy(ada, card);
    await (days === 0 ? undefined : shop.travel(ada, days));
    expect(await shop.subscription(ada, id)).toMatchObject({ status });
    expect((await shop.change(ada, id, { quantity: 8 })).body.error.code).toBe('conflict');
    const preview = await app.api.get(`/v1/subscriptions/${id}/preview?quantity=8`, ada.accessToken);
    expect(preview.body.error.code).toBe('conflict');
  });

  it('is refused if it is empty, or for amounts that cannot be charged', async ({ app, shop, ada }) => {
    const id = await shop.buy(ada);
    expect((await shop.change(ada, id, {})).status).toBe(400);
    await execute(app.database, `update plans set price = 50000 where key = 'pro'`);
    const refused = await shop.change(ada, id, { quantity: 10_000 });
    await execute(app.database, `update plans set price = 2900 where key = 'pro'`);
    expect([refused.status, refused.body.error.details]).toMatchObject([422, { field: 'quantity', reason: 'amount' }]);
  });

  it('to the current state succeeds and costs nothing', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    expect((await shop.change(ada, id, { quantity: 5 })).status).toBe(200);
    expect(await shop.told(ada, 'subscription.updated')).toEqual([]);
  });
});
