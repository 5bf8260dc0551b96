import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeOperatorToken, plantMeters, plantSubscription, settleSeats } from '../../../test/usage/usage-world.ts';

let ada: Member;

const it = createTest({ environment: 'sandbox' })
  .extend('token', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token)
  .extend('record', ({ app, token }) => async (meter: string, value: number, at: string): Promise<void> => {
    const body = { organization_id: ada.organizationId, meter, value, at };
    const answer = await app.api.post('/v1/operator/usage', token, body);
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  });
it.beforeAll(async ({ app }) => {
  await plantMeters(app, { ai_tokens: 'sum', storage_gb: 'last', builds: 'max', calls: 'sum' });
});
it.beforeEach(async ({ app }) => {
  ada = await app.register();
});

const DAY = 86_400;
/** Whole seconds, like the periods of subscriptions. Positive values are in the past. */
const ago = (seconds: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - seconds * 1000).toISOString();
const usage = async (app: TestApp, member = ada) => {
  const { status, body } = await app.api.get('/v1/usage', member.accessToken);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};
const subscribe = (
  app: TestApp,
  from: string,
  until: string,
  included = {},
  status: 'active' | 'past_due' | 'canceled' = 'active',
) => plantSubscription(app, { organizationId: ada.organizationId, from, until, included, status });
let machines = 0;
async function acquire(app: TestApp, key: string): Promise<string> {
  machines += 1;
  const body = { license_key: key, hardware_id: `hw_${String(machines).padStart(32, '0')}` };
  return (await app.api.post('/v1/licenses/acquire', ada.accessToken, body)).body.data.session_id;
}
const release = (app: TestApp, session_id: string) =>
  app.api.post('/v1/licenses/release', ada.accessToken, { session_id });

describe('GET /v1/usage', () => {
  it('shows the calendar month and no usage to an organization that bought nothing', async ({ app }) => {
    const month = new Date();
    month.setUTCDate(1);
    month.setUTCHours(0, 0, 0, 0);
    const { period_start, period_end, ...rest } = await usage(app);
    expect(period_start).toBe(month.toISOString());
    expect(Date.parse(period_end)).toBe(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1));
    expect(rest).toEqual({
      seats: { included: 0, used: 0, peak: 0 },
      ai_tokens: { included: 0, used: 0 },
      storage_gb: { included: 0, used: 0 },
      meters: { builds: { included: 0, used: 0 }, calls: { included: 0, used: 0 } },
    });
  });

  it('shows the period of the oldest live subscription, and what all live ones include, each once', async ({ app }) => {
    await subscribe(app, ago(20 * DAY), ago(-8 * DAY), { ai_tokens: 50 }, 'canceled');
    await subscribe(app, ago(3 * DAY), ago(-25 * DAY), {
      ai_tokens: 1000,
      storage_gb: 5,
      builds: 7,
      odd: 'x',
      calls: null,
    });
    await subscribe(app, ago(9 * DAY), ago(-19 * DAY), { ai_tokens: 200, calls: 1.9 }, 'past_due');
    const shown = await usage(app);
    expect([shown.period_start, shown.period_end]).toEqual([ago(9 * DAY), ago(-19 * DAY)].map(nearTo));
    expect([shown.ai_tokens.included, shown.storage_gb.included]).toEqual([1200, 5]);
    expect(shown.meters).toMatchObject({ builds: { included: 7 }, calls: { included: 1 } });
  });

  it('cuts sums and maxima exactly at the second at which the period starts', async ({ app, record }) => {
    const start = ago(2 * DAY + 1234);
    const before = new Date(Date.parse(start) - 1).toISOString();
    await subscribe(app, start, ago(-28 * DAY));
    for (const meter of ['ai_tokens', 'builds']) {
      await record(meter, 1000, before);
      await record(meter, 1, start);
      await record(meter, 20, ago(1 * DAY));
      await record(meter, 3, ago(5));
    }
    const shown = await usage(app);
    expect([shown.ai_tokens.used, shown.meters.builds.used]).toEqual([24, 20]);
  });

  it('cuts them at its end too, even within one hour', async ({ app, record }) => {
    const start = ago(3 * DAY);
    const end = new Date(Date.parse(start) + 600_000).toISOString();
    const later = (ms: number) => new Date(Date.parse(start) + ms).toISOString();
    await subscribe(app, start, end);
    for (const [value, ms] of [
      [100, -1],
      [1, 0],
      [20, 599_999],
      [300, 600_000],
      [4000, 7_200_000],
    ] as const) {
      await record('calls', value, later(ms));
      await record('storage_gb', value, later(ms));
    }
    const shown = await usage(app);
    expect([shown.meters.calls.used, shown.storage_gb.used]).toEqual([21, 20]);
  });

  it('accepts records in any order: a level is the newest one by its time, even from before the period', async ({
    app,
    record,
  }) => {
    await subscribe(app, ago(2 * DAY), ago(-28 * DAY));
    await record('storage_gb', 1.25, ago(20 * DAY));
    expect((await usage(app)).storage_gb.used).toBe(1.25);
    await record('storage_gb', 7.5, ago(3600));
    await record('storage_gb', 99, ago(DAY));
    await record('storage_gb', 98, ago(3601));
    expect((await usage(app)).storage_gb.used).toBe(7.5);
    await record('storage_gb', 0, ago(1));
    expect((await usage(app)).storage_gb.used).toBe(0);
  });

  it('adds up records, whether they are read by the hour or one by one', async ({ app, record }) => {
    await subscribe(app, ago(3 * DAY + 17), ago(-20 * DAY));
    const values = Array.from({ length: 120 }, (_, n) => ({ value: n + 0.5, seconds: (n * 7919) % (5 * DAY) }));
    await Promise.all(values.map(({ value, seconds }) => record('calls', value, ago(seconds))));
    const [{ total } = { total: 0 }] = await execute<{ total: number }>(
      app.database,
      `select sum(r.value)::float8 as total from usage_records r join subscriptions s using (organization_id)
        where organization_id = $1 and r.at >= s.current_period_start`,
      [ada.organizationId],
    );
    expect((await usage(app)).meters.calls.used).toBe(total);
  });

  it('rounds tokens once, when they are added up', async ({ app, record }) => {
    await record('ai_tokens', 0.25, ago(2));
    await record('ai_tokens', 0.25, ago(1));
    expect((await usage(app)).ai_tokens.used).toBe(1);
  });

  it('counts the seats of all licenses, and remembers the highest number at one moment', async ({ app }) => {
    const first = await app.issueLicense(ada.organizationId, { maxSeats: 2 });
    const second = await app.issueLicense(ada.organizationId, { maxSeats: 3 });
    const held = [await acquire(app, first.key), await acquire(app, first.key), await acquire(app, second.key)];
    expect((await usage(app)).seats).toEqual({ included: 5, used: 3, peak: 3 });
    await release(app, held[0] ?? '');
    await release(app, held[1] ?? '');
    await acquire(app, second.key);
    expect((await usage(app)).seats).toEqual({ included: 5, used: 2, peak: 3 });
  });

  it('counts only currently usable licenses as included', async ({ app }) => {
    await app.issueLicense(ada.organizationId, { maxSeats: 2, expiresAt: ago(-600) });
    const { id } = await app.issueLicense(ada.organizationId, { maxSeats: 3 });
    expect((await usage(app)).seats.included).toBe(5);
    await app.moveClock(ada.organizationId, 601);
    expect((await usage(app)).seats.included).toBe(3);
    await execute(app.database, `update licenses set state = 'suspended' where id = $1`, [id]);
    expect((await usage(app)).seats.included).toBe(0);
  });

  it('counts a timed-out session until its timeout, cleaned up or not, and resets the peak with its period', async ({
    app,
  }) => {
    const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 2, expiresAt: '2099-01-01T00:00:00Z' });
    await acquire(app, key);
    await acquire(app, key);
    await app.moveClock(ada.organizationId, 181);
    expect((await usage(app)).seats).toMatchObject({ used: 0, peak: 2 });
    await settleSeats(app);
    expect((await usage(app)).seats).toMatchObject({ used: 0, peak: 2 });
    await app.moveClock(ada.organizationId, 32 * DAY);
    expect((await usage(app)).seats).toMatchObject({ used: 0, peak: 0 });
    await acquire(app, key);
    await settleSeats(app);
    expect((await usage(app)).seats).toMatchObject({ used: 1, peak: 1 });
  });

  it('counts a seat in use at the start of the period, but not one that is released at that instant', async ({
    app,
  }) => {
    const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 3 });
    const [stays, goes] = [await acquire(app, key), await acquire(app, key)];
    await release(app, goes);
    const at = ago(2 * DAY);
    await execute(
      app.database,
      `update seat_sessions set started_at = $2::timestamptz - interval '1 hour', ended_at = $2::timestamptz where id = $1`,
      [goes, at],
    );
    await execute(
      app.database,
      `update seat_slots set started_at = $2::timestamptz - interval '1 hour' where session_id = $1`,
      [stays, at],
    );
    await subscribe(app, at, ago(-28 * DAY));
    expect((await usage(app)).seats.peak).toBe(1);
    await settleSeats(app);
    expect((await usage(app)).seats.peak).toBe(1);
    await execute(app.database, 'update subscriptions set current_period_start = $2 where organization_id = $1', [
      ada.organizationId,
      new Date(Date.parse(at) - 1000).toISOString(),
    ]);
    expect((await usage(app)).seats.peak).toBe(2);
  });

  it('does not show the usage of other organizations', async ({ app, record }) => {
    const grace = await app.register();
    await acquire(app, (await app.issueLicense(ada.organizationId)).key);
    await record('ai_tokens', 5, ago(1));
    expect((await usage(app, grace)).seats).toEqual({ included: 0, used: 0, peak: 0 });
    expect((await usage(app, grace)).ai_tokens.used).toBe(0);
    const foreign = await app.api.get('/v1/usage', grace.accessToken, { 'x-organization-id': ada.organizationId });
    expect(foreign.status).toBe(404);
  });

  it('400 for a query, 401 without a token, 403 for a member and without the scope', async ({ app, token }) => {
    expect((await app.api.get('/v1/usage?period=all', ada.accessToken)).status).toBe(400);
    expect((await app.api.get('/v1/usage')).status).toBe(401);
    const member = await joinOrganization(app, ada, 'member');
    const here = { 'x-organization-id': ada.organizationId };
    const refused = await app.api.get('/v1/usage', member.accessToken, here);
    expect([refused.status, refused.body.error.details]).toEqual([403, { required_role: 'billing' }]);
    const operator = await app.api.get('/v1/usage', token);
    expect([operator.status, operator.body.error.code]).toEqual([403, 'insufficient_scope']);
  });
});

describe('usage that is too old for any summary', () => {
  it('is deleted, except for the level that still counts', async ({ app, record }) => {
    await record('storage_gb', 1, ago(3));
    await record('storage_gb', 2, ago(2));
    await record('calls', 3, ago(1));
    for (const [hours, meter] of [
      [500, 'storage_gb'],
      [450, 'calls'],
    ] as const) {
      await execute(
        app.database,
        `insert into usage_hours (organization_id, meter, hour, total, highest, last_at, last_id, last_value)
          select $1, $2, t, 9, 9, t, 'usage_' || d, d
          from generate_series(401, $3::int) d, lateral (select clock_timestamp() - d * interval '1 day' as t) n`,
        [ada.organizationId, meter, hours],
      );
    }
    await execute(
      app.database,
      `update usage_records set at = clock_timestamp() - interval '101 days' where organization_id = $1 and value = 1`,
      [ada.organizationId],
    );
    while (await app.runJob('usage.delete-old-usage')) {
      // There is more.
    }
    const hours = await execute<{ meter: string; old: number }>(
      app.database,
      `select meter, count(*) filter (where hour < clock_timestamp() - interval '400 days')::int as old from usage_hours
        where organization_id = $1 group by meter order by meter`,
      [ada.organizationId],
    );
    expect(hours).toEqual([
      { meter: 'calls', old: 1 },
      { meter: 'storage_gb', old: 1 },
    ]);
    const records = await execute(app.database, 'select id from usage_records where organization_id = $1', [
      ada.organizationId,
    ]);
    expect(records).toHaveLength(2);
  });
});

/** The second may change while a test runs. */
function nearTo(iso: string): unknown {
  const ms = Date.parse(iso);
  return expect.toSatisfy((text: string) => Math.abs(Date.parse(text) - ms) <= 1000);
}
