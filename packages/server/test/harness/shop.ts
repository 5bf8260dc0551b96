import { type ApiAnswer, execute, type Member, startTestApp, type TestApp, type TestOptions } from './index.ts';

interface CouponTerms {
  percent?: number;
  amount?: number;
  months?: number;
  most?: number;
  /** Redemptions per organization. One by default. */
  mostOfOne?: number;
  by?: Date;
}

/** A sandbox whose organizations buy, with what tests check about them. */
export class Shop {
  readonly app: TestApp;
  readonly plans: Readonly<Record<'free' | 'pro' | 'enterprise', string>>;

  private constructor(app: TestApp, plans: Array<{ id: string; name: string }>) {
    this.app = app;
    const idOf = (name: string) => plans.find((plan) => plan.name === name)?.id ?? '';
    this.plans = { free: idOf('Free'), pro: idOf('Pro'), enterprise: idOf('Enterprise') };
  }

  static async start(options: TestOptions = {}): Promise<Shop> {
    return Shop.of(await startTestApp({ environment: 'sandbox', ...options }));
  }

  /** Reads what is on sale in an app. */
  static async of(app: TestApp): Promise<Shop> {
    return new Shop(app, (await app.api.get('/v1/plans')).body.data);
  }

  /** Orders five seats of Pro, unless told otherwise. */
  order(who: Member | undefined, card: string, more: object = {}, headers = {}): Promise<ApiAnswer> {
    const body = { plan_id: this.plans.pro, quantity: 5, payment_method_id: card, ...more };
    return this.app.api.post('/v1/subscriptions', who?.accessToken, body, headers);
  }

  /** The same, which must be accepted. Returns the subscription's ID. */
  async buy(who: Member, card = 'pm_card_visa', more: object = {}): Promise<string> {
    return accepted(await this.order(who, card, more)).id;
  }

  change(who: Member, id: string, body: object, headers = {}): Promise<ApiAnswer> {
    return this.app.api.call('PATCH', `/v1/subscriptions/${id}`, { token: who.accessToken, body, headers });
  }

  cancel(who: Member, id: string, body: object = {}): Promise<ApiAnswer> {
    return this.app.api.post(`/v1/subscriptions/${id}/cancel`, who.accessToken, body);
  }

  resume(who: Member, id: string): Promise<ApiAnswer> {
    return this.app.api.post(`/v1/subscriptions/${id}/resume`, who.accessToken, {});
  }

  pay(who: Member, invoiceId: string, headers = {}): Promise<ApiAnswer> {
    return this.app.api.post(`/v1/invoices/${invoiceId}/pay`, who.accessToken, {}, headers);
  }

  attach(who: Member, card: string): Promise<ApiAnswer> {
    const body = { payment_method_id: card, set_default: true };
    return this.app.api.post('/v1/payment-methods', who.accessToken, body);
  }

  confirm(who: Member, clientSecret: string, outcome: 'succeed' | 'fail'): Promise<ApiAnswer> {
    const body = { client_secret: clientSecret, outcome };
    return this.app.api.post('/v1/sandbox/payments/confirm', who.accessToken, body);
  }

  /** Moves the organization's clock. When this resolves, everything that became due is done. */
  async travel(who: Member, days: number): Promise<void> {
    const seconds = Math.round(days * 86_400);
    accepted(await this.app.api.post('/v1/sandbox/clock/advance', who.accessToken, { seconds }));
  }

  async subscription(who: Member, id: string) {
    return accepted(await this.app.api.get(`/v1/subscriptions/${id}`, who.accessToken));
  }

  /** The license of a subscription. */
  async license(who: Member, id: string) {
    const { license_id } = await this.subscription(who, id);
    return accepted(await this.app.api.get(`/v1/licenses/${license_id}`, who.accessToken));
  }

  /** Deletes the responses stored for Idempotency-Keys, as if the process had ended before it answered. */
  async loseAnswers(who: Member): Promise<void> {
    await execute(this.app.database, 'delete from idempotency_keys where organization_id = $1', [who.organizationId]);
  }

  /** The organization's invoices, oldest first. */
  async invoices(who: Member) {
    return accepted(await this.app.api.get('/v1/invoices?sort=created_at', who.accessToken));
  }

  /** The objects of the organization's events of this type, oldest first. */
  async told(who: Member, type: string) {
    const rows = await execute<{ object: Record<string, unknown> }>(
      this.app.database,
      'select object from events where organization_id = $1 and type = $2 order by id',
      [who.organizationId, type],
    );
    return rows.map(({ object }) => object);
  }

  /** The number of records about the organization's money, to check that there are none or that nothing changed. */
  async kept(who: Member): Promise<Record<string, number>> {
    const [row] = await execute<Record<string, number>>(this.app.database, KEPT, [who.organizationId]);
    return row ?? {};
  }

  /** A coupon, written without the catalogue. Each test needs its own, because redemptions are counted. */
  async coupon(code: string, terms: CouponTerms) {
    await execute(this.app.database, INSERT_COUPON, [
      code,
      terms.percent ?? null,
      terms.amount ?? null,
      terms.months ?? null,
      terms.most ?? null,
      terms.by ?? null,
      terms.mostOfOne ?? 1,
    ]);
    return { coupon_code: code };
  }

  async redemptions(code: string): Promise<number | undefined> {
    const rows = await execute<{ redemptions: number }>(
      this.app.database,
      'select redemptions from coupons where code = $1',
      [code],
    );
    return rows[0]?.redemptions;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

function accepted(answer: ApiAnswer) {
  if (answer.status >= 300) {
    throw new Error(`it was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body.data;
}

const KEPT = `select
    (select count(*)::int from subscriptions where organization_id = $1) as subscriptions,
    (select count(*)::int from invoices where organization_id = $1) as invoices,
    (select count(*)::int from licenses where organization_id = $1) as licenses,
    (select count(*)::int from payment_methods where organization_id = $1 and removed_at is null) as methods,
    (select coalesce(sum(balance), 0)::int from billing_credits where organization_id = $1) as credit,
    (select coalesce(sum(amount), 0)::int from test_charges
      where customer_ref = 'cus_test_' || $1 and status = 'succeeded') as collected`;

const INSERT_COUPON = `insert into coupons (id, code, percent_off, amount_off, currency, duration, duration_months,
    max_redemptions, redeem_by, max_redemptions_per_organization, created_at, updated_at)
  values ('coup_0' || substr(md5($1), 1, 25), $1, $2, $3, case when $3::bigint is not null then 'usd' end,
    case when $4::int is null then 'forever' else 'repeating' end, $4, $5, $6, $7, clock_timestamp(), clock_timestamp())`;
