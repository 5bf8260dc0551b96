import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member } from '../../../test/harness/index.ts';
import { Shop } from '../../../test/harness/shop.ts';

const it = createTest({ environment: 'sandbox' });

describe('a renewal', () => {
  it('bills and charges each period once, and extends the license', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    const first = await shop.subscription(ada, id);
    await shop.travel(ada, 95);
    const invoices: Array<{ status: string; period_start: string; period_end: string }> = await shop.invoices(ada);
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
    expect(invoices.slice(1).map((each) => each.period_start)).toEqual(
      invoices.slice(0, -1).map((each) => each.period_end),
    );
    const last = await shop.subscription(ada, id);
    expect(last).toMatchObject({ status: 'active', current_period_end: invoices.at(-1)?.period_end });
    expect(Date.parse(last.current_period_end)).toBeGreaterThan(Date.parse(first.current_period_end));
    const graceMs = 3 * 86_400_000;
    const { expires_at: expiresAt } = await shop.license(ada, id);
    expect(Date.parse(expiresAt) - Date.parse(last.current_period_end)).toBe(graceMs);
    expect(await shop.kept(ada)).toMatchObject({ collected: 4 * 14_500 });
  });

  it('happens in order after months of downtime, once per period, whichever process does it', async ({
    app,
    shop,
    ada,
  }) => {
    await shop.buy(ada);
    const other = await Shop.start({ beside: app });
    await app.moveClock(ada.organizationId, 100 * 86_400);
    await Promise.all([shop, other].map(({ app: test }) => test.runJobs()));
    const invoices: Array<{ period_start: string; number: string }> = await shop.invoices(ada);
    const inOrder = invoices.toSorted((one, two) => (one.period_start < two.period_start ? -1 : 1));
    expect(invoices).toHaveLength(4);
    expect(inOrder.map(({ number }) => number)).toEqual(invoices.map(({ number }) => number).toSorted());
    expect(await shop.kept(ada)).toMatchObject({ collected: 4 * 14_500 });
    await other.close();
  });

  it('of a free subscription charges nothing', async ({ shop, ada }) => {
    const id = await shop.buy(ada, 'pm_card_visa', { plan_id: shop.plans.free, quantity: 1 });
    await shop.travel(ada, 40);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ invoices: 2, collected: 0 });
  });

  it('with an unknown outcome is looked up, and never charged twice', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.attach(ada, 'pm_card_lostRequest');
    await shop.travel(ada, 31.5);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await shop.kept(ada)).toMatchObject({ invoices: 2, collected: 29_000 });
    expect(await shop.told(ada, 'invoice.payment_failed')).toEqual([]);
  });
});

describe('dunning', () => {
  /** A subscription whose first renewal has just been declined. */
  async function pastDue(shop: Shop, card: string): Promise<{ ada: Member; id: string }> {
    const ada = await shop.app.register();
    const id = await shop.buy(ada, 'pm_card_visa');
    await shop.attach(ada, card);
    const { current_period_end: end } = await shop.subscription(ada, id);
    const seconds = Math.ceil((Date.parse(end) - Date.now()) / 1000) + 60;
    await shop.travel(ada, seconds / 86_400);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    return { ada, id };
  }
  const failures = async (shop: Shop, who: Member) => (await shop.told(who, 'invoice.payment_failed')).length;

  it('retries after 2, 5, 7 and 7 days, and then the subscription expires with its license', async ({ shop }) => {
    const { ada, id } = await pastDue(shop, 'pm_card_chargeCustomerFail');
    expect(await failures(shop, ada)).toBe(1);
    for (const [place, days] of [2, 5, 7].entries()) {
      await shop.travel(ada, days - 0.01);
      expect(await failures(shop, ada)).toBe(place + 1);
      await shop.travel(ada, 0.01);
      expect(await failures(shop, ada)).toBe(place + 2);
      expect(await shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    }
    await shop.travel(ada, 7);
    expect(await failures(shop, ada)).toBe(5);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'expired', ended_at: expect.any(String) });
    expect((await shop.invoices(ada)).at(-1)).toMatchObject({ status: 'uncollectible' });
    expect(await shop.license(ada, id)).toMatchObject({ status: 'expired' });
    expect(await shop.told(ada, 'subscription.expired')).toHaveLength(1);
  });

  it('ends when a retry succeeds, and the periods continue from their anchor', async ({ shop }) => {
    const { ada, id } = await pastDue(shop, 'pm_card_failsTwiceThenSucceeds');
    const { current_period_end: end } = await shop.subscription(ada, id);
    await shop.travel(ada, 7.1);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active', current_period_end: end });
    expect(await shop.license(ada, id)).toMatchObject({ status: 'active' });
  });

  it('waits for a new card after a hard decline, and tries it immediately', async ({ app, shop }) => {
    const { ada, id } = await pastDue(shop, 'pm_card_radarBlock');
    expect(await shop.told(ada, 'invoice.payment_failed')).toMatchObject([{ next_attempt_at: null }]);
    await shop.travel(ada, 8);
    expect(await failures(shop, ada)).toBe(1);
    await shop.attach(ada, 'pm_card_visa');
    await app.runJobs();
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
  });

  it('expires if no other card is added after a hard decline', async ({ shop }) => {
    const { ada, id } = await pastDue(shop, 'pm_card_radarBlock');
    await shop.travel(ada, 21.1);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'expired' });
    expect(await shop.kept(ada)).toMatchObject({ collected: 14_500 });
  });

  it('tries a new default card immediately, without counting it as a retry', async ({ app, shop }) => {
    const { ada, id } = await pastDue(shop, 'pm_card_chargeCustomerFail');
    await shop.attach(ada, 'pm_card_processingDeclined');
    await shop.travel(ada, 0.5);
    expect(await failures(shop, ada)).toBe(2);
    await shop.travel(ada, 14);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    await shop.attach(ada, 'pm_card_visa');
    await app.runJobs();
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
  });

  it('tries a card that became the default while another was being charged', async ({ shop, ada }) => {
    const id = await shop.buy(ada);
    await shop.attach(ada, 'pm_card_processingDeclined');
    const { current_period_end: end } = await shop.subscription(ada, id);
    await shop.travel(ada, (Date.parse(end) - Date.now()) / 86_400_000 + 1 / 24);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    await shop.attach(ada, 'pm_card_visa');
    await shop.travel(ada, 3 / 24);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
    expect(await failures(shop, ada)).toBe(1);
  });

  it('continues if the customer does not authenticate a payment', async ({ shop }) => {
    const { ada, id } = await pastDue(shop, 'pm_card_authenticationRequired');
    const invoice = (await shop.invoices(ada)).at(-1);
    expect((await shop.pay(ada, invoice.id)).body.data).toMatchObject({
      id,
      status: 'past_due',
      requires_action: true,
    });
    await shop.travel(ada, 21.5);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'expired' });
  });

  it('starts if there is no payment method, and tries a new one immediately', async ({ app, shop, ada }) => {
    const id = await shop.buy(ada);
    await execute(
      app.database,
      'update payment_methods set is_default = false, removed_at = created_at where organization_id = $1',
      [ada.organizationId],
    );
    await shop.travel(ada, 31.5);
    expect(await shop.told(ada, 'invoice.payment_failed')).toMatchObject([{ decline_code: 'no_payment_method' }]);
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'past_due' });
    await shop.attach(ada, 'pm_card_mastercard');
    await app.runJobs();
    expect(await shop.subscription(ada, id)).toMatchObject({ status: 'active' });
  });
});
