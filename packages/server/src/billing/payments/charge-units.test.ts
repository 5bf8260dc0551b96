import { expect } from 'vitest';
import { catalogueWith } from '../../../test/catalogue/catalogue-files.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { applyCatalogue } from '../catalogue/apply-catalogue.ts';

const it = createTest().override('options', ({ stripe }) => ({ settings: stripe.settings }));

/** Creates a plan in this currency, and a coupon whose percentage leaves a remainder; returns the plan's ID. */
async function sell(app: TestApp, currency: string, price: number): Promise<string> {
  const catalogue = catalogueWith(
    ['plans.0.key', `team-${currency}`],
    ['plans.0.currency', currency],
    ['plans.0.price', price],
    ['coupons.0.percent_off', 33],
    ['coupons.0.max_redemptions', 1_000],
    ['coupons.0.duration', 'forever'],
  );
  await applyCatalogue(app.database, catalogue);
  const plans: Array<{ id: string; currency: string; price: number | null }> = (await app.api.get('/v1/plans')).body
    .data;
  return plans.find((plan) => plan.currency === currency && plan.price === price)?.id ?? expect.fail();
}

async function invoicesOf(app: TestApp, who: Member) {
  return (await app.api.get('/v1/invoices?sort=created_at', who.accessToken)).body.data;
}

it.for([
  // The currency, the price of a seat, and the number of minor units in one of Stripe's units.
  ['kwd', 12_340, 1],
  ['bhd', 5_120, 1],
  ['jod', 7_010, 1],
  ['omr', 3_330, 1],
  ['tnd', 99_990, 1],
  ['jpy', 1_999, 1],
  ['isk', 4_321, 0.01],
  ['ugx', 25_001, 0.01],
  ['mga', 1_234_500, 100],
  ['huf', 123_457, 1],
  ['twd', 99_999, 1],
] as const)(
  'the charge in %s equals the invoice after a discount, a change and a decrease',
  async ([currency, price, minorUnits], { app, stripe }) => {
    const plan_id = await sell(app, currency, price);
    const ada = await app.register();
    const order = { plan_id, quantity: 7, payment_method_id: stripe.makeCard('pm_card_visa'), coupon_code: 'WELCOME' };
    const bought = await app.api.post('/v1/subscriptions', ada.accessToken, order);
    expect([bought.status, bought.body.error]).toEqual([201, undefined]);
    const change = (quantity: number) =>
      app.api.call('PATCH', `/v1/subscriptions/${bought.body.data.id}`, {
        token: ada.accessToken,
        body: { quantity },
      });
    await app.moveClock(ada.organizationId, 7 * 86_400 + 12_345);
    expect((await change(10)).status).toBe(200);
    await app.moveClock(ada.organizationId, 3 * 86_400 + 54_321);
    expect((await change(4)).status).toBe(200);
    await app.moveClock(ada.organizationId, 31 * 86_400);
    await app.runJobs();
    const invoices = await invoicesOf(app, ada);
    expect(invoices.map((invoice: { status: string }) => invoice.status)).toEqual(['paid', 'paid', 'paid']);
    const collected = stripe.charges.filter((charge) => charge.currency === currency);
    expect(collected.map(({ amount }) => Math.round(amount * minorUnits))).toEqual(
      invoices.map((invoice: { amount_due: number }) => invoice.amount_due),
    );
    expect(invoices[2].credit_applied).toBeGreaterThan(0);
  },
);
