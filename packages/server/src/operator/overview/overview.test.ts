import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { plantSubscription } from '../../../test/harness/plant-sales.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';
import { newId } from '../../ids/index.ts';
import { COUNT_HOURS_JOB, HOUR_MS } from './count-hours.ts';

const it = createTest();

const PATH = '/v1/operator/overview';
const machine = () => `hw_${randomBytes(16).toString('hex')}`;

/** A separate installation, with a token that can read it. */
async function open() {
  const app = await startAppForTest();
  const { token } = await makeOperatorToken(app, null, 'viewer');
  const overview = async (query = '') => {
    const answer = await app.api.get(`${PATH}${query}`, token);
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  return { app, token, overview };
}

const acquire = (app: TestApp, { accessToken }: Member, key: string) =>
  app.api.post('/v1/licenses/acquire', accessToken, { license_key: key, hardware_id: machine() });

async function count(app: TestApp): Promise<void> {
  while (await app.runJob(COUNT_HOURS_JOB)) {
    // There is another hour.
  }
}

/** Starts the count this many whole hours ago, as if the job had not run since. */
async function beginHoursAgo(app: TestApp, hours: number): Promise<number> {
  const hourMs = (Math.floor(Date.now() / HOUR_MS) - hours) * HOUR_MS;
  await execute(app.database, 'insert into overview_hours (hour, seats_counted_until) values ($1, $1)', [at(hourMs)]);
  return hourMs;
}

const at = (ms: number) => new Date(ms).toISOString();

/** Ended sessions of one license, each from and until this many minutes after a time. */
async function plantSessions(app: TestApp, startMs: number, spans: ReadonlyArray<readonly [number, number]>) {
  const [organizationId, licenseId, userId] = [newId('organization'), newId('license'), newId('user')];
  for (const [from, until] of spans) {
    await execute(
      app.database,
      `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat, ended_at,
        status) values ($1, $2, $3, $4, $5, $6, $6, $7, 'released')`,
      [
        organizationId,
        newId('seatSession'),
        licenseId,
        userId,
        machine(),
        at(startMs + from * 60_000),
        at(startMs + until * 60_000),
      ],
    );
  }
}

const plantRefusals = (app: TestApp, ms: number, refused: number) =>
  execute(
    app.database,
    `insert into seat_refusals (organization_id, id, license_id, code, count, first_at, last_at, active_seats, max_seats)
      values ($1, $2, $3, 'no_seats_available', $4, $5, $5, 1, 1)`,
    [newId('organization'), randomBytes(8).toString('hex'), newId('license'), refused, at(ms)],
  );

const plantDelivery = (app: TestApp, ms: number, status: 'succeeded' | 'failed') =>
  execute(
    app.database,
    `insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, attempts,
      last_attempt_at, created_at) values ($1, $2, $3, $4, 'license.expired', $5, 1, $6, $6)`,
    [newId('organization'), newId('webhookEndpoint'), newId('delivery'), newId('event'), status, at(ms)],
  );

describe('GET /v1/operator/overview', () => {
  it('200: counts subscriptions by status, and their monthly price per currency', async () => {
    const { app, overview } = await open();
    const [plan] = await execute<{ id: string; price: number; currency: string }>(
      app.database,
      'select id, price::int as price, currency from plans where price > 0 limit 1',
    );
    const { id: planId = '', price = 0, currency } = plan ?? {};
    const ids: string[] = [];
    for (const hasEnded of [false, false, false, true]) {
      ids.push(await plantSubscription(app, { planId, hasEnded }));
    }
    const [, three, due] = ids;
    await execute(app.database, 'update subscriptions set license_id = $1', [newId('license')]);
    await execute(app.database, 'update subscriptions set quantity = 3 where id = $1', [three]);
    await execute(
      app.database,
      "update subscriptions set status = 'past_due', dunning_ends_at = next_action_at where id = $1",
      [due],
    );
    // Never paid, so it does not count as a subscription.
    const incomplete = await plantSubscription(app, { planId });
    await execute(app.database, "update subscriptions set status = 'incomplete' where id = $1", [incomplete]);
    expect(await overview()).toMatchObject({
      mrr: [{ currency, amount: 5 * price }],
      active_subscriptions: 2,
      past_due: 1,
      trials: 0,
      new: 4,
      churned: 1,
    });
    const lastYear = `?from=${at(Date.now() - 300 * 24 * HOUR_MS)}&to=${at(Date.now() - 200 * 24 * HOUR_MS)}`;
    expect(await overview(lastYear)).toMatchObject({ active_subscriptions: 2, new: 0, churned: 0 });
  });

  it('200: counts seats and refusals of the current hour as they happen', async () => {
    const { app, overview } = await open();
    const ada = await app.register('Ada');
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 3 });
    await app.issueLicense(ada.organizationId, { maxSeats: 7, expiresAt: null });
    const sessions: string[] = [];
    for (let seat = 0; seat < 3; seat += 1) {
      sessions.push((await acquire(app, ada, license.key)).body.data.session_id);
    }
    expect((await acquire(app, ada, license.key)).status).toBe(409);
    await app.runJob('licensing.write-refusals');
    await app.api.post('/v1/licenses/release', ada.accessToken, { session_id: sessions[0] });
    const shown = await overview();
    expect(shown).toMatchObject({ seats: { sold: 10, used: 2, peak: 3 }, refusals: 1, mails_waiting: 1 });
    await count(app);
    expect(await overview()).toMatchObject({ seats: shown.seats, refusals: 1 });
  });

  it('200: shows the same whether or not hours are counted, and counts each hour once across processes', async () => {
    const { app, token, overview } = await open();
    const startMs = await beginHoursAgo(app, 4);
    await plantSessions(app, startMs, [
      [10, 30],
      [20, 90],
      [25, 28],
      [30, 70],
      [100, 101],
    ]);
    await plantRefusals(app, startMs + 5, 40);
    await plantRefusals(app, startMs + HOUR_MS, 2);
    await plantRefusals(app, startMs - 1, 1_000);
    await plantDelivery(app, startMs + HOUR_MS - 1, 'succeeded');
    await plantDelivery(app, startMs + 2 * HOUR_MS, 'failed');
    const query = `?from=${at(startMs)}`;
    const before = await overview(query);
    expect(before).toMatchObject({ seats: { peak: 3 }, refusals: 42, deliveries: { succeeded: 1, failed: 1 } });
    const second = await startAppForTest({ beside: app });
    await Promise.all([count(app), count(second), count(app), count(second)]);
    const { late_jobs: _late, jobs_late: _count, ...rest } = before;
    expect(await overview(query)).toMatchObject(rest);
    const hours = await execute(
      app.database,
      `select refusals::int, deliveries_succeeded::int as ok, deliveries_failed::int as failed, seat_peak as peak
        from overview_hours where is_closed order by hour limit 3`,
    );
    expect(hours).toEqual([
      { refusals: 40, ok: 1, failed: 0, peak: 3 },
      { refusals: 2, ok: 0, failed: 0, peak: 2 },
      { refusals: 0, ok: 0, failed: 1, peak: 0 },
    ]);
    const oneHour = `${query}&to=${at(startMs + 1)}`;
    expect((await app.api.get(`${PATH}${oneHour}`, token)).body.data).toMatchObject({
      from: at(startMs),
      to: at(startMs + HOUR_MS),
      seats: { peak: 3 },
      refusals: 40,
      deliveries: { succeeded: 1, failed: 0 },
    });
  });

  it('200: loses nothing if a process dies while it counts', async () => {
    const { app, overview } = await open();
    const startMs = await beginHoursAgo(app, 2);
    await plantRefusals(app, startMs + 5, 7);
    await execute(app.database, 'alter table overview_hours add constraint broken check (not is_closed)');
    await expect(count(app)).rejects.toThrow();
    await execute(app.database, 'alter table overview_hours drop constraint broken');
    expect(await overview(`?from=${at(startMs)}`)).toMatchObject({ refusals: 7 });
    await count(app);
    expect(await overview(`?from=${at(startMs)}`)).toMatchObject({ refusals: 7 });
  });

  it('200: shows which jobs are late, and the reporting job as late if it is silent', async () => {
    const { app, overview } = await open();
    await count(app);
    expect(await overview()).toMatchObject({ jobs_late: 0, late_jobs: [] });
    await execute(app.database, "update overview_reports set late_jobs = '{mail.send-due-here}'");
    expect(await overview()).toMatchObject({ jobs_late: 1, late_jobs: ['mail.send-due-here'] });
    await execute(app.database, "update overview_reports set reported_at = reported_at - interval '3 minutes'");
    expect(await overview()).toMatchObject({ jobs_late: 1, late_jobs: [COUNT_HOURS_JOB] });
  });

  it('400, 422: refuses invalid times, and ranges that it cannot count', async () => {
    const { app, token } = await open();
    const future = at(Date.now() + 48 * HOUR_MS);
    for (const [query, status, field] of [
      ['from=yesterday', 400, 'from'],
      ['to=2026-02-30', 400, 'to'],
      ['since=2026-01-01', 400, 'since'],
      ['from=2026-02-01&to=2026-01-01', 422, 'from'],
      ['from=2024-01-01&to=2026-01-01', 422, 'from'],
      [`from=${future}&to=${at(Date.parse(future) + 1)}`, 422, 'from'],
    ] as const) {
      const answer = await app.api.get(`${PATH}?${query}`, token);
      expect({ status: answer.status, field: answer.body.error?.details?.field }).toEqual({ status, field });
    }
  });

  it('401, 403: is for staff only', async ({ app }) => {
    const { accessToken } = await app.register();
    expect((await app.api.get(PATH, undefined)).status).toBe(401);
    expect((await app.api.get(PATH, accessToken)).body.error.code).toBe('insufficient_scope');
  });
});
