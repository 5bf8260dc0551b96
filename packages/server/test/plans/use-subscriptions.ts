import { execute, type Member, type TestApp } from '../harness/index.ts';
import type { RecordedApi } from './recorded-api.ts';

const PATH = '/v1/subscriptions';
const NEEDS_CUSTOMER = 'pm_card_authenticationRequired';
/** It pays for a new subscription, and nothing afterwards. */
const FAILS_LATER = 'pm_card_chargeCustomerFail';

/** Buys, changes, cancels, renews and lets lapse, in an organization that has bought for years, and in a new one. */
export async function useSubscriptions(test: TestApp, api: RecordedApi, admin: Member): Promise<void> {
  const old = new Shop(test, api, admin);
  await old.pay('pm_card_visa');
  await buyAndChange(old);
  await endInEveryWay(old);
  await waitForCustomer(old);
  await fallBehind(old);
  await travel(new Shop(test, api, await test.register('Subscriber')));
}

/** The requests of one organization, recorded. */
class Shop {
  readonly test: TestApp;
  readonly api: RecordedApi;
  readonly #admin: Member;

  constructor(test: TestApp, api: RecordedApi, admin: Member) {
    this.test = test;
    this.api = api;
    this.#admin = admin;
  }

  get token(): string {
    return this.#admin.accessToken;
  }

  /** Pays with this card from now on. */
  pay(card: string) {
    return this.api.post('/v1/payment-methods', this.token, { payment_method_id: card, set_default: true });
  }

  async planId(): Promise<string | undefined> {
    const plans: Array<{ id: string; price: number | null }> = (await this.test.api.get('/v1/plans')).body.data;
    return plans.find(({ price }) => price !== null && price > 0)?.id;
  }

  async order(card: string, more: Readonly<Record<string, unknown>> = {}) {
    return { plan_id: await this.planId(), quantity: 2, payment_method_id: card, ...more };
  }

  async buy(card: string, more: Readonly<Record<string, unknown>> = {}, headers: Record<string, string> = {}) {
    return this.api.post(PATH, this.token, await this.order(card, more), headers);
  }

  change(subscriptionId: string, body: unknown) {
    return this.api.call('PATCH', `${PATH}/${subscriptionId}`, { token: this.token, body });
  }

  cancel(subscriptionId: string, isNow = false) {
    return this.api.post(`${PATH}/${subscriptionId}/cancel`, this.token, { cancel_immediately: isNow });
  }

  /** Makes what a subscription waits for due, and does it. */
  async makeDue(subscriptionId: string): Promise<void> {
    const whose = [this.#admin.organizationId, subscriptionId];
    await execute(this.test.database, MAKE_DUE, whose);
    // Work that a payment blocks is done once the payment has been given up.
    await this.#work('billing.act-on-due-subscriptions');
    await this.#work('billing.act-on-due-subscriptions');
    const [left] = await execute(this.test.database, STILL_DUE, whose);
    if (left !== undefined) {
      const complaints = this.test.logLines.filter((line) => line.includes('"err"')).slice(-3);
      throw new Error(`nothing was done with what is due: ${JSON.stringify(left)}\n${complaints.join('')}`);
    }
  }

  /** Makes the outcome of a subscription's payment unknown, and looks it up. */
  async lookUp(subscriptionId: string): Promise<void> {
    await execute(this.test.database, LOOK_UP, [this.#admin.organizationId, subscriptionId]);
    await this.#work('billing.check-payments');
  }

  async #work(job: string): Promise<void> {
    await this.api.during(`the job ${job}`, () => this.test.runJob(job));
  }
}

async function buyAndChange(shop: Shop): Promise<void> {
  const { api, token } = shop;
  const key = { 'idempotency-key': 'an order' };
  const { id } = await shop.buy('pm_card_mastercard', { coupon_code: 'SEEDED7' }, key);
  await api.get(`${PATH}/${id}`, token);
  await api.get(`${PATH}/${id}/preview?quantity=5`, token);
  await api.get('/v1/credit-balance', token);
  await api.get(`${PATH}/preview?plan_id=${await shop.planId()}&quantity=2`, token);
  await shop.change(id, { quantity: 5 });
  await shop.change(id, { quantity: 1 });
  await shop.makeDue(id);
  await shop.cancel(id);
  await api.post(`${PATH}/${id}/resume`, token);
  await api.during('an order that is declined', async () => {
    await shop.test.api.post(PATH, token, await shop.order('pm_card_chargeDeclined'));
  });
}

async function endInEveryWay(shop: Shop): Promise<void> {
  await shop.cancel((await shop.buy('pm_card_visa')).id, true);
  const { id } = await shop.buy('pm_card_visa');
  await shop.cancel(id);
  await shop.makeDue(id);
}

async function waitForCustomer(shop: Shop): Promise<void> {
  const given = await shop.buy(NEEDS_CUSTOMER, { coupon_code: 'SEEDED8' });
  await shop.cancel(given.id);
  const { id } = await shop.buy(NEEDS_CUSTOMER);
  await shop.lookUp(id);
  await shop.makeDue(id);
  await shop.makeDue(id);
  const bought = await shop.buy('pm_card_visa');
  await shop.pay(NEEDS_CUSTOMER);
  await shop.change(bought.id, { quantity: 3 });
  await shop.makeDue(bought.id);
  await shop.pay('pm_card_visa');
}

async function fallBehind(shop: Shop): Promise<void> {
  const { api, token } = shop;
  // Too many seats for the credit to pay for.
  const [paid, lost] = [await shop.buy(FAILS_LATER, MANY), await shop.buy(FAILS_LATER, MANY)];
  await shop.pay(FAILS_LATER);
  await shop.makeDue(paid.id);
  await shop.makeDue(lost.id);
  for (let retry = 0; retry < RETRIES; retry += 1) {
    await shop.makeDue(lost.id);
  }
  const invoices = await api.get(`/v1/invoices?subscription_id=${paid.id}&status=open`, token);
  await api.during('an invoice that is declined again', () =>
    shop.test.api.post(`/v1/invoices/${invoices.body.data[0].id}/pay`, token, undefined),
  );
  await shop.pay('pm_card_visa');
  await api.post(`/v1/invoices/${invoices.body.data[0].id}/pay`, token);
}

const MANY = { quantity: 50 };
/** According to the default schedule. */
const RETRIES = 4;

/** Goes through a renewal, a renewal that nobody pays, and the end of the subscription, with the sandbox's clock. */
async function travel(shop: Shop): Promise<void> {
  const { api, token } = shop;
  await shop.buy('pm_card_visa');
  const clock = '/v1/sandbox/clock/advance';
  await api.post(clock, token, { seconds: 32 * 86_400 });
  await shop.pay(FAILS_LATER);
  await api.post(clock, token, { seconds: 60 * 86_400 });
}

/** Moves everything planned a month into the past: the end of a period, a retry, or the end of a wait. */
const MAKE_DUE = `update subscriptions set
    anchor = case when status = 'active' then n.t - (period_index + 1) * interval '1 month' else anchor end,
    current_period_start = case when status = 'active' then n.t - interval '1 month' else current_period_start end,
    current_period_end = case when status = 'active' then n.t else current_period_end end,
    pending_expires_at = case when pending_expires_at is not null then n.t end,
    next_attempt_at = case when next_attempt_at is not null then n.t end, next_action_at = n.t
  from (select date_trunc('second', clock_timestamp()) as t) n where organization_id = $1 and id = $2 and ended_at is null`;

const STILL_DUE = `select * from subscriptions
  where organization_id = $1 and id = $2 and next_action_at <= clock_timestamp()`;

const LOOK_UP = `update payments set next_check_at = clock_timestamp(), claimed_until = null
  where organization_id = $1 and subscription_id = $2 and settled_at is null`;
