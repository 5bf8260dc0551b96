import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { newId } from '../../ids/index.ts';
import type { Happened } from './schemas.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;
let ada: Member;

const it = createTest({ environment: 'sandbox' });
it.beforeEach(async ({ app }) => {
  ada = await app.register();
});

const inDays = (days: number) => new Date(Date.now() + days * DAY * 1_000).toISOString();
const advance = (app: TestApp, who: Member, seconds: unknown, headers?: Record<string, string>) =>
  app.api.post('/v1/sandbox/clock/advance', who.accessToken, { seconds }, headers);
const clockOf = async (app: TestApp, who: Member, headers?: Record<string, string>) =>
  (await app.api.get('/v1/sandbox/clock', who.accessToken, headers)).body.data;
const acquire = (app: TestApp, who: Member, key: string) =>
  app.api.post('/v1/licenses/acquire', who.accessToken, {
    license_key: key,
    hardware_id: `hw_${randomBytes(16).toString('hex')}`,
  });
const typesOf = (happened: readonly Happened[]) => happened.map((each) => each.type);
/** The time between a moment and an event, in milliseconds. */
const afterMs = (at: string, moment: string, seconds = 0) => Date.parse(at) - Date.parse(moment) - seconds * 1_000;

describe("an organization's clock", () => {
  it('shows real time until it is moved, and then is ahead by exactly the requested time', async ({ app }) => {
    const askedAtMs = Date.now();
    const before = await clockOf(app, ada);
    expect(before.offset_seconds).toBe(0);
    expect(Date.parse(before.now)).toBeGreaterThanOrEqual(askedAtMs);
    expect(Date.parse(before.now)).toBeLessThanOrEqual(Date.now());
    const moved = await advance(app, ada, 30 * DAY);
    expect(moved.status).toBe(200);
    expect(moved.body.data).toMatchObject({ offset_seconds: 30 * DAY, happened: [], count: 0 });
    expect(afterMs(moved.body.data.now, moved.body.data.from, 30 * DAY)).toBeLessThan(Date.now() - askedAtMs + 1_000);
    await advance(app, ada, 1);
    expect((await clockOf(app, ada)).offset_seconds).toBe(30 * DAY + 1);
  });

  it.for([0, -1, 1.5, '60', null, 316_224_001, 2 ** 53])('is not moved by %j seconds', async (seconds, { app }) => {
    const refused = await advance(app, ada, seconds);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', details: { field: 'seconds' } });
    expect((await clockOf(app, ada)).offset_seconds).toBe(0);
  });

  it('is not moved by an empty or invalid request', async ({ app }) => {
    for (const body of [{}, { seconds: 1, until: inDays(1) }, [], 'x']) {
      expect((await app.api.post('/v1/sandbox/clock/advance', ada.accessToken, body)).status).toBe(400);
    }
  });

  it('can be moved at most a hundred years ahead', async ({ app }) => {
    for (let decade = 0; decade < 9; decade += 1) {
      expect((await advance(app, ada, 316_224_000)).status).toBe(200);
    }
    const refused = await advance(app, ada, 316_224_000);
    expect(refused.status).toBe(422);
    expect(refused.body.error).toMatchObject({
      code: 'validation_failed',
      details: { field: 'seconds', reason: 'max' },
    });
    expect((await clockOf(app, ada)).now.slice(0, 2)).toBe('21');
    expect((await advance(app, ada, YEAR)).status).toBe(200);
  });

  it('can be read and moved only by an admin, and not without a token', async ({ app }) => {
    for (const role of ['member', 'billing'] as const) {
      const person = await joinOrganization(app, ada, role);
      const headers = { 'x-organization-id': ada.organizationId };
      expect((await advance(app, person, 60, headers)).body.error.code).toBe('forbidden');
      expect((await app.api.get('/v1/sandbox/clock', person.accessToken, headers)).status).toBe(403);
    }
    expect((await app.api.post('/v1/sandbox/clock/advance', undefined, { seconds: 60 })).status).toBe(401);
    expect((await app.api.get('/v1/sandbox/clock')).status).toBe(401);
    expect((await clockOf(app, ada)).offset_seconds).toBe(0);
  });

  it('has an entry in the audit log whenever it is moved', async ({ app }) => {
    await advance(app, ada, 90);
    const { data } = (await app.api.get(`/v1/audit-log`, ada.accessToken)).body;
    expect(data[0]).toMatchObject({
      action: 'sandbox_clock.advanced',
      before: { offset_seconds: 0 },
      after: { offset_seconds: 90 },
    });
  });

  it('does not exist in production', async () => {
    const production = await startAppForTest();
    const eve = await production.register();
    for (const answer of [
      await production.api.get('/v1/sandbox/clock', eve.accessToken),
      await production.api.post('/v1/sandbox/clock/advance', eve.accessToken, { seconds: 60 }),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body.error.code).toBe('not_found');
    }
    const moved = 'select from organizations where clock_offset_ms <> 0';
    expect(await execute(production.database, moved)).toEqual([]);
  });
});

describe('moving the clock', () => {
  it('runs everything due in order and on time: warnings, seat timeouts, expiries', async ({ app }) => {
    const beganAtMs = performance.now();
    /** The time that the work itself may take at each moment: as long as all of it took here. */
    const slackMs = (leastMs: number) => leastMs + performance.now() - beganAtMs;
    const expiresAt = inDays(10);
    const license = await app.issueLicense(ada.organizationId, { expiresAt });
    const other = await app.issueLicense(ada.organizationId, { expiresAt: inDays(40) });
    const first = await acquire(app, ada, license.key);
    const second = await acquire(app, ada, license.key);
    const { happened, count, now } = (await advance(app, ada, 11 * DAY)).body.data;
    expect(typesOf(happened)).toEqual([
      'license.seat.timeout',
      'license.seat.timeout',
      'license.expiring',
      'license.expired',
    ]);
    expect(count).toBe(4);
    expect(happened.map((each: Happened) => each.resource_id)).toEqual([
      first.body.data.session_id,
      second.body.data.session_id,
      license.id,
      license.id,
    ]);
    for (const [place, moment, seconds] of [
      [2, expiresAt, -7 * DAY],
      [3, expiresAt, 0],
    ] as const) {
      expect(afterMs(happened[place].at, moment, seconds)).toBeGreaterThanOrEqual(0);
      expect(afterMs(happened[place].at, moment, seconds)).toBeLessThan(slackMs(2_000));
    }
    const { data: timeout } = (await app.api.get(`/v1/events/${happened[0].id}`, ada.accessToken)).body;
    expect(timeout.created).toBe(happened[0].at);
    const object = timeout.data.object;
    // Each of the two is rounded to a millisecond separately.
    expect(Math.abs(afterMs(object.timeout_at, object.last_heartbeat, 180))).toBeLessThanOrEqual(1);
    expect(Math.abs(afterMs(happened[0].at, object.timeout_at))).toBeLessThan(slackMs(2_000));
    expect((await acquire(app, ada, license.key)).body.error.code).toBe('license_expired');
    const seat = await acquire(app, ada, other.key);
    expect(seat.status).toBe(201);
    const { data: session } = (await app.api.get(`/v1/licenses/${other.id}/sessions`, ada.accessToken)).body;
    expect(afterMs(session[0].started_at, now)).toBeLessThan(slackMs(5_000));
    expect(afterMs(session[0].started_at, now)).toBeGreaterThanOrEqual(0);
    for (const job of app.service.jobs.filter((each) => each.name.startsWith('licensing.'))) {
      await job.run();
    }
    const told = await execute(app.database, 'select from events where organization_id = $1', [ada.organizationId]);
    // Two acquired seats, the events in between, the refused acquire, and the seat of the other license.
    expect(told).toHaveLength(2 + 4 + 1 + 1);
  });

  it('checks a seat again whose heartbeat arrived in the meantime, and does nothing before its time', async ({
    app,
  }) => {
    const license = await app.issueLicense(ada.organizationId);
    const { session_id: session } = (await acquire(app, ada, license.key)).body.data;
    expect((await advance(app, ada, 100)).body.data.count).toBe(0);
    expect((await app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id: session })).status).toBe(200);
    expect((await advance(app, ada, 100)).body.data.count).toBe(0);
    expect((await app.api.post('/v1/licenses/heartbeat', ada.accessToken, { session_id: session })).status).toBe(200);
    const { happened } = (await advance(app, ada, 181)).body.data;
    expect(typesOf(happened)).toEqual(['license.seat.timeout']);
  });

  it('moves no other organization, not even another one of the same user', async ({ app }) => {
    const eve = await app.register('Eve');
    const grace = await joinOrganization(app, ada, 'admin', 'Grace');
    const licenses = await Promise.all(
      [ada, eve, grace].map(({ organizationId }) => app.issueLicense(organizationId, { expiresAt: inDays(20) })),
    );
    const sessions = await Promise.all([ada, eve, grace].map((who, n) => acquire(app, who, licenses[n]?.key ?? '')));
    const moved = await advance(app, grace, 30 * DAY, { 'x-organization-id': ada.organizationId });
    expect(moved.body.data.count).toBe(3);
    expect((await clockOf(app, ada)).offset_seconds).toBe(30 * DAY);
    expect((await clockOf(app, grace, { 'x-organization-id': ada.organizationId })).offset_seconds).toBe(30 * DAY);
    for (const [n, who] of [eve, grace].entries()) {
      expect((await clockOf(app, who)).offset_seconds).toBe(0);
      const { data } = (await app.api.get(`/v1/licenses/${licenses[n + 1]?.id}`, who.accessToken)).body;
      expect(data).toMatchObject({ status: 'active', active_seats: 1 });
      const beat = { session_id: sessions[n + 1]?.body.data.session_id };
      expect((await app.api.post('/v1/licenses/heartbeat', who.accessToken, beat)).status).toBe(200);
      const { data: events } = (await app.api.get('/v1/events?type=license.expired', who.accessToken)).body;
      expect(events).toEqual([]);
    }
  });

  it('does not affect tokens, stored responses and license tokens', async ({ app }) => {
    const license = await app.issueLicense(ada.organizationId, { expiresAt: inDays(4_000) });
    const made = await app.api.post('/v1/api-tokens', ada.accessToken, {
      name: 'Nightly build',
      scopes: ['read:licenses', 'manage:licenses'],
      expires_at: inDays(5),
    });
    const kept = { 'idempotency-key': randomBytes(8).toString('hex') };
    const project = await app.api.post('/v1/projects', ada.accessToken, { name: 'Kept' }, kept);
    await advance(app, ada, 300 * DAY);
    expect((await app.api.get('/v1/me', ada.accessToken)).status).toBe(200);
    expect((await app.api.get('/v1/licenses', made.body.data.token)).status).toBe(200);
    const again = await app.api.post('/v1/projects', ada.accessToken, { name: 'Kept' }, kept);
    expect(again.body.data.id).toBe(project.body.data.id);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const refreshed = await app.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken });
    expect(refreshed.status).toBe(200);
    const askedAtMs = Date.now();
    const { license_token: token } = (
      await app.api.post('/v1/licenses/acquire', made.body.data.token, {
        license_key: license.key,
        hardware_id: `hw_${'a'.repeat(32)}`,
      })
    ).body.data;
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    expect(claims.iat).toBeGreaterThanOrEqual(Math.floor(askedAtMs / 1_000));
    expect(claims.iat).toBeLessThanOrEqual(Date.now() / 1_000);
    expect(claims.exp - claims.iat).toBe(DAY);
  });

  it('lists a thousand events and counts all of them', async ({ app }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 1_100 });
    const slots = Array.from({ length: 1_100 }, (_, n) => n + 1);
    // Eleven at each of a hundred moments.
    await execute(
      app.database,
      `update seat_slots s set session_id = g.session_id, user_id = $2, hardware_id = g.hardware_id, started_at = n.t,
        last_heartbeat = n.t, deadline = n.t + g.seconds * interval '1 second', token_issued_at = n.t,
        reap_at = n.t + g.seconds * interval '1 second', token_expires_at = n.t
      from (select clock_timestamp()::timestamptz(3) as t) n,
        unnest($3::int[], $4::text[], $5::text[], $6::int[]) as g (slot, session_id, hardware_id, seconds)
      where s.license_id = $1 and s.slot = g.slot`,
      [
        license.id,
        ada.userId,
        slots,
        slots.map(() => newId('seatSession')),
        slots.map(() => `hw_${randomBytes(16).toString('hex')}`),
        slots.map((slot) => 300 + (slot % 100)),
      ],
    );
    await execute(app.database, 'update license_seat_counts set taken = 1100 where license_id = $1', [license.id]);
    const { happened, count } = (await advance(app, ada, 600)).body.data;
    expect(count).toBe(1_100);
    expect(happened).toHaveLength(1_000);
    expect(happened.toSorted((one: Happened, other: Happened) => Date.parse(one.at) - Date.parse(other.at))).toEqual(
      happened,
    );
  });
});

describe('two simultaneous moves', () => {
  it('of the same organization: one moves the clock, the others are refused with conflict and move nothing', async ({
    app,
  }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 50 });
    await Promise.all(Array.from({ length: 20 }, () => acquire(app, ada, license.key)));
    const answers = await Promise.all(Array.from({ length: 10 }, () => advance(app, ada, DAY)));
    const moved = answers.filter((each) => each.status === 200).length;
    expect(moved).toBeGreaterThanOrEqual(1);
    for (const refused of answers.filter((each) => each.status !== 200)) {
      expect(refused.body.error.code).toBe('conflict');
    }
    expect((await clockOf(app, ada)).offset_seconds).toBe(moved * DAY);
    expect((await advance(app, ada, 1)).status).toBe(200);
  });

  it('of two organizations do not wait for each other', async ({ app }) => {
    const people = await Promise.all([1, 2, 3, 4, 5].map(() => app.register()));
    const answers = await Promise.all(people.map((who, n) => advance(app, who, (n + 1) * DAY)));
    expect(answers.map((each) => each.body.data.offset_seconds)).toEqual([1, 2, 3, 4, 5].map((n) => n * DAY));
  });

  it('with the same Idempotency-Key move it once and get the same response', async ({ app }) => {
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const license = await app.issueLicense(ada.organizationId);
    await acquire(app, ada, license.key);
    const first = await advance(app, ada, DAY, key);
    const again = await advance(app, ada, DAY, key);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await advance(app, ada, 2 * DAY, key)).body.error.code).toBe('idempotency_key_reused');
    expect((await clockOf(app, ada)).offset_seconds).toBe(DAY);
  });
});
