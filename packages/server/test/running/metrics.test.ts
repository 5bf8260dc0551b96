import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../harness/index.ts';
import { plantSubscription } from '../harness/plant-sales.ts';

let aheadMs = 0;
const clock = { nowMs: () => Date.now() + aheadMs };
/** What a scrape found is kept for five seconds. */
const forget = () => {
  aheadMs += 5_000;
};

let test: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await openTestApp({ clock });
  ada = await test.register('Ada');
});
afterAll(() => test.close());
beforeEach(forget);

/** The value of a metric, with these labels where there are several. */
async function read(name: string, labels = ''): Promise<number> {
  const answer = await test.api.get('/metrics');
  expect(answer.status).toBe(200);
  const line = String(answer.body)
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && each.includes(labels));
  return Number(line?.split(' ').at(-1));
}

describe('the metrics of seats', () => {
  it('count refused acquires by the code of the refusal', async () => {
    const license = await test.issueLicense(ada.organizationId, { maxSeats: 1 });
    const acquire = (machine: string) =>
      test.api.post('/v1/licenses/acquire', ada.accessToken, {
        license_key: license.key,
        hardware_id: `hw_${machine}`,
      });
    expect((await acquire('a'.repeat(32))).status).toBe(201);
    for (const machine of ['b', 'c']) {
      expect((await acquire(machine.repeat(32))).status).toBe(409);
    }
    expect(await read('seathold_seats_refused_total', 'no_seats_available')).toBe(2);
  });

  it('show how far the reaper is behind', async () => {
    expect(await read('seathold_reaper_lag_seconds')).toBe(0);
    await execute(
      test.database,
      `update seat_slots set reap_at = reap_at - interval '1 hour', deadline = deadline - interval '1 hour'
        where organization_id = $1 and session_id is not null`,
      [ada.organizationId],
    );
    forget();
    expect(await read('seathold_reaper_lag_seconds')).toBeGreaterThan(3_000);
    await test.runJobs();
    forget();
    expect(await read('seathold_reaper_lag_seconds')).toBe(0);
  });
});

describe('the metrics of billing', () => {
  it('count overdue subscriptions, and payments of unknown outcome', async () => {
    expect(await read('seathold_subscriptions_overdue')).toBe(0);
    expect(await read('seathold_payments_of_unknown_outcome')).toBe(0);
    await plantPayment('pay_late', 'pending', '10 minutes');
    await plantPayment('pay_young', 'pending', '1 minute');
    await plantPayment('pay_waiting', 'requires_action', '10 minutes');
    const [plan] = (await test.api.get('/v1/plans')).body.data;
    for (const age of ['10 minutes', '1 minute']) {
      const id = await plantSubscription(test, { planId: plan.id, organizationId: ada.organizationId });
      await execute(
        test.database,
        'update subscriptions set next_action_at = clock_timestamp() - $3::interval where organization_id = $1 and id = $2',
        [ada.organizationId, id, age],
      );
    }
    forget();
    expect(await read('seathold_payments_of_unknown_outcome')).toBe(1);
    expect(await read('seathold_subscriptions_overdue')).toBe(1);
    await execute(test.database, 'delete from payments where organization_id = $1', [ada.organizationId]);
    await execute(test.database, 'delete from subscriptions where organization_id = $1', [ada.organizationId]);
  });
});

describe('a database that does not answer', () => {
  it('does not fail a scrape: its values are NaN, and all others are there', async () => {
    for (const table of ['subscriptions', 'seat_slots', 'outgoing_mails', 'unsent_events']) {
      await execute(test.database, `alter table ${table} rename to ${table}_gone`);
    }
    forget();
    expect(await read('seathold_subscriptions_overdue')).toBeNaN();
    expect(await read('seathold_reaper_lag_seconds')).toBeNaN();
    expect(await read('seathold_mails_waiting')).toBeNaN();
    expect(await read('seathold_webhook_events_waiting')).toBeNaN();
    expect(await read('seathold_jobs_late')).toBe(0);
    for (const table of ['subscriptions', 'seat_slots', 'outgoing_mails', 'unsent_events']) {
      await execute(test.database, `alter table ${table}_gone rename to ${table}`);
    }
  });
});

async function plantPayment(id: string, status: string, age: string): Promise<void> {
  await execute(
    test.database,
    `insert into payments (organization_id, id, subscription_id, purpose, intent, amount, currency, is_on_session,
        payment_method_id, method_ref, customer_ref, provider, status, requested_at, created_at, next_check_at)
      values ($1, $2, $2, 'renewal', '{"kind": "collect"}', 100, 'usd', false, 'pm', 'pm', 'cus', 'test', $3,
        clock_timestamp() - $4::interval, clock_timestamp(), clock_timestamp())`,
    [ada.organizationId, id, status, age],
  );
}
