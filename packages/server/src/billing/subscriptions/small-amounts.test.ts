import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member } from '../../../test/harness/index.ts';
import type { Shop } from '../../../test/harness/shop.ts';
import { examineInvariants } from '../../operator/invariants/examine-invariants.ts';

const it = createTest({
  environment: 'sandbox', // Like real ones, this provider declines smaller amounts.
  aroundProvider: (provider) => ({
    ...provider,
    minAmount: () => 50,
    prepare: async (charge) =>
      charge.amount < 50
        ? { kind: 'declined', declineCode: 'amount_too_small', isHard: false }
        : provider.prepare(charge),
  }),
});

const FOUR_HOURS = 4 * 3_600;

/** Buys five seats and moves the clock to four hours before the end of the period. */
async function nearTheEnd(shop: Shop): Promise<{ ada: Member; id: string; partOf: (price: number) => number }> {
  const ada = await shop.app.register();
  const id = await shop.buy(ada);
  const { current_period_start: start, current_period_end: end } = await shop.subscription(ada, id);
  await shop.app.moveClock(ada.organizationId, Math.floor((Date.parse(end) - Date.now()) / 1000) - FOUR_HOURS);
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  return { ada, id, partOf: (price) => Math.round((price * FOUR_HOURS) / seconds) };
}

const preview = async (shop: Shop, who: Member, id: string, quantity: number) =>
  (await shop.app.api.get(`/v1/subscriptions/${id}/preview?quantity=${quantity}`, who.accessToken)).body.data;

/** Allows for a minor unit, because the test takes seconds. */
const near = (amount: number) => ({ asymmetricMatch: (other: number) => Math.abs(other - amount) <= 1 });

async function giveCredit(shop: Shop, who: Member, amount: number): Promise<void> {
  await execute(
    shop.app.database,
    `with entry as (insert into billing_credit_entries (organization_id, id, currency, amount, reason, subscription_id, created_at)
       values ($1, 'given_' || $1, 'usd', $2, 'decrease', '', clock_timestamp()))
     insert into billing_credits (organization_id, currency, balance) values ($1, 'usd', $2)`,
    [who.organizationId, amount],
  );
}

describe('if a charge can be too small,', () => {
  it('a renewal uses only so much credit that the rest can be charged', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await giveCredit(shop, ada, 14_480);
    await shop.travel(ada, 31.5);
    const last = (await shop.invoices(ada)).at(-1);
    expect(last).toMatchObject({ status: 'paid', credit_applied: 14_450, amount_due: 50, amount_paid: 50 });
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ credit: 30, collected: 14_550 });
  });

  it('a change below the minimum takes effect immediately, and the renewal bills it', async ({ shop }) => {
    const { ada, id, partOf } = await nearTheEnd(shop);
    const carried = near(partOf(2_900));
    expect(await preview(shop, ada, id, 6)).toMatchObject({ amount: carried, carried, amount_due: 0, credit_added: 0 });
    const changed = await shop.change(ada, id, { quantity: 6 });
    expect([changed.status, changed.body.data.quantity]).toEqual([200, 6]);
    expect(await shop.license(ada, id)).toMatchObject({ max_seats: 6 });
    expect(await shop.kept(ada)).toMatchObject({ invoices: 1, collected: 14_500, credit: 0 });
    await shop.travel(ada, 0.5);
    const renewal = (await shop.invoices(ada)).at(-1);
    const [seats, rest] = renewal.lines;
    expect(seats).toMatchObject({ quantity: 6, amount: 17_400 });
    expect(rest).toEqual({
      description: expect.stringMatching(/^Pro, changes carried over from the previous period, prorated \(.* – .*\)$/),
      quantity: 1,
      unit_amount: carried,
      amount: rest.unit_amount,
    });
    expect(renewal).toMatchObject({
      status: 'paid',
      subtotal: 17_400 + rest.amount,
      amount_paid: 17_400 + rest.amount,
    });
    await shop.travel(ada, 31.5);
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'paid', amount_due: 17_400 });
  });

  it('the next change bills it once both together reach the minimum', async ({ shop }) => {
    const { ada, id, partOf } = await nearTheEnd(shop);
    await shop.change(ada, id, { quantity: 6 });
    await shop.change(ada, id, { quantity: 7 });
    expect(await shop.kept(ada)).toMatchObject({ invoices: 1 });
    await shop.change(ada, id, { quantity: 10 });
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'paid', amount_due: near(partOf(5 * 2_900)) });
    expect(await preview(shop, ada, id, 10)).toMatchObject({ amount: 0, carried: 0 });
  });

  it('fewer seats cancel it, and an amount never billed does not become credit', async ({ shop }) => {
    const { ada, id } = await nearTheEnd(shop);
    await shop.change(ada, id, { quantity: 6 });
    await shop.change(ada, id, { quantity: 5 });
    await shop.travel(ada, 0.5);
    const { credit = 0 } = await shop.kept(ada);
    expect(credit).toBeLessThanOrEqual(1);
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ subtotal: 14_500 });
  });

  it('credit pays a change below the minimum in full', async ({ shop }) => {
    const { ada, id, partOf } = await nearTheEnd(shop);
    await giveCredit(shop, ada, 40);
    await shop.change(ada, id, { quantity: 6 });
    const credit_applied = near(partOf(2_900));
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'paid', amount_due: 0, credit_applied });
  });

  it('the unbilled rest of a subscription that ends is waived', async ({ shop }) => {
    const { ada, id } = await nearTheEnd(shop);
    await shop.change(ada, id, { quantity: 6 });
    await shop.cancel(ada, id);
    await shop.travel(ada, 0.5);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'canceled' });
    expect(await shop.kept(ada)).toMatchObject({ invoices: 1, collected: 14_500 });
  });

  it('the ledger is consistent throughout', async ({ app, shop }) => {
    const { ada, id } = await nearTheEnd(shop);
    await shop.change(ada, id, { quantity: 6 });
    const findings = await examineInvariants(app.database);
    expect(findings.filter((finding) => !finding.ok)).toEqual([]);
  });
});
