import { describe, expect } from 'vitest';
import { execute } from '../harness/index.ts';
import { createRestoreTest } from './restore-fixtures.ts';

const it = createRestoreTest();

const MONTH = 14_500;

describe('after a restore of yesterday’s backup', () => {
  it.for([
    ['within the day during which Stripe remembers keys', 31, 0],
    ['after Stripe has forgotten the keys', 31, 3],
  ] as const)('a renewal is not charged again %s', async ([_when, days, later], { world }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    await world.travel(days, ada);
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);
    const [, before] = await world.shop.invoices(ada);

    await world.restore();
    world.double.advance(later * 86_400);
    await world.moveClocks(days + later, ada);

    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);
    const [, after, ...more] = await world.shop.invoices(ada);
    expect(more).toEqual([]);
    expect(after).toMatchObject({ status: 'paid', amount_paid: MONTH, period_start: before.period_start });
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await world.orphans()).toEqual([]);
  });

  it('a successful retry is found, and the card is not charged again', async ({ world }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    const bad = world.double.makeCard('pm_card_chargeCustomerFail');
    expect((await world.shop.attach(ada, bad)).status).toBe(201);
    await world.travel(31, ada);
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    await world.backup();
    const good = world.double.makeCard('pm_card_mastercard');
    expect((await world.shop.attach(ada, good)).status).toBe(201);
    await world.shop.app.runJobs();
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);

    await world.restore();
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    world.double.advance(3 * 86_400);
    await world.moveClocks(3, ada);
    expect(await world.paidBy(ada)).toEqual([MONTH, MONTH]);
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'active' });
  });

  it('a renewal with another amount becomes credit and pays what it can, and is not charged again', async ({
    world,
  }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    // The quantity was lowered in the lost history, so the lost renewal cost less.
    expect((await world.shop.change(ada, id, { quantity: 3 })).status).toBe(200);
    const given = await world.credit(ada);
    await world.travel(31, ada);
    const renewed = 3 * 2_900 - given;
    const [, ...lost] = await world.paidBy(ada);
    expect(lost).toEqual([renewed].filter((each) => each > 0));

    await world.restore();
    world.double.advance(2 * 86_400);
    await world.moveClocks(33, ada);
    await world.shop.app.runJobs();
    const paid = await world.paidBy(ada);
    // Two periods of five seats in total, which matches the customer's restored books.
    expect(paid.reduce((sum, each) => sum + each, 0)).toBe(2 * MONTH);
    expect(await world.credit(ada)).toBe(0);
    expect(await world.shop.subscription(ada, id)).toMatchObject({ status: 'active', quantity: 5 });
  });

  it('the amount that exceeds what is due now becomes credit for the next periods', async ({ world }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    expect((await world.shop.change(ada, id, { quantity: 10 })).status).toBe(200);
    await world.travel(31, ada);
    const before = await world.paidBy(ada);
    expect(before.at(-1)).toBe(2 * MONTH);

    await world.restore();
    await world.moveClocks(31, ada);
    await world.shop.app.runJobs();
    expect(await world.paidBy(ada)).toEqual(before);
    expect(await world.credit(ada)).toBe(MONTH);
    const [row] = await execute<{ status: string }>(
      world.shop.app.database,
      'select status from payments where organization_id = $1 and amount = $2 and invoice_id is null',
      [ada.organizationId, 2 * MONTH],
    );
    expect(row).toEqual({ status: 'succeeded' });
  });

  it('a repeated change is not paid twice', async ({ world }) => {
    const ada = await world.shop.app.register();
    const id = await world.shop.buy(ada, world.double.makeCard('pm_card_visa'));
    await world.backup();
    await world.travel(10, ada);
    expect((await world.shop.change(ada, id, { quantity: 10 })).status).toBe(200);
    const before = await world.paidBy(ada);
    expect(before).toHaveLength(2);

    await world.restore();
    await world.moveClocks(12, ada);
    const first = await world.shop.change(ada, id, { quantity: 10 });
    const answer = first.status === 409 ? await world.shop.change(ada, id, { quantity: 10 }) : first;
    expect(answer).toMatchObject({ status: 200, body: { data: { quantity: 10 } } });
    expect(await world.paidBy(ada)).toEqual(before);
  });
});
