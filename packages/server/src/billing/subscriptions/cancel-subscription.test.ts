import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';

const it = createTest({ environment: 'sandbox' });

describe('a cancellation at the end of the period', () => {
  it('is announced immediately, and ends the subscription and the license with the period', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    const { body } = await shop.cancel(ada, id, { reason: 'we are done' });
    expect(body.data).toMatchObject({ status: 'active', cancel_at_period_end: true, canceled_at: expect.any(String) });
    expect(await shop.told(ada, 'subscription.canceled')).toEqual([
      {
        subscription_id: id,
        plan_id: shop.plans.pro,
        cancel_at_period_end: true,
        current_period_end: body.data.current_period_end,
        canceled_by: ada.userId,
        reason: 'we are done',
      },
    ]);
    expect(await shop.license(ada, id)).toMatchObject({ expires_at: body.data.current_period_end });
    expect((await shop.cancel(ada, id)).body.error.code).toBe('conflict');
    await shop.travel(ada, 32);
    const ended = await shop.subscription(ada, id);
    expect(ended).toMatchObject({ status: 'canceled', ended_at: body.data.current_period_end });
    expect(await shop.told(ada, 'subscription.canceled')).toHaveLength(1);
    expect(await shop.told(ada, 'subscription.expired')).toHaveLength(1);
    expect(await shop.license(ada, id)).toMatchObject({ status: 'expired' });
    expect(await shop.invoices(ada)).toHaveLength(1);
  });

  it('can be undone until then, and not afterwards', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    expect((await shop.resume(ada, id)).body.error.code).toBe('conflict');
    await shop.cancel(ada, id);
    expect((await shop.resume(ada, id)).body.data).toMatchObject({ cancel_at_period_end: false, canceled_at: null });
    await shop.travel(ada, 32);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    await shop.cancel(ada, id);
    await shop.travel(ada, 32);
    expect((await shop.resume(ada, id)).body.error.code).toBe('conflict');
  });

  it('can still be made immediate', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.cancel(ada, id);
    const { body } = await shop.cancel(ada, id, { cancel_immediately: true });
    expect(body.data).toMatchObject({ status: 'canceled', cancel_at_period_end: false });
  });
});

describe('an immediate cancellation', () => {
  it('ends the subscription and its license now, without a refund, and is announced once', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    const { body } = await shop.cancel(ada, id, { cancel_immediately: true });
    expect(body.data).toMatchObject({ status: 'canceled', cancel_at_period_end: false });
    expect(await shop.license(ada, id)).toMatchObject({ status: 'expired', expires_at: body.data.ended_at });
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500, credit: 0 });
    await shop.travel(ada, 40);
    expect(await shop.told(ada, 'subscription.canceled')).toHaveLength(1);
    expect(await shop.told(ada, 'subscription.expired')).toEqual([]);
    expect((await shop.cancel(ada, id)).body.error.code).toBe('conflict');
    expect(await shop.invoices(ada)).toHaveLength(1);
  });

  it('cancels a first payment that waits for the customer', async ({ shop, ada }) => {
    const coupon = await shop.coupon('CANCELED', { percent: 10, most: 1 });
    const order = (await shop.order(ada, 'pm_card_authenticationRequired', coupon)).body.data;
    expect((await shop.cancel(ada, order.id)).body.data).toMatchObject({ status: 'canceled' });
    expect((await shop.confirm(ada, order.client_secret, 'succeed')).status).toBe(409);
    expect(await shop.invoices(ada)).toMatchObject([{ status: 'void' }]);
    expect(await shop.redemptions('CANCELED')).toBe(0);
    expect(await shop.kept(ada)).toMatchObject({ collected: 0 });
  });

  it('cancels a change that waits for the customer', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.attach(ada, 'pm_card_authenticationRequired');
    const { pending_change: pending } = (await shop.change(ada, id, { quantity: 8 })).body.data;
    expect((await shop.cancel(ada, id, { cancel_immediately: true })).status).toBe(200);
    expect((await shop.confirm(ada, pending.client_secret, 'succeed')).status).toBe(409);
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500 });
  });

  it('is refused while the provider processes a payment, because it may still succeed', async ({ shop, ada }) => {
    const id = await shop.buy(ada, 'pm_card_processing');
    expect((await shop.cancel(ada, id)).body.error.code).toBe('conflict');
    await shop.travel(ada, 3 / 24);
    expect((await shop.cancel(ada, id, { cancel_immediately: true })).body.data.status).toBe('canceled');
  });

  it('is always immediate for a past-due subscription, and its invoice is voided', async ({ shop, ada }) => {
    const id = await shop.buy(ada, 'pm_card_chargeCustomerFail');
    await shop.travel(ada, 32);
    expect((await shop.cancel(ada, id)).body.data).toMatchObject({ status: 'canceled', cancel_at_period_end: false });
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'void' });
    const failed = await shop.told(ada, 'invoice.payment_failed');
    await shop.travel(ada, 30);
    expect(await shop.told(ada, 'invoice.payment_failed')).toEqual(failed);
  });
});
