import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { Shop } from '../../../test/harness/shop.ts';
import { type StripeDouble, startStripeDouble } from '../../../test/stripe-double/index.ts';

const FINANCE = 'finance@vendor.example';
const LATE = { amount: 14_500, currency: 'usd' };

interface CreditEntry {
  amount: number;
  reason: string;
  payment_id: string | null;
}

async function creditOf(test: TestApp, { organizationId }: Member): Promise<CreditEntry[]> {
  return execute<CreditEntry>(
    test.database,
    'select amount, reason, payment_id from billing_credit_entries where organization_id = $1 order by id',
    [organizationId],
  );
}

async function paymentOf(test: TestApp, { organizationId }: Member) {
  const [row] = await execute<{ id: string; status: string; provider_ref: string }>(
    test.database,
    'select id, status, provider_ref from payments where organization_id = $1 order by created_at desc, id desc limit 1',
    [organizationId],
  );
  return row ?? expect.fail('there is no payment');
}

/** Records a payment as failed although the provider could still collect it. */
async function recordAsFailed(test: TestApp, { organizationId }: Member): Promise<void> {
  await execute(
    test.database,
    `update payments set status = 'canceled', settled_at = clock_timestamp(), next_check_at = null
     where organization_id = $1 and settled_at is null`,
    [organizationId],
  );
}

async function metric(test: TestApp, lateness: string): Promise<number> {
  const text = await (await fetch(`${test.api.baseUrl}/metrics`)).text();
  const line = text
    .split('\n')
    .find((each) => each.startsWith('seathold_late_payments_total') && each.includes(lateness));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe('money that arrives late', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.start({ settings: { SEATHOLD_FINANCE_EMAIL: FINANCE } });
  });
  afterAll(() => shop.close());

  it('becomes credit of an ended subscription’s organization, and notifies the customer, finance and programs', async () => {
    const ada = await shop.app.register();
    const { data } = (await shop.order(ada, 'pm_card_authenticationRequired')).body;
    await execute(
      shop.app.database,
      `update subscriptions set status = 'expired', ended_at = current_period_start, next_action_at = null,
         requires_action = false where organization_id = $1`,
      [ada.organizationId],
    );
    const before = await metric(shop.app, 'ended');
    await shop.confirm(ada, data.client_secret, 'succeed');
    const payment = await paymentOf(shop.app, ada);
    expect(payment.status).toBe('succeeded');
    expect(await creditOf(shop.app, ada)).toEqual([{ amount: 14_500, reason: 'late_payment', payment_id: payment.id }]);
    const [invoice] = await shop.invoices(ada);
    expect(await shop.told(ada, 'payment.credited')).toMatchObject([
      { ...LATE, payment_id: payment.id, invoice_id: invoice.id, reason: 'ended', credit_balance: 14_500 },
    ]);
    const [mail] = (await shop.app.mailsTo(ada.email)).filter(({ kind }) => kind === 'late-payment');
    expect(mail?.subject).toBe('Your payment of 145.00 USD was added to your credit');
    expect(mail?.paragraphs.join(' ')).toContain(invoice.number);
    const finance = await shop.app.mailsTo(FINANCE);
    expect(finance.at(-1)?.table?.map(({ value }) => value)).toEqual(
      expect.arrayContaining([payment.id, ada.organizationId]),
    );
    expect(await metric(shop.app, 'ended')).toBe(before + 1);
    expect(shop.app.logLines.some((line) => line.includes(payment.id) && JSON.parse(line).level >= 50)).toBe(true);
  });

  it('becomes credit once after it was recorded as failed, however often the provider reports it', async () => {
    const bob = await shop.app.register();
    const { data } = (await shop.order(bob, 'pm_card_authenticationRequired')).body;
    await recordAsFailed(shop.app, bob);
    await shop.confirm(bob, data.client_secret, 'succeed');
    await shop.app.runJobs();
    expect(await creditOf(shop.app, bob)).toMatchObject([{ amount: 14_500, reason: 'late_payment' }]);
    expect(await shop.told(bob, 'payment.credited')).toMatchObject([{ ...LATE, reason: 'booked_as_failed' }]);
    const [mail] = (await shop.app.mailsTo(bob.email)).filter(({ kind }) => kind === 'late-payment');
    expect(mail?.paragraphs[0]).toContain('already recorded as failed');
    expect(await metric(shop.app, 'booked_as_failed')).toBe(1);
  });

  it('pays the next invoice before anything is charged', async () => {
    const eve = await shop.app.register();
    const { data } = (await shop.order(eve, 'pm_card_authenticationRequired')).body;
    await recordAsFailed(shop.app, eve);
    await shop.confirm(eve, data.client_secret, 'succeed');
    await shop.buy(eve, 'pm_card_visa');
    const bought = (await shop.invoices(eve)).at(-1);
    expect(bought).toMatchObject({ status: 'paid', credit_applied: 14_500, amount_due: 0 });
  });
});

describe('late money from Stripe:', () => {
  let double: StripeDouble;
  let test: TestApp;
  let planId: string;
  beforeAll(async () => {
    double = await startStripeDouble();
    test = await startTestApp({ settings: { ...double.settings, SEATHOLD_FINANCE_EMAIL: FINANCE } });
    const plans = (await test.api.get('/v1/plans')).body.data;
    planId = plans.find((plan: { name: string }) => plan.name === 'Pro').id;
  });
  afterAll(async () => {
    await double.close();
    await test.close();
  });

  const order = (who: Member, card: string) =>
    test.api.post('/v1/subscriptions', who.accessToken, {
      plan_id: planId,
      quantity: 5,
      payment_method_id: double.makeCard(card),
    });

  /** Orders with a first confirmation that never reaches Stripe. By then the customer has the secret. */
  async function orderUnconfirmed(who: Member, card: string): Promise<string> {
    double.faults.add({ kind: 'drop' }, { on: /confirm$/, times: 2 });
    const { status, body } = await order(who, card);
    expect([status, body.data.status]).toEqual([201, 'incomplete']);
    return body.data.client_secret;
  }

  async function checkNow(who: Member): Promise<void> {
    await test.moveClock(who.organizationId, 3_700);
    await test.runJob('billing.check-payments');
  }

  it('a decline of the second confirmation cannot be paid with the same secret', async () => {
    const ada = await test.register();
    const secret = await orderUnconfirmed(ada, 'pm_card_chargeCustomerFail');
    await checkNow(ada);
    expect((await paymentOf(test, ada)).status).toBe('declined');
    expect(() => double.payWithCard(secret, 'pm_card_visa')).toThrow(/canceled/);
    expect(double.charges.filter(({ intentId }) => secret.startsWith(intentId))).toEqual([]);
  });

  it('a decline is not recorded until Stripe confirms that the payment is closed', async () => {
    const bob = await test.register();
    const secret = await orderUnconfirmed(bob, 'pm_card_chargeCustomerFail');
    double.faults.add({ kind: 'rate_limit' }, { on: /cancel$/, times: 3 });
    await checkNow(bob);
    expect((await paymentOf(test, bob)).status).toBe('pending');
    double.faults.clear();
    double.payWithCard(secret, 'pm_card_visa');
    await checkNow(bob);
    expect((await paymentOf(test, bob)).status).toBe('succeeded');
    const [subscription] = (await test.api.get('/v1/subscriptions', bob.accessToken)).body.data;
    expect(subscription.status).toBe('active');
    expect(await creditOf(test, bob)).toEqual([]);
  });

  it('a payment that Stripe collected after it was recorded as failed becomes credit', async () => {
    const eve = await test.register();
    const { body } = await order(eve, 'pm_card_authenticationRequired');
    await recordAsFailed(test, eve);
    double.sendWebhooksTo({ url: `${test.api.baseUrl}/v1/providers/stripe/webhook`, secret: double.webhookSecret });
    double.playCustomer(body.data.client_secret, 'succeed');
    await expect
      .poll(() => creditOf(test, eve), { timeout: 20_000 })
      .toMatchObject([{ amount: 14_500, reason: 'late_payment' }]);
    expect((await test.mailsTo(eve.email)).map(({ kind }) => kind)).toContain('late-payment');
    expect((await test.mailsTo(FINANCE)).map(({ kind }) => kind)).toEqual(['late-payment-finance']);
  });

  it('money for a deleted organization is reported to finance, because there is no one to credit', async () => {
    const mallory = await test.register();
    const { body } = await order(mallory, 'pm_card_authenticationRequired');
    await recordAsFailed(test, mallory);
    await execute(test.database, 'update organizations set deleted_at = clock_timestamp() where id = $1', [
      mallory.organizationId,
    ]);
    double.playCustomer(body.data.client_secret, 'succeed');
    const told = async () => (await test.mailsTo(FINANCE)).flatMap(({ paragraphs }) => paragraphs).join(' ');
    await expect.poll(told, { timeout: 20_000 }).toContain(`${mallory.organizationId} was deleted`);
    expect(await creditOf(test, mallory)).toEqual([]);
  });
});
