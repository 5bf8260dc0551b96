import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { changeLicense, type LicenseChange } from '../index.ts';

const DAY = 86_400;

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const inDays = (days: number) => new Date(Date.now() + days * DAY * 1000).toISOString();
const change = (app: TestApp, id: string, what: LicenseChange) =>
  changeLicense(createSilentLicenseTools(app.database), id, what);
const acquire = (app: TestApp, admin: Member, key: string, who = admin) =>
  app.api.post('/v1/licenses/acquire', who.accessToken, { license_key: key, hardware_id: machine() });
const eventsOf = (app: TestApp, licenseId: string) =>
  execute<{ type: string; object: Record<string, unknown> }>(
    app.database,
    "select type, object from events where object->>'license_id' = $1 order by id",
    [licenseId],
  );

describe('the list of licenses', () => {
  it('pages through each license once, in every order, while more are issued', async ({ app }) => {
    const bob = await app.register('Bob');
    for (let n = 0; n < 7; n += 1) {
      await app.issueLicense(bob.organizationId, { product: `p${n % 3}`, expiresAt: inDays(10 + n) });
    }
    for (const sort of ['created_at', '-created_at', 'expires_at', '-expires_at', 'product', '-product']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await app.api.get(
          `/v1/licenses?limit=2&sort=${sort}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
          bob.accessToken,
        );
        expect(page.status).toBe(200);
        seen.push(...page.body.data.map((each: { id: string }) => each.id));
        cursor = page.body.pagination.next_cursor;
        expect(page.body.pagination.has_more).toBe(cursor !== null);
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(7);
      expect(seen).toHaveLength(7);
    }
  });

  it('filters by status, product and times, also combined', async ({ app }) => {
    const bob = await app.register('Bob');
    const soon = await app.issueLicense(bob.organizationId, { product: 'a', expiresAt: inDays(1) });
    const later = await app.issueLicense(bob.organizationId, { product: 'b', expiresAt: inDays(100) });
    await change(app, later.id, { kind: 'suspend' });
    await app.moveClock(bob.organizationId, 2 * DAY);
    const ids = async (query: string) =>
      (await app.api.get(`/v1/licenses?${query}`, bob.accessToken)).body.data.map((each: { id: string }) => each.id);
    expect(await ids('status=expired')).toEqual([soon.id]);
    expect(await ids('status=suspended')).toEqual([later.id]);
    expect(await ids('status=active')).toEqual([]);
    expect(await ids('product=b&status=suspended')).toEqual([later.id]);
    expect(await ids(`expires_before=${inDays(50)}`)).toEqual([soon.id]);
    expect(await ids(`created_after=${inDays(50)}`)).toEqual([]);
  });

  it('refuses cursors that are forged, or from another list, organization or sort', async ({ app, admin }) => {
    const bob = await app.register('Bob');
    await app.issueLicense(bob.organizationId);
    await app.issueLicense(bob.organizationId);
    const { next_cursor: cursor } = (await app.api.get('/v1/licenses?limit=1', bob.accessToken)).body.pagination;
    const asked = [
      app.api.get(`/v1/licenses?cursor=${cursor}x`, bob.accessToken),
      app.api.get('/v1/licenses?cursor=bm90IG91cnM', bob.accessToken),
      app.api.get(`/v1/licenses?sort=product&cursor=${cursor}`, bob.accessToken),
      app.api.get(`/v1/licenses?status=active&cursor=${cursor}`, bob.accessToken),
      app.api.get(`/v1/licenses?cursor=${cursor}`, admin.accessToken),
      app.api.get(`/v1/events?cursor=${cursor}`, bob.accessToken),
    ];
    for (const answer of await Promise.all(asked)) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.details).toEqual({ field: 'cursor', reason: 'format' });
    }
  });

  it.for([
    ['limit=0', 'limit', 'min'],
    ['limit=101', 'limit', 'max'],
    ['limit=ten', 'limit', 'type'],
    ['sort=key', 'sort', 'enum'],
    ['status=nice', 'status', 'enum'],
    ['created_after=yesterday', 'created_after', 'format'],
    ['color=red', 'color', 'unknown'],
    ['product=a&product=b', 'product', 'type'],
  ] as const)('refuses %s by name', async ([query, field, reason], { app, admin }) => {
    const answer = await app.api.get(`/v1/licenses?${query}`, admin.accessToken);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });
});

describe('a license', () => {
  it('is not_found for another organization and for malformed IDs', async ({ app, admin }) => {
    const license = await app.issueLicense(admin.organizationId);
    const eve = await app.register('Eve');
    expect((await app.api.get(`/v1/licenses/${license.id}`, eve.accessToken)).status).toBe(404);
    expect((await app.api.get(`/v1/licenses/${license.id}/sessions`, eve.accessToken)).status).toBe(404);
    expect((await app.api.get('/v1/licenses/lic_nope', admin.accessToken)).body.error.details.resource).toBe('license');
  });

  it('shows the history of its sessions with their ends, paged and filtered', async ({ app, admin }) => {
    const license = await app.issueLicense(admin.organizationId);
    const first = (await acquire(app, admin, license.key)).body.data.session_id;
    await app.api.post('/v1/licenses/release', admin.accessToken, { session_id: first });
    const second = (await acquire(app, admin, license.key)).body.data.session_id;
    const path = `/v1/licenses/${license.id}/sessions`;
    const all = await app.api.get(path, admin.accessToken);
    expect(all.body.data.map((each: { id: string; status: string }) => [each.id, each.status])).toEqual([
      [second, 'active'],
      [first, 'released'],
    ]);
    const page = await app.api.get(`${path}?limit=1`, admin.accessToken);
    const next = await app.api.get(`${path}?limit=1&cursor=${page.body.pagination.next_cursor}`, admin.accessToken);
    expect([page.body.data[0].id, next.body.data[0].id]).toEqual([second, first]);
    for (const sort of ['started_at', '-last_heartbeat', 'last_heartbeat']) {
      expect((await app.api.get(`${path}?sort=${sort}`, admin.accessToken)).body.data).toHaveLength(2);
    }
    expect(
      (await app.api.get(`${path}?status=released&user_id=${admin.userId}`, admin.accessToken)).body.data,
    ).toHaveLength(1);
    expect((await app.api.get(`${path}?hardware_id=${machine()}`, admin.accessToken)).body.data).toEqual([]);
  });
});

describe('the operator', () => {
  it('suspends and reinstates a license; acquire and heartbeat are refused in between', async ({ app, admin }) => {
    const license = await app.issueLicense(admin.organizationId);
    const id = (await acquire(app, admin, license.key)).body.data.session_id;
    const beat = () => app.api.post('/v1/licenses/heartbeat', admin.accessToken, { session_id: id });
    expect((await change(app, license.id, { kind: 'suspend' })).status).toBe('suspended');
    expect((await acquire(app, admin, license.key)).body.error.code).toBe('license_suspended');
    expect((await beat()).body.error.code).toBe('license_suspended');
    await expect(change(app, license.id, { kind: 'suspend' })).rejects.toMatchObject({ code: 'conflict' });
    await change(app, license.id, { kind: 'reinstate' });
    expect((await beat()).status).toBe(200);
  });

  it('revokes a license permanently', async ({ app, admin }) => {
    const license = await app.issueLicense(admin.organizationId);
    await change(app, license.id, { kind: 'revoke' });
    expect((await acquire(app, admin, license.key)).body.error.code).toBe('license_revoked');
    await expect(change(app, license.id, { kind: 'reinstate' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(change(app, license.id, { kind: 'extend', expiresAt: inDays(9) })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('lowers the seats below those in use without ending a session; new acquires wait for free seats', async ({
    app,
    admin,
  }) => {
    const license = await app.issueLicense(admin.organizationId, { maxSeats: 4 });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      ids.push((await acquire(app, admin, license.key)).body.data.session_id);
    }
    const shrunk = await change(app, license.id, { kind: 'resize', maxSeats: 2 });
    expect(shrunk).toMatchObject({ max_seats: 2, active_seats: 4 });
    expect((await app.api.get(`/v1/licenses/${license.id}`, admin.accessToken)).body.data.available_seats).toBe(0);
    for (const id of ids.slice(0, 2)) {
      expect((await acquire(app, admin, license.key)).body.error.details).toMatchObject({ max_seats: 2 });
      expect((await app.api.post('/v1/licenses/release', admin.accessToken, { session_id: id })).status).toBe(200);
    }
    expect((await acquire(app, admin, license.key)).status).toBe(409);
    await app.api.post('/v1/licenses/release', admin.accessToken, { session_id: ids[2] });
    expect((await acquire(app, admin, license.key)).status).toBe(201);
    expect((await acquire(app, admin, license.key)).status).toBe(409);
  });

  it('leaves a seat for a returning machine whose timed-out slot is above the reduced max_seats', async ({ app }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId, { maxSeats: 3 });
    const machines = [machine(), machine(), machine()];
    const take = (hardwareId: string | undefined) =>
      app.api.post('/v1/licenses/acquire', bob.accessToken, { license_key: license.key, hardware_id: hardwareId });
    for (const hardwareId of machines) {
      await take(hardwareId);
    }
    await change(app, license.id, { kind: 'resize', maxSeats: 1 });
    await app.moveClock(bob.organizationId, 181);
    expect((await take(machines[2])).status).toBe(201);
    expect((await take(machines[1])).status).toBe(409);
    await app.runJobs();
    const slots = await execute<{ n: number }>(
      app.database,
      'select count(*)::int as n from seat_slots where license_id = $1',
      [license.id],
    );
    expect(slots[0]?.n).toBe(1);
  });

  it('raises the number of seats immediately', async ({ app, admin }) => {
    const license = await app.issueLicense(admin.organizationId, { maxSeats: 1 });
    await acquire(app, admin, license.key);
    expect((await acquire(app, admin, license.key)).status).toBe(409);
    await change(app, license.id, { kind: 'resize', maxSeats: 2 });
    expect((await acquire(app, admin, license.key)).status).toBe(201);
  });

  it('gets not_found for unknown licenses', async ({ app }) => {
    await expect(change(app, 'lic_nope', { kind: 'suspend' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the expiry of a license', () => {
  it('is announced 7 days ahead and on the day, once per date', async ({ app }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId, { expiresAt: inDays(30) });
    const types = async () => (await eventsOf(app, license.id)).map((each) => each.type);
    await app.runJobs();
    expect(await types()).toEqual([]);
    await app.moveClock(bob.organizationId, 23.5 * DAY);
    await Promise.all([app.runJobs(), app.runJobs()]);
    expect(await types()).toEqual(['license.expiring']);
    await app.moveClock(bob.organizationId, 7 * DAY);
    await Promise.all([app.runJobs(), app.runJobs()]);
    expect(await types()).toEqual(['license.expiring', 'license.expired']);
    expect((await eventsOf(app, license.id))[1]?.object).toMatchObject({ status: 'expired' });
    await change(app, license.id, { kind: 'extend', expiresAt: inDays(60) });
    await app.runJobs();
    await app.moveClock(bob.organizationId, 25 * DAY);
    await app.runJobs();
    expect(await types()).toEqual(['license.expiring', 'license.expired', 'license.expiring']);
  });

  it('causes no warning for a license that renews, and an immediate one if it is near from the start', async ({
    app,
    admin,
  }) => {
    const near = await app.issueLicense(admin.organizationId, { expiresAt: inDays(3) });
    const renewing = await app.issueLicense(admin.organizationId, { expiresAt: inDays(3) });
    await execute(app.database, 'update licenses set renews = true where id = $1', [renewing.id]);
    await app.runJobs();
    expect((await eventsOf(app, near.id)).map((each) => each.type)).toEqual(['license.expiring']);
    expect(await eventsOf(app, renewing.id)).toEqual([]);
  });

  it('refuses heartbeats of sessions that outlive their license', async ({ app, admin }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId, {
      expiresAt: inDays(1),
      sessionTimeoutSeconds: 3 * DAY,
    });
    const id = (await acquire(app, admin, license.key, bob)).body.data.session_id;
    await app.moveClock(bob.organizationId, 2 * DAY);
    const refused = await app.api.post('/v1/licenses/heartbeat', bob.accessToken, { session_id: id });
    expect(refused.body.error).toMatchObject({ code: 'license_expired' });
  });
});
