import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './commerce-customer.ts';
import { requireAllDelivered, requireRetriedInTime } from './commerce-deliveries.ts';
import { expectedFigures, figuresOf, monthsLater, PeriodCalculation, priceOf } from './commerce-figures.ts';
import { expectAt, momentsOf } from './commerce-moments.ts';
import { STORY_OF_AUTHENTICATION, STORY_OF_GROWTH, STORY_OF_NONPAYMENT, storyOf } from './commerce-stories.ts';
import { CommerceWorld, ODD_SEAT, PERCENT_OFF, SEAT } from './commerce-world.ts';

// The lives of a few customers of one running service, chapter by chapter: each chapter starts where the previous one
// ended.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NEXT_YEAR = new Date().getUTCFullYear() + 1;
/** Where the first customer's clock starts: months of three lengths follow. */
const BEGINNING = Date.UTC(NEXT_YEAR, 0, 31, 12);

let world: CommerceWorld;
beforeAll(async () => {
  world = await CommerceWorld.start();
});
afterAll(() => world?.close());

describe('an unconcerned customer', () => {
  it('buys two seats and takes one', async () => {
    const { dora } = world.customers;
    const plan = await dora.planNamed('Pro');
    const body = { plan_id: plan, quantity: 2, payment_method_id: 'pm_card_visa' };
    const { id } = await dora.seathold.subscriptions.create(body);
    const { license_id: licenseId } = await dora.seathold.subscriptions.get(id);
    await dora.takeSeats(licenseId, 1);
  });
});

describe('a customer who grows, shrinks and leaves', () => {
  let ada: Customer;
  let id: string;
  let licenseId: string | null;
  let calculation: PeriodCalculation;
  let start: number;
  let end: number;
  let credit = 0n;

  it('buys ten seats and uses seven', async () => {
    ada = world.customers.ada;
    await ada.travelTo(BEGINNING);
    const order = { plan_id: await ada.planNamed('Pro'), quantity: 10, payment_method_id: 'pm_card_visa' };
    const created = await ada.seathold.subscriptions.create(order);
    expect(created).toMatchObject({
      status: 'active',
      client_secret: expect.stringMatching(/_secret_/),
      requires_action: false,
    });
    id = created.id;
    const subscription = await ada.seathold.subscriptions.get(id);
    licenseId = subscription.license_id;
    start = Date.parse(subscription.current_period_start);
    end = Date.parse(subscription.current_period_end);
    expectAt([start], [BEGINNING]);
    expect(end).toBe(monthsLater(start, 1));
    calculation = new PeriodCalculation(start, end, priceOf(10, SEAT));
    expect(figuresOf(await ada.lastInvoice())).toEqual(expectedFigures({ lines: [[10, BigInt(SEAT)]] }));
    const license = await ada.seathold.licenses.get(licenseId ?? '');
    expect([license.max_seats, Date.parse(license.expires_at ?? '')]).toEqual([10, end + 3 * DAY]);
    await ada.takeSeats(licenseId, 7);
    const usage = await ada.seathold.usage.get();
    expect([usage.period_start, usage.period_end]).toEqual([
      new Date(start).toISOString(),
      new Date(end).toISOString(),
    ]);
    expect(usage.seats).toEqual({ included: 10, used: 7, peak: 7 });
  });

  it('pays for five more to the second, as previewed, and uses them immediately', async () => {
    const { happened } = await ada.travelTo(Date.UTC(NEXT_YEAR, 1, 10, 9, 30));
    expect(momentsOf(happened, 'license.seat.timeout')).toHaveLength(7);
    const preview = await ada.seathold.subscriptions.preview(id, { quantity: 15 });
    const line = calculation.lineOf(priceOf(15, SEAT), Date.parse(preview.proration_at));
    expect(preview).toMatchObject({ amount: Number(line), amount_due: Number(line), credit_added: 0 });
    expect(preview.next_period_amount).toBe(15 * SEAT);
    const changed = await ada.seathold.subscriptions.update(id, { quantity: 15 });
    expect(changed).toMatchObject({ quantity: 15, requires_action: false, pending_change: null });
    const invoice = await ada.lastInvoice();
    const billed = calculation.change(priceOf(15, SEAT), Date.parse(invoice.period_start));
    expect(figuresOf(invoice)).toEqual(expectedFigures({ lines: [[1, billed]] }));
    await ada.takeSeats(licenseId, 12);
    expect((await ada.seathold.usage.get()).seats).toEqual({ included: 15, used: 12, peak: 12 });
  });

  it('gets credit for removed seats, and the next increase uses it', async () => {
    await ada.travelTo(Date.UTC(NEXT_YEAR, 1, 20));
    const preview = await ada.seathold.subscriptions.preview(id, { quantity: 12 });
    const line = calculation.lineOf(priceOf(12, SEAT), Date.parse(preview.proration_at));
    expect(preview).toMatchObject({ amount: Number(line), amount_due: 0, credit_added: Number(-line) });
    await reduceTo(12);
    expect((await ada.seathold.usage.get()).seats).toEqual({ included: 12, used: 0, peak: 12 });
    expect(await ada.invoices()).toHaveLength(2);

    await ada.travelTo(Date.UTC(NEXT_YEAR, 1, 25, 18, 45, 10));
    await ada.seathold.subscriptions.update(id, { quantity: 20 });
    const invoice = await ada.lastInvoice();
    const billed = calculation.change(priceOf(20, SEAT), Date.parse(invoice.period_start));
    expect(billed).toBeLessThan(credit);
    const used = expectedFigures({ lines: [[1, billed]], credit: billed });
    expect(figuresOf(invoice)).toEqual(used);
    credit -= billed;
    await reduceTo(8);
  });

  /**
   * Lowers the quantity: the credit grows by the rule's amount for the second, which is that of the event or the one
   * before.
   */
  async function reduceTo(quantity: number): Promise<void> {
    expect((await ada.seathold.subscriptions.update(id, { quantity })).quantity).toBe(quantity);
    const told = await ada.secondOfLast('subscription.updated');
    // A change that costs more than the whole credit uses all of it.
    const { credit_applied: kept } = await ada.seathold.subscriptions.preview(id, { quantity: 5_000 });
    const creditAt = (second: number) => credit - calculation.lineOf(priceOf(quantity, SEAT), second);
    const second = [told, told - 1_000].find((each) => creditAt(each) === BigInt(kept));
    expect(second, `${kept} is not ${creditAt(told)}`).toBeDefined();
    credit -= calculation.change(priceOf(quantity, SEAT), second ?? told);
  }

  it('is renewed at the exact second of the month, and the invoice uses the remaining credit', async () => {
    const { happened } = await ada.travelTo(end + HOUR);
    expectAt(momentsOf(happened, 'invoice.created'), [end]);
    const invoice = await ada.lastInvoice();
    expect(figuresOf(invoice)).toEqual(expectedFigures({ lines: [[8, BigInt(SEAT)]], credit }));
    const renewed = await ada.seathold.subscriptions.get(id);
    [start, end] = [monthsLater(start, 1), monthsLater(start, 2)];
    const period = {
      current_period_start: new Date(start).toISOString(),
      current_period_end: new Date(end).toISOString(),
    };
    expect(renewed).toMatchObject({ ...period, status: 'active', quantity: 8, latest_invoice_id: invoice.id });
    expect([invoice.period_start, invoice.period_end]).toEqual(Object.values(period));
    expect((await ada.seathold.usage.get()).seats).toEqual({ included: 8, used: 0, peak: 0 });
  });

  it('cancels at the end of the period, keeps its seats until then and loses them afterwards', async () => {
    await ada.seathold.subscriptions.cancel(id, {});
    expect((await ada.seathold.subscriptions.resume(id)).cancel_at_period_end).toBe(false);
    const reason = 'We finished the project.';
    const canceled = await ada.seathold.subscriptions.cancel(id, { cancel_immediately: false, reason });
    expect(canceled).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await ada.travelTo(end - MINUTE);
    const [held] = await ada.takeSeats(licenseId, 1);
    const { happened } = await ada.travelTo(end + MINUTE);
    expectAt(momentsOf(happened, 'subscription.expired'), [end]);
    expectAt(momentsOf(happened, 'license.expired'), [end]);
    const over = await ada.seathold.subscriptions.get(id);
    expect(over).toMatchObject({ status: 'canceled', ended_at: new Date(end).toISOString() });
    await expect(ada.takeSeats(licenseId, 1)).rejects.toMatchObject({ code: 'license_expired', status: 403 });
    const beat = ada.seathold.licenses.heartbeat({ session_id: held ?? '' });
    await expect(beat).rejects.toMatchObject({ code: 'license_expired' });
    expect(await ada.invoices()).toHaveLength(4);
  });

  it('reads each invoice as a PDF, with the same bytes each time', async () => {
    for (const invoice of await ada.invoices()) {
      const first = Buffer.from(await ada.seathold.invoices.getPdf(invoice.id));
      expect(first.subarray(0, 5).toString('latin1')).toBe('%PDF-');
      expect(Buffer.from(await ada.seathold.invoices.getPdf(invoice.id)).equals(first)).toBe(true);
    }
  });
});

describe('a customer whose card pays once and never again', () => {
  it('goes through all of dunning in one move of the clock, with each step in order and on time', async () => {
    const { ben } = world.customers;
    const order = { plan_id: await ben.planNamed('Pro'), quantity: 3, payment_method_id: 'pm_card_chargeCustomerFail' };
    const { id } = await ben.seathold.subscriptions.create(order);
    const { license_id: licenseId, current_period_end } = await ben.seathold.subscriptions.get(id);
    await ben.takeSeats(licenseId, 2);
    const end = Date.parse(current_period_end);
    const { happened } = await ben.travelTo(end + 22 * DAY);
    expect(momentsOf(happened, 'license.seat.timeout')).toHaveLength(2);
    expectAt(momentsOf(happened, 'invoice.created'), [end]);
    const failures = momentsOf(happened, 'invoice.payment_failed');
    expectAt(
      failures,
      [0, 2, 7, 14, 21].map((days) => end + days * DAY),
    );
    expectAt(momentsOf(happened, 'license.expiring'), [end + 14 * DAY + 10 * MINUTE]); // ten minutes past the last retry
    expectAt(momentsOf(happened, 'subscription.expired'), [end + 21 * DAY]);
    expectAt(momentsOf(happened, 'license.expired'), [end + 21 * DAY]);
    const attempts = happened.filter(({ resource_id: endpoint }) => endpoint === world.failing.ben.id);
    expectAt(
      momentsOf(attempts, 'webhook.attempt'),
      failures.flatMap((at) => [at, at + MINUTE, at + 6 * MINUTE]),
    );
    expect(await ben.seathold.subscriptions.get(id)).toMatchObject({ status: 'expired' });
    const [paid, unpaid, ...more] = (await ben.invoices()).map(figuresOf);
    const lines = [[3, BigInt(SEAT)]] as const;
    expect([paid, unpaid]).toEqual([expectedFigures({ lines }), expectedFigures({ lines, status: 'uncollectible' })]);
    expect(more).toEqual([]);
    await expect(ben.takeSeats(licenseId, 1)).rejects.toMatchObject({ code: 'license_expired' });
  });
});

describe('a customer with a coupon for two months whose bank asks for authentication', () => {
  it('has seats once it has authenticated, and pays less while the coupon lasts', async () => {
    const { cleo } = world.customers;
    const { sandbox, subscriptions } = cleo.seathold;
    const created = await subscriptions.create({
      plan_id: await cleo.planNamed('Odd'),
      quantity: 4,
      payment_method_id: 'pm_card_authenticationRequiredSetupForOffSession',
      coupon_code: 'THIRD',
    });
    expect(created).toMatchObject({ status: 'incomplete', requires_action: true });
    expect(await subscriptions.get(created.id)).toMatchObject({ license_id: null });
    await sandbox.confirmPayment({ client_secret: created.client_secret ?? '', outcome: 'succeed' });
    const bought = await subscriptions.get(created.id);
    expect(bought).toMatchObject({ status: 'active', quantity: 4, coupon: { code: 'THIRD' } });
    await cleo.takeSeats(bought.license_id, 4);

    const start = Date.parse(bought.current_period_start);
    const end = Date.parse(bought.current_period_end);
    const calculation = new PeriodCalculation(start, end, priceOf(4, ODD_SEAT, PERCENT_OFF));
    await cleo.travelTo(start + 11 * DAY + 1_234_000);
    const asked = await subscriptions.update(bought.id, { quantity: 7 });
    expect(asked).toMatchObject({ quantity: 4, requires_action: true, pending_change: { quantity: 7 } });
    await expect(cleo.takeSeats(bought.license_id, 5)).rejects.toMatchObject({ code: 'no_seats_available' });
    const change = { client_secret: asked.pending_change?.client_secret ?? '', outcome: 'succeed' } as const;
    await sandbox.confirmPayment(change);
    expect(await subscriptions.get(bought.id)).toMatchObject({ quantity: 7, pending_change: null });
    await cleo.travelTo(monthsLater(start, 3) + HOUR);

    const invoices = await cleo.invoices();
    const line = calculation.change(priceOf(7, ODD_SEAT, PERCENT_OFF), Date.parse(invoices[1]?.period_start ?? ''));
    expect(invoices.map(figuresOf)).toEqual([
      discounted(4),
      expectedFigures({ lines: [[1, line]] }),
      discounted(7),
      expectedFigures({ lines: [[7, BigInt(ODD_SEAT)]] }),
      expectedFigures({ lines: [[7, BigInt(ODD_SEAT)]] }),
    ]);
    expect(invoices.map((each) => each.number?.slice(-6))).toEqual(['000001', '000002', '000003', '000004', '000005']);
  });

  function discounted(seats: number) {
    const discount = priceOf(seats, ODD_SEAT) - priceOf(seats, ODD_SEAT, PERCENT_OFF);
    return expectedFigures({ lines: [[seats, BigInt(ODD_SEAT)]], discount });
  }
});

describe('every customer', () => {
  it('received every event, signed and in order, and retries of failed deliveries on schedule', async () => {
    const { customers, endpoints, failing, receiver } = world;
    await requireAllDelivered(customers.ada, endpoints.ada, receiver);
    await requireAllDelivered(customers.ben, endpoints.ben, receiver);
    await requireAllDelivered(customers.cleo, endpoints.cleo, receiver);
    await requireAllDelivered(customers.dora, endpoints.dora, receiver);
    expect(await requireRetriedInTime(customers.ada, failing.ada)).toBe(4);
    expect(await requireRetriedInTime(customers.ben, failing.ben)).toBe(5);
  });

  it('received events in an order that makes sense', async () => {
    const { ada, ben, cleo } = world.customers;
    expect(await storyOf(ada)).toEqual(STORY_OF_GROWTH);
    expect(await storyOf(ben)).toEqual(STORY_OF_NONPAYMENT);
    expect(await storyOf(cleo)).toEqual(STORY_OF_AUTHENTICATION);
  });

  it('left the unconcerned customer’s clock, subscription and seat alone', async () => {
    const { seathold } = world.customers.dora;
    expect(await seathold.sandbox.getClock()).toMatchObject({ offset_seconds: 0 });
    const { data } = await seathold.subscriptions.list();
    expect(data.map(({ status, quantity }) => [status, quantity])).toEqual([['active', 2]]);
    expect((await seathold.invoices.list()).data).toHaveLength(1);
    expect((await seathold.usage.get()).seats).toEqual({ included: 2, used: 1, peak: 1 });
    const session = (await seathold.licenses.get(data[0]?.license_id ?? '')).sessions[0]?.id ?? '';
    expect(await seathold.licenses.heartbeat({ session_id: session })).toMatchObject({ status: 'active' });
  });

  it('never got a 5xx', () => {
    expect(world.server.faults).toEqual([]);
  });
});
