import { beforeEach, describe, expect } from 'vitest';
import { createTest } from '../harness/fixtures.ts';
import { execute, type TestApp } from '../harness/index.ts';
import { plantSubscription } from '../harness/plant-sales.ts';

let aheadMs = 0;
const clock = { nowMs: () => Date.now() + aheadMs };
/** Results of a scrape are cached for five seconds. */
const forget = () => {
  aheadMs += 5_000;
};

const it = createTest({ clock })
  .override('admin', ({ app }) => app.register('Ada'))
  .extend('plantPayment', ({ app, admin }) => async (id: string, status: string, age: string): Promise<void> => {
    await execute(
      app.database,
      `insert into payments (organization_id, id, subscription_id, purpose, intent, amount, currency, is_on_session,
        payment_method_id, method_ref, customer_ref, provider, status, requested_at, created_at, next_check_at)
      values ($1, $2, $2, 'renewal', '{"kind": "collect"}', 100, 'usd', false, 'pm', 'pm', 'cus', 'test', $3,
        clock_timestamp() - $4::interval, clock_timestamp(), clock_timestamp())`,
      [admin.organizationId, id, status, age],
    );
  });
beforeEach(forget);

/** The value of a metric, with these labels if there are several. */
async function read(app: TestApp, name: string, labels = ''): Promise<number> {
  const answer = await app.api.get('/metrics');
  expect(answer.status).toBe(200);
  const line = String(answer.body)
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && each.includes(labels));
  return Number(line?.split(' ').at(-1));
}

describe('all metrics', () => {
  // What `promtool check metrics` requires of names and descriptions.
  it('follow the naming conventions of Prometheus', async ({ app }) => {
    const text = String((await app.api.get('/metrics')).body);
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
    const described = [...text.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name);
    expect(types.map(({ name }) => name)).toEqual(described);
    expect(new Set(described).size).toBe(described.length);
    const wrong = types.filter(({ name, type }) => {
      const isNamedByType = name.endsWith('_total') === (type === 'counter');
      return (
        !isNamedByType || !/^seathold(_[a-z0-9]+)+$/.test(name) || /_(ms|milliseconds|count|sum|bucket)$/.test(name)
      );
    });
    expect(wrong).toEqual([]);
    expect(types.filter(({ type }) => type === 'counter').length).toBeGreaterThan(5);
  });
});

describe('the metrics of seats', () => {
  it('count refused acquires by the code of the refusal', async ({ app, admin }) => {
    const license = await app.issueLicense(admin.organizationId, { maxSeats: 1 });
    const acquire = (machine: string) =>
      app.api.post('/v1/licenses/acquire', admin.accessToken, {
        license_key: license.key,
        hardware_id: `hw_${machine}`,
      });
    expect((await acquire('a'.repeat(32))).status).toBe(201);
    for (const machine of ['b', 'c']) {
      expect((await acquire(machine.repeat(32))).status).toBe(409);
    }
    expect(await read(app, 'seathold_seats_refused_total', 'no_seats_available')).toBe(2);
  });

  it('show how far behind the reaper is', async ({ app, admin }) => {
    expect(await read(app, 'seathold_reaper_lag_seconds')).toBe(0);
    await execute(
      app.database,
      `update seat_slots set reap_at = reap_at - interval '1 hour', deadline = deadline - interval '1 hour'
        where organization_id = $1 and session_id is not null`,
      [admin.organizationId],
    );
    forget();
    expect(await read(app, 'seathold_reaper_lag_seconds')).toBeGreaterThan(3_000);
    await app.runJobs();
    forget();
    expect(await read(app, 'seathold_reaper_lag_seconds')).toBe(0);
  });
});

describe('the metrics of billing', () => {
  it('count overdue subscriptions, and payments of unknown outcome', async ({ app, admin, plantPayment }) => {
    expect(await read(app, 'seathold_subscriptions_overdue')).toBe(0);
    expect(await read(app, 'seathold_payments_of_unknown_outcome')).toBe(0);
    await plantPayment('pay_late', 'pending', '10 minutes');
    await plantPayment('pay_young', 'pending', '1 minute');
    await plantPayment('pay_waiting', 'requires_action', '10 minutes');
    const [plan] = (await app.api.get('/v1/plans')).body.data;
    for (const age of ['10 minutes', '1 minute']) {
      const id = await plantSubscription(app, { planId: plan.id, organizationId: admin.organizationId });
      await execute(
        app.database,
        'update subscriptions set next_action_at = clock_timestamp() - $3::interval where organization_id = $1 and id = $2',
        [admin.organizationId, id, age],
      );
    }
    forget();
    expect(await read(app, 'seathold_payments_of_unknown_outcome')).toBe(1);
    expect(await read(app, 'seathold_subscriptions_overdue')).toBe(1);
    await execute(app.database, 'delete from payments where organization_id = $1', [admin.organizationId]);
    await execute(app.database, 'delete from subscriptions where organization_id = $1', [admin.organizationId]);
  });
});

describe('a database that does not answer', () => {
  it('does not fail a scrape: its values are NaN, and all others are present', async ({ app }) => {
    for (const table of ['subscriptions', 'seat_slots', 'outgoing_mails', 'unsent_events']) {
      await execute(app.database, `alter table ${table} rename to ${table}_gone`);
    }
    forget();
    expect(await read(app, 'seathold_subscriptions_overdue')).toBeNaN();
    expect(await read(app, 'seathold_reaper_lag_seconds')).toBeNaN();
    expect(await read(app, 'seathold_mails_waiting')).toBeNaN();
    expect(await read(app, 'seathold_webhook_events_waiting')).toBeNaN();
    expect(await read(app, 'seathold_jobs_late')).toBe(0);
    for (const table of ['subscriptions', 'seat_slots', 'outgoing_mails', 'unsent_events']) {
      await execute(app.database, `alter table ${table}_gone rename to ${table}`);
    }
  });
});
