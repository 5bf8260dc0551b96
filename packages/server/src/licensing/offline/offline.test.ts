import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { updateOfflineDeadlines } from './queries.ts';

const DAY = 86_400;
const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (app: TestApp, by: Member, key: string, body: object = {}, headers = {}) =>
  app.api.post(
    '/v1/licenses/acquire',
    by.accessToken,
    { license_key: key, hardware_id: machine(), ...body },
    { 'x-organization-id': by.organizationId, ...headers },
  );
const touch = (app: TestApp, by: Member, act: 'heartbeat' | 'release', sessionId: string) =>
  app.api.post(
    `/v1/licenses/${act}`,
    by.accessToken,
    { session_id: sessionId },
    { 'x-organization-id': by.organizationId },
  );
const issue = (app: TestApp, by: Member, policy: object, maxSeats = 1) =>
  app.issueLicense(by.organizationId, {
    maxSeats,
    expiresAt: null,
    policy: { max_offline_seconds: 14 * DAY, ...policy },
  });
const sessionOf = async (app: TestApp, by: Member, licenseId: string) =>
  (await app.api.get(`/v1/licenses/${licenseId}/sessions?limit=1`, by.accessToken)).body.data[0];
const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

describe('an offline seat', () => {
  it('needs no heartbeat for 14 days, and is free immediately afterwards', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, {});
    const { status, body } = await acquire(app, ada, key, { offline_seconds: 14 * DAY });
    expect(status).toBe(201);
    const { session_id: sessionId, offline_until: until, license_token: token, expires_at: expiresAt } = body.data;
    expect(expiresAt).toBe(until);
    const { exp, iat = 0 } = decodeJwt(token);
    expect([exp, exp]).toEqual([Date.parse(until) / 1000, iat + 14 * DAY]);
    expect((await sessionOf(app, ada, id)).offline_until).toBe(until);
    await app.moveClock(ada.organizationId, 14 * DAY - 60);
    expect((await acquire(app, ada, key)).body.error.code).toBe('no_seats_available');
    await app.moveClock(ada.organizationId, 61);
    expect((await acquire(app, ada, key)).status).toBe(201);
    const sessions = (await app.api.get(`/v1/licenses/${id}/sessions`, ada.accessToken)).body.data;
    expect(sessions).toMatchObject([
      { status: 'active', offline_until: null },
      { id: sessionId, status: 'timed_out', offline_until: until, ended_at: until },
    ]);
  });

  it('is freed immediately by an early release', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, {});
    const { session_id, offline_until } = (await acquire(app, ada, key, { offline_seconds: DAY })).body.data;
    const released = await touch(app, ada, 'release', session_id);
    expect(Object.keys(released.body.data).toSorted()).toEqual(['released_at', 'session_id', 'status']);
    const admin = { ...(await joinOrganization(app, ada, 'admin')), organizationId: ada.organizationId };
    expect((await touch(app, admin, 'release', session_id)).body.data).toEqual(released.body.data);
    expect((await acquire(app, ada, key)).status).toBe(201);
    const [, early] = (await app.api.get(`/v1/licenses/${id}/sessions`, ada.accessToken)).body.data;
    expect(early).toMatchObject({ status: 'released', offline_until });
  });

  it('may continue until its end after an admin releases it', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    const bob = { ...(await joinOrganization(app, ada, 'member')), organizationId: ada.organizationId };
    const { session_id, offline_until } = (await acquire(app, bob, key, { offline_seconds: DAY })).body.data;
    const released = await touch(app, ada, 'release', session_id);
    expect(released.body.data).toMatchObject({ status: 'released', may_run_until: offline_until });
    // The response can get lost. A repeated request tells the admin the same, and tells the user nothing new.
    expect((await touch(app, ada, 'release', session_id)).body.data).toEqual(released.body.data);
    const { may_run_until: _, ...ofUser } = released.body.data;
    expect((await touch(app, bob, 'release', session_id)).body.data).toEqual(ofUser);
    expect((await acquire(app, ada, key)).status).toBe(201);
  });

  it('stays offline when its machine sends heartbeats or acquires again', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    const hardware = { hardware_id: machine() };
    const first = (await acquire(app, ada, key, { ...hardware, offline_seconds: DAY })).body.data;
    expect((await touch(app, ada, 'heartbeat', first.session_id)).status).toBe(200);
    const again = await acquire(app, ada, key, hardware);
    expect(again.status).toBe(200);
    expect(again.body.data).toMatchObject({ session_id: first.session_id, offline_until: first.offline_until });
    await app.moveClock(ada.organizationId, DAY - 60);
    expect((await acquire(app, ada, key)).body.error.code).toBe('no_seats_available');
  });

  it('continues like any other when a heartbeat arrives near its end', async ({ app, ada }) => {
    const { id, key } = await issue(app, ada, {});
    const { session_id } = (await acquire(app, ada, key, { offline_seconds: DAY })).body.data;
    await app.moveClock(ada.organizationId, DAY - 60);
    expect((await touch(app, ada, 'heartbeat', session_id)).status).toBe(200);
    expect(await sessionOf(app, ada, id)).toMatchObject({ id: session_id, offline_until: null });
    await app.moveClock(ada.organizationId, 100);
    expect((await touch(app, ada, 'heartbeat', session_id)).status).toBe(200);
    await app.moveClock(ada.organizationId, 181);
    expect((await touch(app, ada, 'heartbeat', session_id)).body.error.code).toBe('session_timeout');
  });

  it('ends at the agreed time even if the service was away', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    await acquire(app, ada, key, { offline_seconds: 3_600 });
    await execute(app.database, 'update service_clock set away_ms = away_ms + 600000');
    await app.runJob('licensing.keep-offline-ends');
    await app.moveClock(ada.organizationId, 3_540);
    expect((await acquire(app, ada, key)).body.error.code).toBe('no_seats_available');
    await app.moveClock(ada.organizationId, 61);
    expect((await acquire(app, ada, key)).status).toBe(201);
  });

  it('is updated after an outage and not otherwise, so that many offline seats cost nothing', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {}, 2);
    const first = (await acquire(app, ada, key, { offline_seconds: 3_600 })).body.data;
    await app.runJob('licensing.keep-offline-ends');
    expect(await updateOfflineDeadlines(app.database)).toBe(0);
    const before = await execute(app.database, 'select 1 from seat_slots where offline_until is not null');
    await execute(app.database, 'update service_clock set away_ms = away_ms + 600000');
    await acquire(app, ada, key, { offline_seconds: 3_600 });
    expect(await updateOfflineDeadlines(app.database)).toBe(before.length);
    expect(await updateOfflineDeadlines(app.database)).toBe(0);
    expect((await touch(app, ada, 'heartbeat', first.session_id)).status).toBe(200);
    expect(await updateOfflineDeadlines(app.database)).toBe(0);
  });

  it('ends at the agreed time if it was renewed between two outages', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    const hardware = { hardware_id: machine() };
    await execute(app.database, 'update service_clock set away_ms = away_ms + 600000');
    await acquire(app, ada, key, { ...hardware, offline_seconds: 3_600 });
    await execute(app.database, 'update service_clock set away_ms = away_ms + 600000');
    const again = await acquire(app, ada, key, { ...hardware, offline_seconds: 7_200 });
    await execute(app.database, 'update service_clock set away_ms = away_ms + 600000');
    await app.runJob('licensing.keep-offline-ends');
    const ends = await execute(
      app.database,
      `select (deadline + c.away_ms * interval '1 millisecond') = offline_until as is_kept from seat_slots, service_clock c
        where session_id = $1`,
      [again.body.data.session_id],
    );
    expect(ends).toEqual([{ is_kept: true }]);
  });

  it('ends at the agreed time even if an earlier version granted it', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    const { session_id } = (await acquire(app, ada, key, { offline_seconds: 3_600 })).body.data;
    await execute(app.database, 'update seat_slots set offline_away_ms = -1 where session_id = $1', [session_id]);
    await execute(app.database, 'update service_clock set away_ms = away_ms + 600000');
    await app.runJob('licensing.keep-offline-ends');
    await app.moveClock(ada.organizationId, 3_601);
    expect((await acquire(app, ada, key)).status).toBe(201);
  });

  it('never outlives the license', async ({ app, ada }) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { key } = await app.issueLicense(ada.organizationId, { expiresAt, policy: { max_offline_seconds: DAY } });
    const { offline_until } = (await acquire(app, ada, key, { offline_seconds: DAY })).body.data;
    expect(secondsBetween(offline_until, expiresAt)).toBeGreaterThanOrEqual(0);
    expect(secondsBetween(offline_until, expiresAt)).toBeLessThan(1);
  });

  it('is returned unchanged for the same Idempotency-Key', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    const body = { hardware_id: machine(), offline_seconds: DAY };
    const headers = { 'idempotency-key': 'offline' };
    const first = await acquire(app, ada, key, body, headers);
    expect((await acquire(app, ada, key, body, headers)).body.data).toEqual(first.body.data);
  });
});

describe('offline_seconds', () => {
  it('is refused by default, and beyond the policy’s limit', async ({ app, ada }) => {
    const { key } = await app.issueLicense(ada.organizationId);
    const refused = await acquire(app, ada, key, { offline_seconds: 60 });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'offline_not_allowed']);
    const short = await issue(app, ada, { max_offline_seconds: 3_600 });
    expect((await acquire(app, ada, short.key, { offline_seconds: 3_601 })).body.error).toMatchObject({
      code: 'offline_not_allowed',
      details: { max_offline_seconds: 3_600, available_offline_seats: 1 },
    });
    expect((await acquire(app, ada, short.key, { offline_seconds: 3_600 })).status).toBe(201);
  });

  it('is refused if too few seats would stay online, even for many simultaneous requests', async ({ app, ada }) => {
    const { key } = await issue(app, ada, { min_online_seats: 2 }, 5);
    const asked = await Promise.all(Array.from({ length: 8 }, () => acquire(app, ada, key, { offline_seconds: DAY })));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    expect((await acquire(app, ada, key)).status).toBe(201);
    expect((await acquire(app, ada, key)).status).toBe(201);
    expect((await acquire(app, ada, key)).body.error.code).toBe('no_seats_available');
  });

  it('can be requested again by an offline machine, without a second seat', async ({ app, ada }) => {
    const { key } = await issue(app, ada, {});
    const hardware = { hardware_id: machine() };
    const first = (await acquire(app, ada, key, { ...hardware, offline_seconds: DAY })).body.data;
    const longer = await acquire(app, ada, key, { ...hardware, offline_seconds: 2 * DAY });
    expect(longer.status).toBe(200);
    expect(longer.body.data.session_id).toBe(first.session_id);
    expect(secondsBetween(first.offline_until, longer.body.data.offline_until)).toBeGreaterThanOrEqual(DAY);
  });

  it.for([59, 31_536_001, 60.5, '60', null])('400: %s is not a valid offline time', async (seconds, { app, ada }) => {
    const { key } = await issue(app, ada, {});
    const { status, body } = await acquire(app, ada, key, { offline_seconds: seconds });
    expect([status, body.error.details.field]).toEqual([400, 'offline_seconds']);
  });
});
