import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { settleSeats } from '../../../test/usage/usage-world.ts';
import { newId } from '../../ids/index.ts';
import { SeatHourCounter } from './count-seat-hours.ts';
import { findSeatPeak } from './find-seat-peak.ts';
import { HOUR_MS, type TimeRange } from './plan-peak.ts';
import { countHours } from './queries.ts';

const it = createTest({ environment: 'sandbox' });

/** When a seat was used. Without an end, it is still in use. */
interface Use {
  fromMs: number;
  untilMs: number | undefined;
}

const MINUTE_MS = 60_000;
const HOURS = 30;
const SEATS = 12;

const USER = newId('user');
const newSession = () => newId('seatSession');

/** A separate organization, with a license whose seats were used like this. */
async function plant(app: TestApp, uses: readonly Use[]): Promise<string> {
  const organizationId = newId('organization');
  await execute(
    app.database,
    `insert into organizations (id, name, slug, created_at, updated_at)
      select $1, 'Peaks', $1, clock_timestamp(), clock_timestamp()`,
    [organizationId],
  );
  const license = await app.issueLicense(organizationId, { maxSeats: SEATS });
  const ended = uses.filter((use) => use.untilMs !== undefined);
  await execute(
    app.database,
    `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat,
        ended_at, status)
      select $1, u.id, $2, '${USER}', 'hw_' || lpad(u.n::text, 32, '0'), to_timestamp(u.a / 1000), to_timestamp(u.a / 1000),
        to_timestamp(u.b / 1000), 'released'
      from unnest($3::float8[], $4::float8[], $5::text[]) with ordinality as u (a, b, id, n)`,
    [
      organizationId,
      license.id,
      ended.map((use) => use.fromMs),
      ended.map((use) => use.untilMs),
      ended.map(newSession),
    ],
  );
  const running = uses.filter((use) => use.untilMs === undefined).slice(0, SEATS);
  await execute(
    app.database,
    `update seat_slots s set session_id = u.id, user_id = '${USER}', hardware_id = 'hw_' || lpad(u.n::text, 32, 'r'),
        started_at = to_timestamp(u.a / 1000), last_heartbeat = to_timestamp(u.a / 1000),
        deadline = clock_timestamp() + interval '1 day', reap_at = clock_timestamp() + interval '1 day'
      from unnest($3::float8[], $4::text[]) with ordinality as u (a, id, n)
      where s.organization_id = $1 and s.license_id = $2 and s.slot = u.n`,
    [organizationId, license.id, running.map((use) => use.fromMs), running.map(newSession)],
  );
  await execute(app.database, 'update license_seat_counts set taken = $2 where organization_id = $1', [
    organizationId,
    running.length,
  ]);
  return organizationId;
}

async function markOf(app: TestApp, organizationId: string): Promise<number | undefined> {
  const [mark] = await execute<{ ms: number }>(
    app.database,
    'select extract(epoch from counted_until)::float8 * 1000 as ms from usage_seat_marks where organization_id = $1',
    [organizationId],
  );
  return mark?.ms;
}

const peakOf = async (app: TestApp, organizationId: string, period: TimeRange, nowMs: number) =>
  findSeatPeak(
    app.database,
    { organizationId, clockOffsetMs: 0, nowMs, markMs: await markOf(app, organizationId) },
    period,
  );

/** Checks every moment at which the number can have grown. */
function peakByHand(uses: readonly Use[], period: TimeRange, nowMs: number): number {
  const until = Math.min(period.untilMs, nowMs + 1);
  const moments = [period.fromMs, ...uses.map((use) => use.fromMs)].filter(
    (moment) => moment >= period.fromMs && moment < until,
  );
  const activeAt = (moment: number) =>
    uses.filter((use) => use.fromMs <= moment && moment < (use.untilMs ?? Number.POSITIVE_INFINITY)).length;
  return Math.max(0, ...moments.map(activeAt));
}

/** Many at the same instants, on the hour and a millisecond off. */
const moment = (mostHours: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: mostHours * 6 }), fc.constantFrom(0, 0, 1, -1, 12_345))
    .map(([tens, besides]) => tens * 10 * MINUTE_MS + besides);

const DAY_OF_USE = fc.record({
  uses: fc.array(fc.record({ from: moment(HOURS), lasts: moment(5), runs: fc.boolean() }), { maxLength: 40 }),
  periods: fc.array(fc.record({ from: moment(HOURS), lasts: moment(40) }), { minLength: 6, maxLength: 6 }),
  countedHours: fc.integer({ min: 1, max: HOURS - 1 }),
});

interface DrawnUse {
  from: number;
  lasts: number;
  runs: boolean;
}

/** Uses that would end in the future are still running, as are some recent others, but no more than there are seats. */
function usesOf(drawn: readonly DrawnUse[], beginMs: number, nowMs: number): Use[] {
  const ends = ({ from, lasts, runs }: DrawnUse) => {
    const untilMs = beginMs + from + Math.max(0, lasts);
    return untilMs >= nowMs || (runs && from > 0.8 * HOURS * HOUR_MS) ? undefined : untilMs;
  };
  const uses = drawn
    .map((each): Use => ({ fromMs: beginMs + each.from, untilMs: ends(each) }))
    .filter((use) => use.fromMs < nowMs - MINUTE_MS);
  const running = uses.filter((use) => use.untilMs === undefined).slice(0, SEATS);
  return [...uses.filter((use) => use.untilMs !== undefined), ...running];
}

describe('the seat peak', () => {
  it('equals a simple count for any period, with no hours, some or all counted', async ({ app }) => {
    await fc.assert(
      fc.asyncProperty(DAY_OF_USE, async ({ uses: drawn, periods, countedHours }) => {
        const nowMs = Date.now();
        const beginMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - HOURS * HOUR_MS;
        const uses = usesOf(drawn, beginMs, nowMs);
        const asked = periods
          .map(({ from, lasts }) => ({ fromMs: beginMs + from, untilMs: beginMs + from + 1000 + Math.max(0, lasts) }))
          .filter((period) => period.fromMs < nowMs);
        const byHand = asked.map((period) => peakByHand(uses, period, nowMs));
        const organizationId = await plant(app, uses);
        const found = async () => {
          const peaks: number[] = [];
          for (const period of asked) {
            peaks.push(await peakOf(app, organizationId, period, nowMs));
          }
          return peaks;
        };
        expect(await found()).toEqual(byHand);
        const until = beginMs + countedHours * HOUR_MS;
        const some = { organizationId, clockOffsetMs: 0, from: beginMs, until, hasMark: false };
        expect(await countHours(app.database, some)).toBe(1);
        expect(await found()).toEqual(byHand);
        await countAll(app);
        expect(await found()).toEqual(byHand);
      }),
      { numRuns: 40 },
    );
  });

  it('is the same from hours that two processes counted simultaneously', async ({ app }) => {
    const nowMs = Date.now();
    const beginMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - 8 * HOUR_MS;
    const uses = [1, 2, 3].map((n) => ({
      fromMs: beginMs + n * 40 * MINUTE_MS,
      untilMs: beginMs + (n * 40 + 100) * MINUTE_MS,
    }));
    const organizationId = await plant(app, uses);
    await Promise.all([countAll(app), countAll(app), countAll(app)]);
    const hours = await execute<{ active_at_start: number; peak: number }>(
      app.database,
      'select active_at_start, peak from usage_seat_hours where organization_id = $1 order by hour',
      [organizationId],
    );
    expect(hours).toEqual([
      { active_at_start: 0, peak: 1 },
      { active_at_start: 1, peak: 2 },
      { active_at_start: 3, peak: 3 },
      { active_at_start: 1, peak: 1 },
    ]);
  });

  it('counts a timed-out session until its timeout, and stores no hour before it is cleaned up', async ({ app }) => {
    const nowMs = Date.now();
    const timedOutMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - 5 * HOUR_MS;
    const organizationId = await plant(app, [
      { fromMs: timedOutMs - HOUR_MS, untilMs: undefined },
      { fromMs: timedOutMs, untilMs: timedOutMs + MINUTE_MS },
    ]);
    await execute(
      app.database,
      `update seat_slots set deadline = to_timestamp($2::float8 / 1000), reap_at = to_timestamp($2::float8 / 1000)
        where organization_id = $1 and session_id is not null`,
      [organizationId, timedOutMs],
    );
    await countAll(app);
    expect(await markOf(app, organizationId)).toBeUndefined();
    const period = { fromMs: timedOutMs - 2 * HOUR_MS, untilMs: nowMs + HOUR_MS };
    expect(await peakOf(app, organizationId, period, nowMs)).toBe(1);
    await settleSeats(app);
    expect(await markOf(app, organizationId)).toBeGreaterThan(timedOutMs);
    expect(await peakOf(app, organizationId, period, nowMs)).toBe(1);
  });

  it('skips an organization that never used a seat, and advances an idle one without a row', async ({ app }) => {
    const never = await plant(app, []);
    const beginMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 50 * HOUR_MS;
    const idle = await plant(app, [{ fromMs: beginMs, untilMs: beginMs + MINUTE_MS }]);
    await countAll(app);
    expect(await markOf(app, never)).toBeUndefined();
    expect(await markOf(app, idle)).toBeGreaterThan(beginMs + 40 * HOUR_MS);
    const rows = await execute(app.database, 'select hour from usage_seat_hours where organization_id = $1', [idle]);
    expect(rows).toHaveLength(1);
  });
});

/** A restarted process, until it finds nothing more to count. */
async function countAll(app: TestApp): Promise<void> {
  const counter = new SeatHourCounter(app.database);
  while (await counter.run()) {
    // There is more.
  }
}
