import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { requireInvariants } from '../../../test/harness/require-invariants.ts';
import type { Happened } from './schemas.ts';

const DAY = 86_400;

const it = createTest().override('options', ({ receiver }) => ({
  environment: 'sandbox',
  settings: { ...receiver.settings, SEATHOLD_SANDBOX_MAX_SEATS: '10000' },
}));

it('usage periods follow the clock, and past usage stays in its period', async ({ app, shop, ada }) => {
  const id = await shop.buy(ada);
  const { key } = await shop.license(ada, id);
  const usage = async () => (await app.api.get('/v1/usage', ada.accessToken)).body.data;
  const seat = { license_key: key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  await app.api.post('/v1/licenses/acquire', ada.accessToken, seat);
  const before = await usage();
  expect(before.seats).toEqual({ included: 5, used: 1, peak: 1 });
  const first = await shop.subscription(ada, id);
  expect(before).toMatchObject({ period_start: first.current_period_start, period_end: first.current_period_end });
  await shop.travel(ada, 32);
  const after = await usage();
  expect(after).toMatchObject({ period_start: first.current_period_end, seats: { included: 5, used: 0, peak: 0 } });
  const second = await shop.subscription(ada, id);
  expect(after.period_end).toBe(second.current_period_end);
  expect(second.current_period_start).toBe(first.current_period_end);
});

it('a failed renewal, its dunning, the end of the license and the webhook retries happen in one order', async ({
  app,
  shop,
  receiver,
}) => {
  const ben = await app.register();
  receiver.behave((_received, response) => response.writeHead(500).end());
  await plantEndpoint(app, ben.organizationId, receiver.url(), ['subscription.expired']);
  const id = await shop.buy(ben, 'pm_card_chargeCustomerFail');
  const { current_period_end: end } = await shop.subscription(ben, id);
  const seconds = 31 * DAY + 22 * DAY;
  const moved = await app.api.post('/v1/sandbox/clock/advance', ben.accessToken, { seconds });
  const happened: Happened[] = moved.body.data.happened;
  const days = happened.map(({ at, type }) => [Math.floor((Date.parse(at) - Date.parse(end)) / (DAY * 1_000)), type]);
  expect(days.filter(([, type]) => type === 'invoice.payment_failed').map(([day]) => day)).toEqual([0, 2, 7, 14, 21]);
  expect(days.findIndex(([, type]) => type === 'invoice.created')).toBeLessThan(
    days.findIndex(([, type]) => type === 'invoice.payment_failed'),
  );
  const last = days.filter(([, type]) =>
    ['subscription.expired', 'license.expired', 'webhook.attempt'].includes(`${type}`),
  );
  expect(last.slice(0, 3)).toEqual([
    [21, 'subscription.expired'],
    [21, 'license.expired'],
    [21, 'webhook.attempt'],
  ]);
  expect(last.slice(3).every(([, type]) => type === 'webhook.attempt')).toBe(true);
  expect(last.length).toBeGreaterThan(4);
  const times = happened.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

it('a canceled subscription of ten thousand seats leaves no row for any of them', async ({ app, shop }) => {
  const cleo = await app.register();
  const id = await shop.buy(cleo, 'pm_card_visa', { quantity: 10_000 });
  const { id: licenseId } = await shop.license(cleo, id);
  const slots = 'select count(*)::int as count from seat_slots where license_id = $1';
  expect(await execute(app.database, slots, [licenseId])).toEqual([{ count: 10_000 }]);
  expect((await shop.cancel(cleo, id, { cancel_immediately: true })).status).toBe(200);
  expect(await execute(app.database, slots, [licenseId])).toEqual([{ count: 0 }]);
  const { key, max_seats: seats, status } = await shop.license(cleo, id);
  expect([seats, status]).toEqual([10_000, 'expired']);
  const seat = { license_key: key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  const refused = await app.api.post('/v1/licenses/acquire', cleo.accessToken, seat);
  expect(refused.body.error.code).toBe('license_expired');
  await requireInvariants(app.database);
});
