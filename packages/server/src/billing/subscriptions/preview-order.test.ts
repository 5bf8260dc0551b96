import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const it = createTest({ environment: 'sandbox' });

const preview = (app: TestApp, who: Member | undefined, order: Record<string, string>, headers = {}) =>
  app.api.call('GET', `/v1/subscriptions/preview?${new URLSearchParams(order)}`, { token: who?.accessToken, headers });

describe('GET /v1/subscriptions/preview', () => {
  it('200: shows, before the first purchase, exactly what the order will cost', async ({ app, shop, ada }) => {
    const { coupon_code: code } = await shop.coupon('PREVIEWED', { percent: 20 });
    const order = { plan_id: shop.plans.pro, quantity: '5', coupon_code: code };
    const { status, body } = await preview(app, ada, order);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      plan_id: shop.plans.pro,
      quantity: 5,
      coupon: { code: 'PREVIEWED', percent_off: 20 },
      subtotal: 14_500,
      discount: 2_900,
      total: 11_600,
      credit_applied: 0,
      amount_due: 11_600,
      currency: 'usd',
    });
    await shop.buy(ada, 'pm_card_visa', { coupon_code: code });
    const [invoice] = await shop.invoices(ada);
    const { lines, subtotal, discount, tax, total, credit_applied, amount_due } = body.data;
    expect(invoice).toMatchObject({ lines, subtotal, discount, tax, total, credit_applied, amount_due });
  });

  it('200: uses the credit, and returns the price of the next period without it', async ({ app, shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.change(ada, id, { quantity: 1 });
    const [{ balance }] = (await app.api.get('/v1/credit-balance', ada.accessToken)).body.data.balances;
    const { body } = await preview(app, ada, { plan_id: shop.plans.pro, quantity: '10' });
    expect(body.data).toMatchObject({
      coupon: null,
      total: 29_000,
      credit_applied: balance,
      amount_due: 29_000 - balance,
      next_period_amount: 29_000,
    });
  });

  it('writes nothing: neither an account nor a redemption', async ({ app, shop, ada }) => {
    const { coupon_code: code } = await shop.coupon('UNTOUCHED', { percent: 20 });
    await preview(app, ada, { plan_id: shop.plans.pro, quantity: '5', coupon_code: code });
    expect(await shop.redemptions('UNTOUCHED')).toBe(0);
    const accounts = 'select 1 from billing_accounts where organization_id = $1';
    expect(await execute(app.database, accounts, [ada.organizationId])).toEqual([]);
  });

  it.for([
    [{ plan_id: 'plan_none' }, 'plan_id', 'unknown'],
    [{ plan_id: 'enterprise' }, 'plan_id', 'contact_sales'],
    [{ plan_id: 'free', quantity: '4' }, 'quantity', 'max'],
    [{ coupon_code: 'NO-SUCH' }, 'coupon_code', 'unknown'],
  ] as const)(
    '422: refuses whatever the order would be refused for: %j',
    async ([more, field, reason], { app, shop, ada }) => {
      const order = { plan_id: 'pro', quantity: '1', ...more };
      const planId = Object.entries(shop.plans).find(([name]) => name === order.plan_id)?.[1] ?? order.plan_id;
      const { status, body } = await preview(app, ada, { ...order, plan_id: planId });
      expect([status, body.error.code, body.error.details]).toEqual([422, 'validation_failed', { field, reason }]);
    },
  );

  it.for([
    [{ plan_id: 'plan_none' }, 'quantity'],
    [{ quantity: '1' }, 'plan_id'],
    [{ plan_id: 'plan_none', quantity: '0' }, 'quantity'],
    [{ plan_id: 'plan_none', quantity: '1', payment_method_id: 'pm_card_visa' }, 'payment_method_id'],
  ] as const)('400: %j', async ([order, field], { app, ada }) => {
    const { status, body } = await preview(app, ada, { ...order });
    expect([status, body.error.details.field]).toEqual([400, field]);
  });

  it('409: an organization has at most one free subscription', async ({ app, shop, ada }) => {
    await shop.buy(ada, 'pm_card_visa', { plan_id: shop.plans.free, quantity: 1 });
    const { status, body } = await preview(app, ada, { plan_id: shop.plans.free, quantity: '1' });
    expect([status, body.error.code]).toEqual([409, 'conflict']);
  });

  it('401 without a token, 403 for members without the role', async ({ app, shop, admin }) => {
    const order = { plan_id: shop.plans.pro, quantity: '1' };
    expect((await preview(app, undefined, order)).status).toBe(401);
    const member = await joinOrganization(app, admin);
    const answer = await preview(app, member, order, { 'x-organization-id': admin.organizationId });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  });
});
