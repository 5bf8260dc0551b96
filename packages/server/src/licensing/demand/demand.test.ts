import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  countDemand,
  DAY_MS,
  HOUR_MS,
  type PlantedRefusal,
  type PlantedSession,
  type PlantedWait,
} from '../../../test/demand/count-demand.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { scaled } from '../../../test/torture/scale.ts';
import { newId } from '../../ids/index.ts';

const it = createTest().override('admin', ({ app }) => app.register('Ada'));

const issue = (app: TestApp, admin: Member, maxSeats = 3) => app.issueLicense(admin.organizationId, { maxSeats });
const demandOf = async (
  app: TestApp,
  admin: Member,
  licenseId: string,
  query: string,
  token = admin.accessToken,
  headers = {},
) => app.api.call('GET', `/v1/licenses/${licenseId}/demand?${query}`, { token, headers });

/** Writes sessions and refusals as they are stored. A session without an end holds a seat, even if it is overdue. */
async function plant(
  app: TestApp,
  admin: Member,
  licenseId: string,
  sessions: readonly PlantedSession[],
  refusals: readonly PlantedRefusal[],
) {
  const { organizationId, userId } = admin;
  let slot = 100;
  for (const { startMs, endMs, isOverdue } of sessions) {
    const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
    const times = [new Date(startMs), new Date(endMs ?? Date.now() + DAY_MS)];
    slot += 1;
    await (endMs === undefined || isOverdue
      ? execute(
          app.database,
          `insert into seat_slots (organization_id, license_id, slot, session_id, user_id, hardware_id, started_at, last_heartbeat,
             deadline, reap_at, token_issued_at, token_expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $8, $7, $7)`,
          [organizationId, licenseId, slot, newId('seatSession'), userId, hardwareId, ...times],
        )
      : execute(
          app.database,
          `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat, ended_at,
             status)
           values ($1, $2, $3, $4, $5, $6, $6, $7, 'released')`,
          [organizationId, newId('seatSession'), licenseId, userId, hardwareId, ...times],
        ));
  }
  for (const { code, machine, firstMs, lastMs, count } of refusals) {
    await execute(
      app.database,
      `insert into seat_refusals (organization_id, id, license_id, code, user_id, hardware_id, count, first_at, last_at,
         active_seats, max_seats)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1, 1)`,
      [
        organizationId,
        newId('seatRefusal'),
        licenseId,
        code,
        machine === undefined ? null : userId,
        machine ?? null,
        count,
        new Date(firstMs),
        new Date(lastMs),
      ],
    );
  }
}

async function plantWaits(app: TestApp, admin: Member, licenseId: string, waits: readonly PlantedWait[]) {
  for (const { startMs, endMs } of waits) {
    await execute(
      app.database,
      `insert into seat_waits (organization_id, id, license_id, user_id, hardware_id, joined_at, deadline, due_at, touched, status,
         ended_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7, 1, $8, $9)`,
      [
        admin.organizationId,
        newId('seatWait'),
        licenseId,
        admin.userId,
        `hw_${randomBytes(16).toString('hex')}`,
        new Date(startMs),
        new Date(Date.now() + DAY_MS),
        endMs === undefined ? 'waiting' : 'canceled',
        endMs === undefined ? null : new Date(endMs),
      ],
    );
  }
}

/** Midnight some days ago. All planted data lies in complete past days. */
const BASE = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
const STEP_MS = 10_000;
// Coarse, so that sessions begin and end at the same instants, and on the edges of minutes, hours and the range.
const instant = fc.integer({ min: 0, max: (3 * HOUR_MS) / STEP_MS }).map((steps) => BASE + steps * STEP_MS);
const session: fc.Arbitrary<PlantedSession> = fc
  .record({
    startMs: instant,
    lasts: fc.oneof(
      fc.constant(undefined),
      fc.integer({ min: 0, max: 30 }).map((steps) => steps * STEP_MS),
      fc.integer({ min: 0, max: 2 * DAY_MS }),
    ),
    isOverdue: fc.boolean(),
  })
  .map(({ startMs, lasts, isOverdue }) => ({
    startMs,
    endMs: lasts === undefined ? undefined : startMs + lasts,
    isOverdue,
  }));
const wait: fc.Arbitrary<PlantedWait> = fc
  .record({ startMs: instant, lasts: fc.integer({ min: 0, max: 400 }) })
  .map(({ startMs, lasts }) => ({ startMs, endMs: startMs + lasts * STEP_MS }));
const refusal: fc.Arbitrary<PlantedRefusal> = fc
  .record({
    at: instant,
    machine: fc.option(fc.constantFrom('hw_a', 'hw_b', 'hw_c'), { nil: undefined }),
    code: fc.constantFrom('no_seats_available', 'license_expired'),
    count: fc.integer({ min: 1, max: 5 }),
    lasts: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ at, machine, code, count, lasts }) => {
    const endOfMinute = Math.floor(at / 60_000) * 60_000 + 59_999;
    return { code, machine, firstMs: at, lastMs: Math.min(at + lasts * STEP_MS, endOfMinute), count };
  });

describe('the demand for seats', () => {
  it('equals a count of every single minute', async ({ app, admin }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(session, { maxLength: 25 }),
        fc.array(refusal, { maxLength: 15 }),
        fc.array(wait, { maxLength: 15 }),
        fc.record({ from: fc.integer({ min: -1, max: 2 }), hours: fc.integer({ min: 1, max: 40 }) }),
        fc.constantFrom('hour' as const, 'day' as const),
        async (sessions, refusals, waits, { from, hours }, interval) => {
          const license = await issue(app, admin, 1);
          await plant(app, admin, license.id, sessions, refusals);
          await plantWaits(app, admin, license.id, waits);
          const range = { fromMs: BASE + from * HOUR_MS, toMs: BASE + (from + hours) * HOUR_MS };
          const query = `from=${new Date(range.fromMs).toISOString()}&to=${new Date(range.toMs).toISOString()}`;
          const answer = await demandOf(app, admin, license.id, `${query}&interval=${interval}`);
          expect(answer.body.data).toEqual(countDemand(sessions, refusals, waits, { ...range, interval }));
        },
      ),
      { numRuns: scaled(40, 1_000) },
    );
  });

  it('counts a seat once if it changes hands at one instant', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const handover = BASE + 5 * 60_000;
    const sessions = [
      { startMs: BASE, endMs: handover, isOverdue: false },
      { startMs: handover, endMs: handover + 60_000, isOverdue: false },
    ];
    await plant(app, admin, license.id, sessions, []);
    const at = new Date(BASE).toISOString();
    const answer = await demandOf(app, admin, license.id, `from=${at}&to=${new Date(BASE + HOUR_MS).toISOString()}`);
    expect(answer.body.data).toEqual({ points: [{ at, peak: 1, refused: 0, waiting_peak: 0 }], suggested_seats: 1 });
  });

  it('includes the seats in use now and the refusals of this minute', async ({ app, admin }) => {
    const license = await issue(app, admin, 1);
    const acquire = () =>
      app.api.post('/v1/licenses/acquire', admin.accessToken, {
        license_key: license.key,
        hardware_id: `hw_${randomBytes(16).toString('hex')}`,
      });
    expect((await acquire()).status).toBe(201);
    expect((await acquire()).status).toBe(409);
    await app.runJob('licensing.write-refusals');
    const { data } = (await demandOf(app, admin, license.id, '')).body;
    expect(data.suggested_seats).toBe(2);
    expect(data.points).toHaveLength(7 * 24 + 1);
    expect(data.points.at(-1)).toMatchObject({ peak: 1, refused: 1, waiting_peak: 0 });
  });

  it('adds up busy days in smaller parts', async ({ app, admin }) => {
    const license = await issue(app, admin);
    // Two sessions per second, each of 100 s: more than one part can hold.
    await execute(
      app.database,
      `insert into seat_sessions (organization_id, id, license_id, user_id, hardware_id, started_at, last_heartbeat, ended_at, status)
        select $1, 'sess_' || n, $2, $3, 'hw_' || n, t, t, t + interval '100 seconds', 'released'
        from generate_series(0, 59999) n cross join lateral (select $4::timestamptz + n * interval '500 milliseconds' as t) s`,
      [admin.organizationId, license.id, admin.userId, new Date(BASE)],
    );
    const day = new Date(BASE).toISOString();
    const next = new Date(BASE + DAY_MS).toISOString();
    const { data } = (await demandOf(app, admin, license.id, `from=${day}&to=${next}&interval=day`)).body;
    expect(data).toEqual({ points: [{ at: day, peak: 200, refused: 0, waiting_peak: 0 }], suggested_seats: 200 });
  });

  it.for([
    ['from=yesterday', 400],
    ['interval=week', 400],
    ['until=2026-01-01T00:00:00Z', 400],
    ['from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z', 422],
    ['from=2999-01-01T00:00:00Z&to=2999-01-02T00:00:00Z', 422],
  ] as const)('refuses the query %s', async ([query, status], { app, admin }) => {
    const license = await issue(app, admin);
    expect((await demandOf(app, admin, license.id, query)).status).toBe(status);
  });

  it('is visible to members, and not to other organizations', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const grace = await joinOrganization(app, admin);
    const headers = { 'x-organization-id': admin.organizationId };
    expect((await demandOf(app, admin, license.id, '', grace.accessToken, headers)).status).toBe(200);
    const bob = await app.register('Bob');
    expect((await demandOf(app, admin, license.id, '', bob.accessToken)).body.error.code).toBe('not_found');
  });
});
