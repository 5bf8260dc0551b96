import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { DatabaseUnavailable } from '../../database/index.ts';
import { changeLicense, type LicenseChange } from '../index.ts';
import { MOST_MACHINES, RefusalLog, type RefusedAcquire } from './refusal-log.ts';
import { writeRefusals } from './write-refusals.ts';

let test: TestApp;
let second: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await openTestApp();
  second = await openTestApp({ beside: test });
  ada = await test.register('Ada Lovelace');
});
afterAll(async () => {
  await second.close();
  await test.close();
});

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (key: string, hardwareId = machine(), { api } = test, headers = {}) =>
  api.post('/v1/licenses/acquire', ada.accessToken, { license_key: key, hardware_id: hardwareId }, headers);
const issue = (terms: object = {}) => test.issueLicense(ada.organizationId, terms);
/** A license of one seat, which is taken. */
const issueFull = async () => {
  const license = await issue({ maxSeats: 1 });
  expect((await acquire(license.key)).status).toBe(201);
  return license;
};
const write = async (app = test) => {
  while (await app.runJob('licensing.write-refusals')) {
    // There is more.
  }
};
const listed = async (licenseId: string, query = '', token = ada.accessToken, headers = {}) => {
  await write();
  const answer = await test.api.call('GET', `/v1/licenses/${licenseId}/refusals${query}`, { token, headers });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const eventsOf = (licenseId: string) =>
  execute<{ object: Record<string, unknown> }>(
    test.database,
    `select object from events where type = 'license.seat.refused' and object->>'license_id' = $1 order by id`,
    [licenseId],
  );
/** A refusal of Ada's, as acquire counts it. */
const refusedBy = (licenseId: string, given: Partial<RefusedAcquire> = {}): RefusedAcquire => ({
  organizationId: ada.organizationId,
  licenseId,
  code: 'no_seats_available',
  userId: ada.userId,
  hardwareId: machine(),
  atMs: Date.now(),
  activeSeats: 1,
  maxSeats: 1,
  ...given,
});
const silent = { announce: async () => undefined };
const change = (id: string, what: LicenseChange) => changeLicense(createSilentLicenseTools(test.database), id, what);

describe('a refused acquire', () => {
  it('is listed with its user, its machine and the seats of the license', async () => {
    const license = await issueFull();
    const hardwareId = machine();
    const before = Date.now();
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await acquire(license.key, hardwareId)).body.error.code).toBe('no_seats_available');
    }
    const rows = await listed(license.id);
    expect(rows.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(3);
    expect(rows[0]).toMatchObject({
      code: 'no_seats_available',
      user_id: ada.userId,
      hardware_id: hardwareId,
      active_seats: 1,
      max_seats: 1,
      user: { id: ada.userId, name: 'Ada Lovelace', email: ada.email },
    });
    expect(Date.parse(rows.at(-1).first_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(rows[0].last_at)).toBeLessThanOrEqual(Date.now());
  });

  it.each<[string, LicenseChange]>([
    ['license_suspended', { kind: 'suspend' }],
    ['license_revoked', { kind: 'revoke' }],
    ['license_expired', { kind: 'extend', expiresAt: '2020-01-01T00:00:00.000Z' }],
  ])('is listed as %s, alone and in a batch', async (code, what) => {
    const license = await issue();
    await change(license.id, what);
    const machines = [machine(), machine(), machine(), machine(), machine(), machine(), machine(), machine()];
    await acquire(license.key, machines[0]);
    await Promise.all(machines.map((hardwareId) => acquire(license.key, hardwareId)));
    const rows = await listed(license.id);
    expect(new Set(rows.map((row: { hardware_id: string }) => row.hardware_id))).toEqual(new Set(machines));
    for (const row of rows) {
      expect(row).toMatchObject({ code, active_seats: 0, max_seats: 3 });
    }
  });

  it('is counted once when its transaction is rolled back for an Idempotency-Key', async () => {
    const license = await issueFull();
    await acquire(license.key, machine(), test, { 'idempotency-key': 'a refused acquire' });
    expect(await listed(license.id)).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('of an unknown key, or with a token that is dead, counts for nobody', async () => {
    const before = await execute<{ rows: number }>(test.database, 'select count(*)::int as rows from seat_refusals');
    const license = await issueFull();
    await acquire('AAAAA-AAAAA-AAAAA-AAAAA');
    const body = { license_key: license.key, hardware_id: machine() };
    await test.api.post('/v1/licenses/acquire', 'not a token', body);
    await write();
    const after = await execute<{ rows: number }>(test.database, 'select count(*)::int as rows from seat_refusals');
    expect(after).toEqual(before);
  });

  it('adds to the row that another process has made', async () => {
    const license = await issueFull();
    const hardwareId = machine();
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    for (const atMs of [minute + 2_000, minute + 1_000]) {
      const refusals = new RefusalLog();
      refusals.note(refusedBy(license.id, { hardwareId, atMs, activeSeats: atMs - minute }), 0);
      await writeRefusals({ database: test.database, outbox: silent, refusals });
    }
    expect(await listed(license.id)).toEqual([
      expect.objectContaining({
        count: 2,
        first_at: new Date(minute + 1_000).toISOString(),
        last_at: new Date(minute + 2_000).toISOString(),
        active_seats: 2_000,
      }),
    ]);
  });

  it('is answered while the database cannot write refusals, and written later', async () => {
    const license = await issueFull();
    const refusals = new RefusalLog();
    refusals.note(refusedBy(license.id), 0);
    const away = {
      ...test.database,
      transaction: () => Promise.reject(new DatabaseUnavailable('the database is away')),
    } as unknown as TestApp['database'];
    await expect(writeRefusals({ database: away, outbox: silent, refusals })).rejects.toThrow('away');
    expect(await writeRefusals({ database: test.database, outbox: silent, refusals })).toBe(true);
    expect(await listed(license.id)).toEqual([expect.objectContaining({ count: 1 })]);
  });

  it('is written when the process stops', async () => {
    const stopping = await openTestApp({ beside: test });
    const license = await issueFull();
    await acquire(license.key, machine(), stopping);
    await stopping.close();
    const rows = await execute(test.database, 'select id from seat_refusals where license_id = $1', [license.id]);
    expect(rows).toHaveLength(1);
  });

  it('leaves nothing behind in an organization that is erased meanwhile', async () => {
    const refusals = new RefusalLog();
    refusals.note(refusedBy('lic_gone', { organizationId: 'org_gone' }), 0);
    await writeRefusals({ database: test.database, outbox: silent, refusals });
    for (const table of ['seat_refusals', 'seat_refusal_announcements']) {
      expect(await execute(test.database, `select 1 from ${table} where organization_id = 'org_gone'`)).toEqual([]);
    }
  });

  it('makes a bounded number of rows, however many machines are refused in a minute', async () => {
    const license = await issueFull();
    const refusals = new RefusalLog();
    const atMs = Math.floor(Date.now() / 60_000) * 60_000;
    for (let n = 0; n < 10_000; n += 1) {
      refusals.note(refusedBy(license.id, { hardwareId: `hw_${String(n).padStart(32, '0')}`, atMs }), 0);
    }
    while (await writeRefusals({ database: test.database, outbox: silent, refusals })) {
      // There is more.
    }
    const [row] = await execute<{ rows: number; refused: number }>(
      test.database,
      'select count(*)::int as rows, sum(count)::int as refused from seat_refusals where license_id = $1',
      [license.id],
    );
    expect(row).toEqual({ rows: MOST_MACHINES + 1, refused: 10_000 });
    const shared = await execute(
      test.database,
      'select user_id, hardware_id, count::int as count from seat_refusals where license_id = $1 and count > 1',
      [license.id],
    );
    expect(shared).toEqual([{ user_id: null, hardware_id: null, count: 10_000 - MOST_MACHINES }]);
  });
});

describe('the list of refusals', () => {
  it('filters by code, user, machine and time, and sorts by the last time', async () => {
    const license = await issueFull();
    const [first, later] = [machine(), machine()];
    await acquire(license.key, first);
    await test.moveClock(ada.organizationId, 120);
    await change(license.id, { kind: 'suspend' });
    await acquire(license.key, later);
    const machines = async (query: string) =>
      (await listed(license.id, query)).map((row: { hardware_id: string }) => row.hardware_id);
    const [newest, oldest] = await listed(license.id);
    expect(await machines('')).toEqual([later, first]);
    expect(await machines('?sort=last_at')).toEqual([first, later]);
    expect(await machines('?code=license_suspended')).toEqual([later]);
    expect(await machines(`?hardware_id=${first}`)).toEqual([first]);
    expect(await machines(`?user_id=${ada.userId}`)).toEqual([later, first]);
    expect(await machines('?user_id=usr_other')).toEqual([]);
    expect(await machines(`?created_after=${oldest.first_at}`)).toEqual([later]);
    expect(await machines(`?created_before=${newest.first_at}`)).toEqual([first]);
    const unknown = await test.api.get(`/v1/licenses/${license.id}/refusals?code=not_found`, ada.accessToken);
    expect(unknown.status).toBe(400);
  });

  it('shows members no names, and other organizations nothing', async () => {
    const license = await issueFull();
    await acquire(license.key);
    const grace = await joinOrganization(test, ada);
    const headers = { 'x-organization-id': ada.organizationId };
    const [row] = await listed(license.id, '', grace.accessToken, headers);
    expect(row.user_id).toBe(ada.userId);
    expect(row).not.toHaveProperty('user');
    const bob = await test.register('Bob');
    const answer = await test.api.get(`/v1/licenses/${license.id}/refusals`, bob.accessToken);
    expect(answer.body.error.code).toBe('not_found');
  });

  it('forgets refusals after their retention', async () => {
    const app = await openAppForTest();
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
  it('is announced at most once a minute for a license and a code, by all processes together', async () => {
    const license = await issueFull();
    const startedAt = Date.now();
    for (const app of [test, second, test, second]) {
      await acquire(license.key, machine(), app);
      await write(app);
    }
    const minutes = Math.floor((Date.now() - startedAt) / 60_000);
    const before = (await eventsOf(license.id)).length;
    expect(before).toBeGreaterThanOrEqual(1);
    expect(before).toBeLessThanOrEqual(1 + minutes);
    await change(license.id, { kind: 'suspend' });
    await acquire(license.key);
    await write();
    expect((await eventsOf(license.id)).at(-1)?.object.code).toBe('license_suspended');
    await test.moveClock(ada.organizationId, 61);
    await acquire(license.key, machine(), second);
    await write(second);
    expect(await eventsOf(license.id)).toHaveLength(before + 2);
  });

  it('shows the refusal as the list does, without names', async () => {
    const license = await issueFull();
    await acquire(license.key);
    const [{ user, ...row }] = await listed(license.id);
    expect(user).toMatchObject({ email: ada.email });
    expect(await eventsOf(license.id)).toEqual([{ object: { ...row, license_id: license.id } }]);
  });
});
