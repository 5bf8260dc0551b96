import { describe, expect } from 'vitest';
import type { Member } from '../harness/index.ts';
import { createRestoreTest } from './restore-fixtures.ts';
import type { RestoreWorld } from './restore-world.ts';

const FINANCE = 'finance@vendor.example';
const MONTH = 14_500;

const it = createRestoreTest({ SEATHOLD_FINANCE_EMAIL: `Finance <${FINANCE}>` });

const orphansOf = async (world: RestoreWorld, who: Member) =>
  (await world.orphans()).filter((orphan) => orphan.organization_id === who.organizationId);

async function mails(world: RestoreWorld): Promise<string> {
  await world.shop.app.runJob('billing.mail-orphaned-payments');
  const all = await world.shop.app.mailsTo(FINANCE);
  return all.flatMap(({ table = [] }) => table.map(({ label, note, value }) => `${label} ${note} ${value}`)).join('\n');
}

describe('after a restore of yesterday’s backup', () => {
  it('a first purchase since then is orphaned when Stripe reports it, and finance is mailed once', async ({
    world,
  }) => {
    const ada = await world.shop.app.register();
    await world.backup();
    await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    const paymentRef = world.double.charges.at(-1)?.intentId;

    await world.restore();
    expect(new Set(await world.redeliver())).toEqual(new Set([200]));
    expect(await orphansOf(world, ada)).toMatchObject([
      { provider_ref: paymentRef, status: 'orphaned', reason: 'unknown_subscription' },
    ]);
    const told = await mails(world);
    expect(told).toContain(paymentRef);
    expect(told).toContain(ada.organizationId);
    expect(told).toContain('145.00 USD');
    await world.redeliver();
    expect(await mails(world)).toBe(told);
    expect(await world.paidBy(ada)).toEqual([MONTH]);
  });

  it('a purchase by an organization that registered since then is orphaned', async ({ world }) => {
    await world.backup();
    const ada = await world.shop.app.register();
    await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.restore();
    await world.redeliver();
    expect(await orphansOf(world, ada)).toMatchObject([{ status: 'orphaned', reason: 'unknown_organization' }]);
  });

  it('a purchase whose request is repeated with its Idempotency-Key is not paid for again', async ({ world }) => {
    const ada = await world.shop.app.register();
    await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    const card = world.double.makeCard('pm_card_visa');
    const headers = { 'idempotency-key': 'a purchase whose response was lost' };
    expect((await world.shop.order(ada, card, {}, headers)).status).toBe(201);

    await world.restore();
    const repeated = await world.shop.order(ada, card, {}, headers);
    expect(repeated).toMatchObject({ status: 201, body: { data: { status: 'active' } } });
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);
    await world.redeliver();
    expect(await orphansOf(world, ada)).toEqual([]);
    const other = { 'idempotency-key': 'another purchase' };
    expect((await world.shop.order(ada, card, {}, other)).status).toBe(201);
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH, MONTH]);
  });

  it('a change since then is orphaned, and pays for the same change when the customer asks again', async ({
    world,
  }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    await world.travel(3, ada);
    expect((await world.shop.change(ada, id, { quantity: 8 })).status).toBe(200);
    const before = await world.paidBy(ada);

    await world.restore();
    await world.moveClocks(3, ada);
    await world.redeliver();
    expect(await orphansOf(world, ada)).toMatchObject([{ status: 'orphaned', reason: 'unknown_change' }]);
    const first = await world.shop.change(ada, id, { quantity: 8 });
    const answer = first.status === 409 ? await world.shop.change(ada, id, { quantity: 8 }) : first;
    expect(answer).toMatchObject({ status: 200, body: { data: { quantity: 8 } } });
    expect(await world.paidBy(ada)).toEqual(before);
    expect(await orphansOf(world, ada)).toMatchObject([{ status: 'adopted' }]);
  });

  it('a renewal that Stripe reports before it is due is awaited, and adopted by the renewal', async ({ world }) => {
    const ada = await world.shop.app.register();
    await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    await world.travel(31, ada);

    await world.restore();
    await world.redeliver();
    expect(await orphansOf(world, ada)).toMatchObject([{ status: 'awaited', reason: null }]);
    await world.moveClocks(31, ada);
    expect(await orphansOf(world, ada)).toMatchObject([{ status: 'adopted' }]);
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);
  });

  it('a retry that Stripe reports pays the open invoice immediately', async ({ world }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.shop.attach(ada, world.double.makeCard('pm_card_chargeCustomerFail'));
    await world.travel(31, ada);
    await world.backup();
    await world.shop.attach(ada, world.double.makeCard('pm_card_mastercard'));
    await world.shop.app.runJobs();

    await world.restore();
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    await world.redeliver();
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await orphansOf(world, ada)).toEqual([]);
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);
  });

  it('an awaited renewal whose subscription is canceled meanwhile becomes orphaned', async ({ world }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    await world.travel(31, ada);
    await world.restore();
    await world.redeliver();
    expect((await world.shop.cancel(ada, id, { cancel_immediately: true })).status).toBe(200);
    await world.makeReviewDue();
    await world.shop.app.runJob('billing.review-awaited-payments');
    expect(await orphansOf(world, ada)).toMatchObject([{ status: 'orphaned', reason: 'subscription_ended' }]);
  });
});

describe('a payment made by another service', () => {
  it('is acknowledged and ignored', async ({ world }) => {
    const before = await world.orphans();
    const target = {
      url: `${world.shop.app.api.baseUrl}/v1/providers/stripe/webhook`,
      secret: world.double.webhookSecret,
    };
    const paymentRef = world.double.collectElsewhere(5_000, 'usd');
    const event = world.double.events.at(-1);
    expect(event?.object.id).toBe(paymentRef);
    expect(await world.double.send(event ?? expect.fail(), target)).toBe(200);
    expect(await world.orphans()).toEqual(before);
  });
});
