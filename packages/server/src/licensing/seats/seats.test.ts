import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';

let test: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register();
});
afterAll(() => test.close());

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (key: string, hardwareId = machine(), token = ada.accessToken, headers = {}) =>
  test.api.post('/v1/licenses/acquire', token, { license_key: key, hardware_id: hardwareId }, headers);
const heartbeat = (id: string, token = ada.accessToken) =>
  test.api.post('/v1/licenses/heartbeat', token, { session_id: id });
const release = (id: string, token = ada.accessToken) =>
  test.api.post('/v1/licenses/release', token, { session_id: id });
const issue = (terms: object = {}) => test.issueLicense(ada.organizationId, terms);
const typesOf = async (licenseId: string) =>
  (
    await execute<{ type: string }>(
      test.database,
      "select type from events where object->>'license_id' = $1 order by id",
      [licenseId],
    )
  ).map((row) => row.type);
const activeSeats = async (licenseId: string) =>
  (await test.api.get(`/v1/licenses/${licenseId}`, ada.accessToken)).body.data.active_seats;

describe('acquire', () => {
  it('takes a seat and tells of it', async () => {
    const license = await issue();
    const taken = await acquire(license.key);
    expect(taken.status).toBe(201);
    expect(taken.body.data.heartbeat_interval).toBe(60);
    expect(await typesOf(license.id)).toEqual(['license.seat.acquired']);
    const detail = await test.api.get(`/v1/licenses/${license.id}`, ada.accessToken);
    expect(detail.body.data).toMatchObject({ active_seats: 1, available_seats: 2, status: 'active' });
    expect(detail.body.data.sessions[0].id).toBe(taken.body.data.session_id);
  });

  it('gives the same machine the same session, no second seat and no second event', async () => {
    const license = await issue();
    const hardwareId = machine();
    const first = await acquire(license.key, hardwareId);
    const again = await acquire(license.key.toLowerCase(), hardwareId);
    expect(again.status).toBe(200);
    expect(again.body.data.session_id).toBe(first.body.data.session_id);
    expect(await activeSeats(license.id)).toBe(1);
    expect(await typesOf(license.id)).toEqual(['license.seat.acquired']);
  });

  it('refuses when all seats are taken, and announces the last one once', async () => {
    const license = await issue({ maxSeats: 2 });
    await acquire(license.key);
    await acquire(license.key);
    const refused = await acquire(license.key);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'no_seats_available',
      details: { max_seats: 2, active_seats: 2 },
    });
    expect(await typesOf(license.id)).toEqual([
      'license.seat.acquired',
      'license.seat.acquired',
      'license.seats.exhausted',
    ]);
  });

  it.each([
    ['an unknown key', 'AAAAA-AAAAA-AAAAA-AAAAA'],
    ['a key with a wrong check character', undefined],
    ['no key at all', 'x'],
  ])('answers not_found for %s', async (_what, key) => {
    const license = await issue();
    const last = license.key.at(-1) === 'Z' ? 'Y' : 'Z';
    const answer = await acquire(key ?? license.key.slice(0, -1) + last);
    expect(answer.status).toBe(404);
    expect(answer.body.error.details.resource).toBe('license');
  });

  it('answers not_found for another organization’s key', async () => {
    const license = await issue();
    const eve = await test.register('Eve');
    expect((await acquire(license.key, machine(), eve.accessToken)).status).toBe(404);
  });

  it.each(['hw_short', 'hw_ABCDEF0123456789abcdef0123456789', '', `hw_${'a'.repeat(33)}`])(
    'answers invalid_hardware_id for %j',
    async (hardwareId) => {
      const license = await issue();
      const answer = await acquire(license.key, hardwareId);
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatchObject({
        code: 'invalid_hardware_id',
        details: { expected_format: 'hw_[a-z0-9]{32}' },
      });
    },
  );

  it('keeps metadata up to its bounds and refuses more', async () => {
    const license = await issue();
    const ask = (metadata: unknown) =>
      test.api.post('/v1/licenses/acquire', ada.accessToken, {
        license_key: license.key,
        hardware_id: machine(),
        metadata,
      });
    expect((await ask({ host: 'a'.repeat(8000), deep: { list: [1] } })).status).toBe(201);
    expect((await ask({ host: 'a'.repeat(8192) })).body.error.details).toEqual({ field: 'metadata', reason: 'length' });
    expect(
      (await ask(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])))).body.error.details.field,
    ).toBe('metadata');
    expect((await ask('text')).body.error.details).toEqual({ field: 'metadata', reason: 'type' });
    const sessions = await test.api.get(`/v1/licenses/${license.id}/sessions`, ada.accessToken);
    expect(sessions.body.data[0].metadata.deep).toEqual({ list: [1] });
  });

  it('refuses a license that expired, to the clock and before any job ran', async () => {
    const license = await issue({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    const bob = await test.register('Bob');
    const theirs = await test.issueLicense(bob.organizationId, {
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    await test.moveClock(bob.organizationId, 61);
    const refused = await acquire(theirs.key, machine(), bob.accessToken);
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('license_expired');
    expect(refused.body.error.details.expired_at).toMatch(/Z$/);
    expect((await acquire(license.key)).status).toBe(201);
  });

  it('gives 50 requests of one machine one seat', async () => {
    const license = await issue({ maxSeats: 50 });
    const hardwareId = machine();
    const answers = await Promise.all(Array.from({ length: 50 }, () => acquire(license.key, hardwareId)));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    expect(new Set(answers.map((each) => each.body.data.session_id)).size).toBe(1);
    expect(await activeSeats(license.id)).toBe(1);
  });

  it('gives 1,000 that want the last seat one 201 and 999 refusals', async () => {
    const license = await issue({ maxSeats: 2 });
    await acquire(license.key);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => acquire(license.key)));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    expect(answers.filter((each) => each.body.error?.code === 'no_seats_available')).toHaveLength(999);
    expect((await typesOf(license.id)).filter((type) => type === 'license.seats.exhausted')).toHaveLength(1);
  });

  it('answers a retry with the same Idempotency-Key with the same session and the same bytes', async () => {
    const license = await issue();
    const hardwareId = machine();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acquire(license.key, hardwareId, ada.accessToken, headers)),
    );
    const first = answers.find((each) => each.headers.get('idempotency-replayed') === null);
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.body.data).toEqual(first?.body.data);
    }
    expect(answers.filter((each) => each.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
    const other = await acquire(license.key, machine(), ada.accessToken, headers);
    expect(other.body.error.code).toBe('idempotency_key_reused');
    expect(await activeSeats(license.id)).toBe(1);
  });
});

describe('heartbeat and release', () => {
  it('keeps a session alive for as long as heartbeats come', async () => {
    const bob = await test.register('Bob');
    const license = await test.issueLicense(bob.organizationId);
    const { session_id: id } = (await acquire(license.key, machine(), bob.accessToken)).body.data;
    for (let minute = 0; minute < 10; minute += 1) {
      await test.moveClock(bob.organizationId, 100);
      await test.runJobs();
      expect((await heartbeat(id, bob.accessToken)).status).toBe(200);
    }
  });

  it('times a silent session out at its timeout: for reads, heartbeats, releases and the next acquire', async () => {
    const bob = await test.register('Bob');
    const license = await test.issueLicense(bob.organizationId, { maxSeats: 1 });
    const { session_id: id } = (await acquire(license.key, machine(), bob.accessToken)).body.data;
    await test.moveClock(bob.organizationId, 179);
    expect((await acquire(license.key, machine(), bob.accessToken)).status).toBe(409);
    await test.moveClock(bob.organizationId, 2);
    const detail = await test.api.get(`/v1/licenses/${license.id}`, bob.accessToken);
    expect(detail.body.data).toMatchObject({ active_seats: 0, sessions: [] });
    const late = await heartbeat(id, bob.accessToken);
    expect(late.status).toBe(409);
    expect(late.body.error.code).toBe('session_timeout');
    expect(Date.parse(late.body.error.details.timeout_at) - Date.parse(late.body.error.details.last_heartbeat)).toBe(
      180_000,
    );
    expect((await release(id, bob.accessToken)).body.error.code).toBe('session_timeout');
    expect((await acquire(license.key, machine(), bob.accessToken)).status).toBe(201);
    expect((await heartbeat(id, bob.accessToken)).body.error.code).toBe('session_timeout');
    await test.runJobs();
    expect(await typesOf(license.id)).toEqual([
      'license.seat.acquired',
      'license.seats.exhausted',
      'license.seat.timeout',
      'license.seat.acquired',
      'license.seats.exhausted',
    ]);
  });

  it('lets the reaper free a silent seat and announce it once', async () => {
    const bob = await test.register('Bob');
    const license = await test.issueLicense(bob.organizationId);
    await acquire(license.key, machine(), bob.accessToken);
    await test.moveClock(bob.organizationId, 181);
    await Promise.all([test.runJobs(), test.runJobs(), test.runJobs()]);
    expect(await typesOf(license.id)).toEqual(['license.seat.acquired', 'license.seat.timeout']);
    const sessions = await test.api.get(`/v1/licenses/${license.id}/sessions?status=timed_out`, bob.accessToken);
    expect(sessions.body.data).toHaveLength(1);
  });

  it('starts a new session when a machine comes back after its timeout', async () => {
    const bob = await test.register('Bob');
    const license = await test.issueLicense(bob.organizationId, { maxSeats: 1 });
    const hardwareId = machine();
    const first = await acquire(license.key, hardwareId, bob.accessToken);
    await test.moveClock(bob.organizationId, 181);
    const second = await acquire(license.key, hardwareId, bob.accessToken);
    expect(second.status).toBe(201);
    expect(second.body.data.session_id).not.toBe(first.body.data.session_id);
  });

  it('frees a released seat at once; releasing again answers the first release', async () => {
    const license = await issue({ maxSeats: 1 });
    const { session_id: id } = (await acquire(license.key)).body.data;
    const first = await release(id);
    expect(first.body.data).toMatchObject({ session_id: id, status: 'released' });
    expect((await acquire(license.key)).status).toBe(201);
    const again = await release(id);
    expect(again.status).toBe(200);
    expect(again.body.data.released_at).toBe(first.body.data.released_at);
    expect((await heartbeat(id)).body.error).toMatchObject({
      code: 'session_released',
      details: { released_at: first.body.data.released_at },
    });
    expect((await typesOf(license.id)).filter((type) => type === 'license.seat.released')).toHaveLength(1);
  });

  it('hides sessions of other organizations and refuses those of other members', async () => {
    const license = await issue();
    const { session_id: id } = (await acquire(license.key)).body.data;
    const eve = await test.register('Eve');
    expect((await heartbeat(id, eve.accessToken)).status).toBe(404);
    expect((await release(id, eve.accessToken)).status).toBe(404);
    await execute(
      test.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at) values ($1, $2, 'Test', 'member', clock_timestamp())`,
      [ada.organizationId, eve.userId],
    );
    const inAda = { 'x-organization-id': ada.organizationId };
    const refused = await test.api.post('/v1/licenses/release', eve.accessToken, { session_id: id }, inAda);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const hers = await test.api.post(
      '/v1/licenses/acquire',
      eve.accessToken,
      { license_key: license.key, hardware_id: machine() },
      inAda,
    );
    expect((await release(hers.body.data.session_id)).status).toBe(200);
  });

  it('answers not_found for sessions that never were', async () => {
    expect((await heartbeat('sess_00000000000000000000000000')).status).toBe(404);
    expect((await release('nonsense')).status).toBe(404);
  });

  it('answers 100 heartbeats and releases of one session at once consistently', async () => {
    const license = await issue();
    const { session_id: id } = (await acquire(license.key)).body.data;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? heartbeat(id) : release(id))),
    );
    expect(answers.filter((each) => ![200, 409].includes(each.status))).toEqual([]);
    expect((await typesOf(license.id)).filter((type) => type === 'license.seat.released')).toHaveLength(1);
    expect(await activeSeats(license.id)).toBe(0);
  });
});
