import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { type ApiAnswer, execute } from '../../../test/harness/index.ts';
import { loadConfig } from '../../config/index.ts';

const it = createTest({
  environment: 'sandbox',
  settings: { SEATHOLD_SANDBOX_MAX_SUBSCRIPTIONS: '3', SEATHOLD_SANDBOX_MAX_SEATS: '100' },
});
const seats = (quantity: number) => ({ quantity });
const refusalOf = ({ status, body }: ApiAnswer) => [status, body.error?.code, body.error?.details];
const TOO_MANY_SEATS = [422, 'validation_failed', { field: 'quantity', reason: 'max' }];
const TOO_MANY_SUBSCRIPTIONS = [422, 'validation_failed', { field: 'plan_id', reason: 'max' }];

it('the caps are 50 and 100,000 in production, and 20 and 1,000 in the sandbox, unless the operator sets others', () => {
  expect(loadConfig({}).config).toMatchObject({
    maxSubscriptions: 50,
    maxSeats: 100_000,
    sandboxMaxSubscriptions: 20,
    sandboxMaxSeats: 1_000,
  });
});

describe('an organization', () => {
  it('has no more seats than the cap across all its subscriptions', async ({ shop, ada }) => {
    await shop.buy(ada, 'pm_card_visa', seats(60));
    const before = await shop.kept(ada);
    expect(refusalOf(await shop.order(ada, 'pm_card_visa', seats(41)))).toEqual(TOO_MANY_SEATS);
    expect(await shop.kept(ada)).toEqual(before);
    expect((await shop.order(ada, 'pm_card_visa', seats(40))).status).toBe(201);
  });

  it('has no more live subscriptions than the cap, and can buy again after one ends', async ({ shop, ada }) => {
    const [first = ''] = [await shop.buy(ada), await shop.buy(ada), await shop.buy(ada)];
    expect(refusalOf(await shop.order(ada, 'pm_card_visa'))).toEqual(TOO_MANY_SUBSCRIPTIONS);
    await shop.cancel(ada, first);
    expect(refusalOf(await shop.order(ada, 'pm_card_visa'))).toEqual(TOO_MANY_SUBSCRIPTIONS);
    await shop.cancel(ada, first, { cancel_immediately: true });
    expect((await shop.order(ada, 'pm_card_visa')).status).toBe(201);
  });

  it('cannot exceed the caps with concurrent orders', async ({ app, shop, ada }) => {
    await shop.attach(ada, 'pm_card_visa');
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.order(ada, 'pm_card_visa', seats(1))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422).map(refusalOf)).toEqual(
      Array.from({ length: 5 }, () => TOO_MANY_SUBSCRIPTIONS),
    );
    const cleo = await app.register();
    const both = await Promise.all([60, 60].map((quantity) => shop.order(cleo, 'pm_card_visa', seats(quantity))));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  it('counts an order that waits for the customer, until the order fails', async ({ shop, ada }) => {
    const waiting = await shop.order(ada, 'pm_card_authenticationRequired', seats(60));
    expect(waiting.body.data.status).toBe('incomplete');
    expect(refusalOf(await shop.order(ada, 'pm_card_visa', seats(41)))).toEqual(TOO_MANY_SEATS);
    await shop.travel(ada, 1);
    expect(await shop.subscription(ada, waiting.body.data.id)).toMatchObject({ status: 'expired' });
    expect((await shop.order(ada, 'pm_card_visa', seats(100))).status).toBe(201);
  });
});

describe('a change', () => {
  it('cannot exceed the cap, even in a preview', async ({ app, shop, ada }) => {
    await shop.buy(ada, 'pm_card_visa', seats(60));
    const id = await shop.buy(ada, 'pm_card_visa', seats(20));
    expect(refusalOf(await shop.change(ada, id, seats(41)))).toEqual(TOO_MANY_SEATS);
    const preview = await app.api.get(`/v1/subscriptions/${id}/preview?quantity=41`, ada.accessToken);
    expect(refusalOf(preview)).toEqual(TOO_MANY_SEATS);
    expect((await shop.change(ada, id, seats(40))).body.data.quantity).toBe(40);
  });

  it('that waits for its payment reserves its seats, and is not refused once it is paid', async ({ shop, ada }) => {
    const id = await shop.buy(ada, 'pm_card_visa', seats(20));
    await shop.attach(ada, 'pm_card_authenticationRequired');
    const asked = await shop.change(ada, id, seats(90));
    expect(asked.body.data).toMatchObject({ quantity: 20, pending_change: { quantity: 90 } });
    expect(refusalOf(await shop.order(ada, 'pm_card_visa', seats(11)))).toEqual(TOO_MANY_SEATS);
    expect((await shop.order(ada, 'pm_card_visa', seats(10))).status).toBe(201);
    await shop.confirm(ada, asked.body.data.pending_change.client_secret, 'succeed');
    expect(await shop.subscription(ada, id)).toMatchObject({ quantity: 90, pending_change: null });
  });

  it('to fewer seats is allowed when the organization exceeds a lowered cap', async ({ app, shop, ada }) => {
    const id = await shop.buy(ada, 'pm_card_visa', seats(90));
    await execute(app.database, 'update subscriptions set quantity = 200 where id = $1', [id]);
    await execute(app.database, 'update licenses set max_seats = 200 where subscription_id = $1', [id]);
    expect((await shop.change(ada, id, seats(150))).body.data.quantity).toBe(150);
    expect(refusalOf(await shop.change(ada, id, seats(151)))).toEqual(TOO_MANY_SEATS);
    await shop.change(ada, id, seats(90));
  });
});
