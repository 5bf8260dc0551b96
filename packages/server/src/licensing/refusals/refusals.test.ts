import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { DatabaseUnavailable } from '../../database/index.ts';
import { changeLicense, type LicenseChange } from '../index.ts';
import { MOST_MACHINES, RefusalLog, type RefusedAcquire } from './refusal-log.ts';
import { writeRefusals } from './write-refusals.ts';

const it = createTest().override('admin', ({ app }) => app.register('Ada Lovelace'));

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (app: TestApp, admin: Member, key: string, hardwareId = machine(), { api } = app, headers = {}) =>
  api.post('/v1/licenses/acquire', admin.accessToken, { license_key: key, hardware_id: hardwareId }, headers);
const issue = (app: TestApp, admin: Member, terms: object = {}) => app.issueLicense(admin.organizationId, terms);
/** A license whose only seat is taken. */
const issueFull = async (app: TestApp, admin: Member) => {
  const license = await issue(app, admin, { maxSeats: 1 });
  expect((await acquire(app, admin, license.key)).status).toBe(201);
  return license;
};
const write = async (app: TestApp, target = app) => {
  while (await target.runJob('licensing.write-refusals')) {
    // There is more.
  }
};
const listed = async (
  app: TestApp,
  admin: Member,
  licenseId: string,
  query = '',
  token = admin.accessToken,
  headers = {},
) => {
  await write(app);
  const answer = await app.api.call('GET', `/v1/licenses/${licenseId}/refusals${query}`, { token, headers });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const eventsOf = (app: TestApp, licenseId: string) =>
  execute<{ object: Record<string, unknown> }>(
    app.database,
    `select object from events where type = 'license.seat.refused' and object->>'license_id' = $1 order by id`,
    [licenseId],
  );
/** A refusal of Ada's, as acquire counts it. */
const refusedBy = (admin: Member, licenseId: string, given: Partial<RefusedAcquire> = {}): RefusedAcquire => ({
  organizationId: admin.organizationId,
  licenseId,
  code: 'no_seats_available',
  userId: admin.userId,
  hardwareId: machine(),
  atMs: Date.now(),
  activeSeats: 1,
  maxSeats: 1,
  ...given,
});
const silent = { announce: async () => undefined };
const change = (app: TestApp, id: string, what: LicenseChange) =>
  changeLicense(createSilentLicenseTools(app.database), id, what);

describe('a refused acquire', () => {
  it('is listed with its user, its machine and the seats of the license', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    const hardwareId = machine();
    const before = Date.now();
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await acquire(app, admin, license.key, hardwareId)).body.error.code).toBe('no_seats_available');
    }
    const rows = await listed(app, admin, license.id);
    expect(rows.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(3);
    expect(rows[0]).toMatchObject({
      code: 'no_seats_available',
      user_id: admin.userId,
      hardware_id: hardwareId,
      active_seats: 1,
      max_seats: 1,
      user: { id: admin.userId, name: 'Ada Lovelace', email: admin.email },
    });
    expect(Date.parse(rows.at(-1).first_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(rows[0].last_at)).toBeLessThanOrEqual(Date.now());
  });

  it.for<[string, LicenseChange]>([
    ['license_suspended', { kind: 'suspend' }],
    ['license_revoked', { kind: 'revoke' }],
    ['license_expired', { kind: 'extend', expiresAt: '2020-01-01T00:00:00.000Z' }],
  ])('is listed as %s, alone and in a batch', async ([code, what], { app, admin }) => {
    const license = await issue(app, admin);
    await change(app, license.id, what);
    const machines = [machine(), machine(), machine(), machine(), machine(), machine(), machine(), machine()];
    await acquire(app, admin, license.key, machines[0]);
    await Promise.all(machines.map((hardwareId) => acquire(app, admin, license.key, hardwareId)));
    const rows = await listed(app, admin, license.id);
    expect(new Set(rows.map((row: { hardware_id: string }) => row.hardware_id))).toEqual(new Set(machines));
    for (const row of rows) {
      expect(row).toMatchObject({ code, active_seats: 0, max_seats: 3 });
    }
  });

  it('is counted once even if its transaction is rolled back for an Idempotency-Key', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    await acquire(app, admin, license.key, machine(), app, { 'idempotency-key': 'a refused acquire' });
    expect(await listed(app, admin, license.id)).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('is not counted for an unknown key or a revoked token', async ({ app, admin }) => {
    const before = await execute<{ rows: number }>(app.database, 'select count(*)::int as rows from seat_refusals');
    const license = await issueFull(app, admin);
    await acquire(app, admin, 'AAAAA-AAAAA-AAAAA-AAAAA');
    const body = { license_key: license.key, hardware_id: machine() };
    await app.api.post('/v1/licenses/acquire', 'not a token', body);
    await write(app);
    const after = await execute<{ rows: number }>(app.database, 'select count(*)::int as rows from seat_refusals');
    expect(after).toEqual(before);
  });

  it('is added to the row written by another process', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    const hardwareId = machine();
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    for (const atMs of [minute + 2_000, minute + 1_000]) {
      const refusals = new RefusalLog();
      refusals.note(refusedBy(admin, license.id, { hardwareId, atMs, activeSeats: atMs - minute }), 0);
      await writeRefusals({ database: app.database, outbox: silent, refusals });
    }
    expect(await listed(app, admin, license.id)).toEqual([
      expect.objectContaining({
        count: 2,
        first_at: new Date(minute + 1_000).toISOString(),
        last_at: new Date(minute + 2_000).toISOString(),
        active_seats: 2_000,
      }),
    ]);
  });

  it('is answered while the database cannot write refusals, and written later', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    const refusals = new RefusalLog();
    refusals.note(refusedBy(admin, license.id), 0);
    const away = {
      ...app.database,
      transaction: () => Promise.reject(new DatabaseUnavailable('the database is away')),
    } as unknown as TestApp['database'];
    await expect(writeRefusals({ database: away, outbox: silent, refusals })).rejects.toThrow('away');
    expect(await writeRefusals({ database: app.database, outbox: silent, refusals })).toBe(true);
    expect(await listed(app, admin, license.id)).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('is written when the process stops', async ({ app, admin }) => {
    const stopping = await startTestApp({ beside: app });
    const license = await issueFull(app, admin);
    await acquire(app, admin, license.key, machine(), stopping);
    await stopping.close();
    const rows = await execute(app.database, 'select id from seat_refusals where license_id = $1', [license.id]);
    expect(rows).toHaveLength(1);
  });

  it('leaves nothing behind in an organization that is erased in the meantime', async ({ app, admin }) => {
    const refusals = new RefusalLog();
    refusals.note(refusedBy(admin, 'lic_gone', { organizationId: 'org_gone' }), 0);
    await writeRefusals({ database: app.database, outbox: silent, refusals });
    for (const table of ['seat_refusals', 'seat_refusal_announcements']) {
      expect(await execute(app.database, `select 1 from ${table} where organization_id = 'org_gone'`)).toEqual([]);
    }
  });

  it('writes a limited number of rows, however many machines are refused in a minute', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    const refusals = new RefusalLog();
    const atMs = Math.floor(Date.now() / 60_000) * 60_000;
    for (let n = 0; n < 10_000; n += 1) {
      refusals.note(refusedBy(admin, license.id, { hardwareId: `hw_${String(n).padStart(32, '0')}`, atMs }), 0);
    }
    while (await writeRefusals({ database: app.database, outbox: silent, refusals })) {
      // There is more.
    }
    const [row] = await execute<{ rows: number; refused: number }>(
      app.database,
      'select count(*)::int as rows, sum(count)::int as refused from seat_refusals where license_id = $1',
      [license.id],
    );
    expect(row).toEqual({ rows: MOST_MACHINES + 1, refused: 10_000 });
    const shared = await execute(
      app.database,
      'select user_id, hardware_id, count::int as count from seat_refusals where license_id = $1 and count > 1',
      [license.id],
    );
    expect(shared).toEqual([{ user_id: null, hardware_id: null, count: 10_000 - MOST_MACHINES }]);
  });
});

describe('the list of refusals', () => {
  it('filters by code, user, machine and time, and sorts by the last time', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    const [first, later] = [machine(), machine()];
    await acquire(app, admin, license.key, first);
    await app.moveClock(admin.organizationId, 120);
    await change(app, license.id, { kind: 'suspend' });
    await acquire(app, admin, license.key, later);
    const machines = async (query: string) =>
      (await listed(app, admin, license.id, query)).map((row: { hardware_id: string }) => row.hardware_id);
    const [newest, oldest] = await listed(app, admin, license.id);
    expect(await machines('')).toEqual([later, first]);
    expect(await machines('?sort=last_at')).toEqual([first, later]);
    expect(await machines('?code=license_suspended')).toEqual([later]);
    expect(await machines(`?hardware_id=${first}`)).toEqual([first]);
    expect(await machines(`?user_id=${admin.userId}`)).toEqual([later, first]);
    expect(await machines('?user_id=usr_other')).toEqual([]);
    expect(await machines(`?created_after=${oldest.first_at}`)).toEqual([later]);
    expect(await machines(`?created_before=${newest.first_at}`)).toEqual([first]);
    const unknown = await app.api.get(`/v1/licenses/${license.id}/refusals?code=not_found`, admin.accessToken);
    expect(unknown.status).toBe(400);
  });

  it('shows members no names, and other organizations nothing', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    await acquire(app, admin, license.key);
    const grace = await joinOrganization(app, admin);
    const headers = { 'x-organization-id': admin.organizationId };
    const [row] = await listed(app, admin, license.id, '', grace.accessToken, headers);
    expect(row.user_id).toBe(admin.userId);
    expect(row).not.toHaveProperty('user');
    const bob = await app.register('Bob');
    const answer = await app.api.get(`/v1/licenses/${license.id}/refusals`, bob.accessToken);
    expect(answer.body.error.code).toBe('not_found');
  });

  it('deletes refusals after their retention', async () => {
    const app = await startAppForTest();
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId);
    for (const days of [31, 29]) {
      await execute(
        app.database,
        `insert into seat_refusals (organization_id, id, license_id, code, count, first_at, last_at, active_seats, max_seats)
          select $1, $2, $3, 'no_seats_available', 1, t, t, 1, 1
          from (select clock_timestamp() - $4 * interval '1 day' as t) n`,
        [bob.organizationId, `ref_0000000000000000000000000${days % 10}`, license.id, days],
      );
    }
    await app.runJob('licensing.delete-old-refusals');
    const left = await execute<{ id: string }>(app.database, 'select id from seat_refusals');
    expect(left.map(({ id }) => id)).toEqual(['ref_00000000000000000000000009']);
  });
});

describe('license.seat.refused', () => {
  it('is announced at most once a minute per license and code, across all processes', async ({
    app,
    second,
    admin,
  }) => {
    const license = await issueFull(app, admin);
    const startedAt = Date.now();
    for (const target of [app, second, app, second]) {
      await acquire(app, admin, license.key, machine(), target);
      await write(app, target);
    }
    const minutes = Math.floor((Date.now() - startedAt) / 60_000);
    const before = (await eventsOf(app, license.id)).length;
    expect(before).toBeGreaterThanOrEqual(1);
    expect(before).toBeLessThanOrEqual(1 + minutes);
    await change(app, license.id, { kind: 'suspend' });
    await acquire(app, admin, license.key);
    await write(app);
    expect((await eventsOf(app, license.id)).at(-1)?.object.code).toBe('license_suspended');
    await app.moveClock(admin.organizationId, 61);
    await acquire(app, admin, license.key, machine(), second);
    await write(app, second);
    expect(await eventsOf(app, license.id)).toHaveLength(before + 2);
  });

  it('shows the refusal like the list does, without names', async ({ app, admin }) => {
    const license = await issueFull(app, admin);
    await acquire(app, admin, license.key);
    const [{ user, ...row }] = await listed(app, admin, license.id);
    expect(user).toMatchObject({ email: admin.email });
    expect(await eventsOf(app, license.id)).toEqual([{ object: { ...row, license_id: license.id } }]);
  });
});
