import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (
  app: TestApp,
  admin: Member,
  key: string,
  hardwareId = machine(),
  token = admin.accessToken,
  headers = {},
) => app.api.post('/v1/licenses/acquire', token, { license_key: key, hardware_id: hardwareId }, headers);
const heartbeat = (app: TestApp, admin: Member, id: string, token = admin.accessToken) =>
  app.api.post('/v1/licenses/heartbeat', token, { session_id: id });
const release = (app: TestApp, admin: Member, id: string, token = admin.accessToken) =>
  app.api.post('/v1/licenses/release', token, { session_id: id });
const issue = (app: TestApp, admin: Member, terms: object = {}) => app.issueLicense(admin.organizationId, terms);
const typesOf = async (app: TestApp, licenseId: string) =>
  (
    await execute<{ type: string }>(
      app.database,
      "select type from events where object->>'license_id' = $1 order by id",
      [licenseId],
    )
  ).map((row) => row.type);
const activeSeats = async (app: TestApp, admin: Member, licenseId: string) =>
  (await app.api.get(`/v1/licenses/${licenseId}`, admin.accessToken)).body.data.active_seats;

describe('acquire', () => {
  it('takes a seat and announces it', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const taken = await acquire(app, admin, license.key);
    expect(taken.status).toBe(201);
    expect(taken.body.data.heartbeat_interval).toBe(60);
    expect(await typesOf(app, license.id)).toEqual(['license.seat.acquired']);
    const detail = await app.api.get(`/v1/licenses/${license.id}`, admin.accessToken);
    expect(detail.body.data).toMatchObject({ active_seats: 1, available_seats: 2, status: 'active' });
    expect(detail.body.data.sessions[0].id).toBe(taken.body.data.session_id);
  });

  it('returns the existing session if the same machine asks again, without a second seat or event', async ({
    app,
    admin,
  }) => {
    const license = await issue(app, admin);
    const hardwareId = machine();
    const first = await acquire(app, admin, license.key, hardwareId);
    const again = await acquire(app, admin, license.key.toLowerCase(), hardwareId);
    expect(again.status).toBe(200);
    expect(again.body.data.session_id).toBe(first.body.data.session_id);
    expect(await activeSeats(app, admin, license.id)).toBe(1);
    expect(await typesOf(app, license.id)).toEqual(['license.seat.acquired']);
  });

  it('refuses if all seats are taken, and announces the last one once', async ({ app, admin }) => {
    const license = await issue(app, admin, { maxSeats: 2 });
    await acquire(app, admin, license.key);
    await acquire(app, admin, license.key);
    const refused = await acquire(app, admin, license.key);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'no_seats_available',
      details: { max_seats: 2, active_seats: 2 },
    });
    expect(await typesOf(app, license.id)).toEqual([
      'license.seat.acquired',
      'license.seat.acquired',
      'license.seats.exhausted',
    ]);
  });

  it.for([
    ['an unknown key', 'AAAAA-AAAAA-AAAAA-AAAAA'],
    ['a key with a wrong check character', undefined],
    ['no key at all', 'x'],
  ] as const)('returns not_found for %s', async ([_what, key], { app, admin }) => {
    const license = await issue(app, admin);
    const last = license.key.at(-1) === 'Z' ? 'Y' : 'Z';
    const answer = await acquire(app, admin, key ?? license.key.slice(0, -1) + last);
    expect(answer.status).toBe(404);
    expect(answer.body.error.details.resource).toBe('license');
  });

  it('returns not_found for another organization’s key', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const eve = await app.register('Eve');
    expect((await acquire(app, admin, license.key, machine(), eve.accessToken)).status).toBe(404);
  });

  it.for(['hw_short', 'hw_ABCDEF0123456789abcdef0123456789', '', `hw_${'a'.repeat(33)}`])(
    'returns invalid_hardware_id for %j',
    async (hardwareId, { app, admin }) => {
      const license = await issue(app, admin);
      const answer = await acquire(app, admin, license.key, hardwareId);
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatchObject({
        code: 'invalid_hardware_id',
        details: { expected_format: 'hw_[a-z0-9]{32}' },
      });
    },
  );

  it('accepts metadata up to its limits and refuses more', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const ask = (metadata: unknown) =>
      app.api.post('/v1/licenses/acquire', admin.accessToken, {
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
    const sessions = await app.api.get(`/v1/licenses/${license.id}/sessions`, admin.accessToken);
    expect(sessions.body.data[0].metadata.deep).toEqual({ list: [1] });
  });

  it('refuses a license the moment it expires, before any job has run', async ({ app, admin }) => {
    const license = await issue(app, admin, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    const bob = await app.register('Bob');
    const theirs = await app.issueLicense(bob.organizationId, {
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    await app.moveClock(bob.organizationId, 61);
    const refused = await acquire(app, admin, theirs.key, machine(), bob.accessToken);
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('license_expired');
    expect(refused.body.error.details.expired_at).toMatch(/Z$/);
    expect((await acquire(app, admin, license.key)).status).toBe(201);
  });

  it('grants one seat to 50 requests from one machine', async ({ app, admin }) => {
    const license = await issue(app, admin, { maxSeats: 50 });
    const hardwareId = machine();
    const answers = await Promise.all(Array.from({ length: 50 }, () => acquire(app, admin, license.key, hardwareId)));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    expect(new Set(answers.map((each) => each.body.data.session_id)).size).toBe(1);
    expect(await activeSeats(app, admin, license.id)).toBe(1);
  });

  it('answers 1,000 requests for the last seat with one 201 and 999 refusals', async ({ app, admin }) => {
    const license = await issue(app, admin, { maxSeats: 2 });
    await acquire(app, admin, license.key);
    const answers = await Promise.all(Array.from({ length: 1000 }, () => acquire(app, admin, license.key)));
    expect(answers.filter((each) => each.status === 201)).toHaveLength(1);
    expect(answers.filter((each) => each.body.error?.code === 'no_seats_available')).toHaveLength(999);
    expect((await typesOf(app, license.id)).filter((type) => type === 'license.seats.exhausted')).toHaveLength(1);
  });

  it('returns the same session and the same bytes for a retry with the same Idempotency-Key', async ({
    app,
    admin,
  }) => {
    const license = await issue(app, admin);
    const hardwareId = machine();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => acquire(app, admin, license.key, hardwareId, admin.accessToken, headers)),
    );
    const first = answers.find((each) => each.headers.get('idempotency-replayed') === null);
    for (const answer of answers) {
      expect(answer.status).toBe(201);
      expect(answer.body.data).toEqual(first?.body.data);
    }
    expect(answers.filter((each) => each.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
    const other = await acquire(app, admin, license.key, machine(), admin.accessToken, headers);
    expect(other.body.error.code).toBe('idempotency_key_reused');
    expect(await activeSeats(app, admin, license.id)).toBe(1);
  });
});

describe('heartbeat and release', () => {
  it('keeps a session alive while heartbeats arrive', async ({ app, admin }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId);
    const { session_id: id } = (await acquire(app, admin, license.key, machine(), bob.accessToken)).body.data;
    for (let minute = 0; minute < 10; minute += 1) {
      await app.moveClock(bob.organizationId, 100);
      await app.runJobs();
      expect((await heartbeat(app, admin, id, bob.accessToken)).status).toBe(200);
    }
  });

  it('treats a silent session as ended at its timeout: for reads, heartbeats, releases and the next acquire', async ({
    app,
    admin,
  }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId, { maxSeats: 1 });
    const { session_id: id } = (await acquire(app, admin, license.key, machine(), bob.accessToken)).body.data;
    await app.moveClock(bob.organizationId, 179);
    expect((await acquire(app, admin, license.key, machine(), bob.accessToken)).status).toBe(409);
    await app.moveClock(bob.organizationId, 2);
    const detail = await app.api.get(`/v1/licenses/${license.id}`, bob.accessToken);
    expect(detail.body.data).toMatchObject({ active_seats: 0, sessions: [] });
    const late = await heartbeat(app, admin, id, bob.accessToken);
    expect(late.status).toBe(409);
    expect(late.body.error.code).toBe('session_timeout');
    expect(Date.parse(late.body.error.details.timeout_at) - Date.parse(late.body.error.details.last_heartbeat)).toBe(
      180_000,
    );
    expect((await release(app, admin, id, bob.accessToken)).body.error.code).toBe('session_timeout');
    expect((await acquire(app, admin, license.key, machine(), bob.accessToken)).status).toBe(201);
    expect((await heartbeat(app, admin, id, bob.accessToken)).body.error.code).toBe('session_timeout');
    await app.runJobs();
    expect(await typesOf(app, license.id)).toEqual([
      'license.seat.acquired',
      'license.seats.exhausted',
      'license.seat.timeout',
      'license.seat.acquired',
      'license.seats.exhausted',
      'license.seat.refused',
    ]);
  });

  it('lets the reaper free a silent seat and announce it once', async ({ app, admin }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId);
    await acquire(app, admin, license.key, machine(), bob.accessToken);
    await app.moveClock(bob.organizationId, 181);
    await Promise.all([app.runJobs(), app.runJobs(), app.runJobs()]);
    expect(await typesOf(app, license.id)).toEqual(['license.seat.acquired', 'license.seat.timeout']);
    const sessions = await app.api.get(`/v1/licenses/${license.id}/sessions?status=timed_out`, bob.accessToken);
    expect(sessions.body.data).toHaveLength(1);
  });

  it('starts a new session when a machine returns after its timeout', async ({ app, admin }) => {
    const bob = await app.register('Bob');
    const license = await app.issueLicense(bob.organizationId, { maxSeats: 1 });
    const hardwareId = machine();
    const first = await acquire(app, admin, license.key, hardwareId, bob.accessToken);
    await app.moveClock(bob.organizationId, 181);
    const second = await acquire(app, admin, license.key, hardwareId, bob.accessToken);
    expect(second.status).toBe(201);
    expect(second.body.data.session_id).not.toBe(first.body.data.session_id);
  });

  it('frees a released seat immediately, and returns the first release again when repeated', async ({ app, admin }) => {
    const license = await issue(app, admin, { maxSeats: 1 });
    const { session_id: id } = (await acquire(app, admin, license.key)).body.data;
    const first = await release(app, admin, id);
    expect(first.body.data).toMatchObject({ session_id: id, status: 'released' });
    expect((await acquire(app, admin, license.key)).status).toBe(201);
    const again = await release(app, admin, id);
    expect(again.status).toBe(200);
    expect(again.body.data.released_at).toBe(first.body.data.released_at);
    expect((await heartbeat(app, admin, id)).body.error).toMatchObject({
      code: 'session_released',
      details: { released_at: first.body.data.released_at },
    });
    expect((await typesOf(app, license.id)).filter((type) => type === 'license.seat.released')).toHaveLength(1);
  });

  it('hides sessions of other organizations and refuses those of other members', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const { session_id: id } = (await acquire(app, admin, license.key)).body.data;
    const eve = await app.register('Eve');
    expect((await heartbeat(app, admin, id, eve.accessToken)).status).toBe(404);
    expect((await release(app, admin, id, eve.accessToken)).status).toBe(404);
    await execute(
      app.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at) values ($1, $2, 'Test', 'member', clock_timestamp())`,
      [admin.organizationId, eve.userId],
    );
    const inAda = { 'x-organization-id': admin.organizationId };
    const refused = await app.api.post('/v1/licenses/release', eve.accessToken, { session_id: id }, inAda);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const hers = await app.api.post(
      '/v1/licenses/acquire',
      eve.accessToken,
      { license_key: license.key, hardware_id: machine() },
      inAda,
    );
    expect((await release(app, admin, hers.body.data.session_id)).status).toBe(200);
  });

  it('returns not_found for unknown sessions', async ({ app, admin }) => {
    expect((await heartbeat(app, admin, 'sess_00000000000000000000000000')).status).toBe(404);
    expect((await release(app, admin, 'nonsense')).status).toBe(404);
  });

  it('answers 100 simultaneous heartbeats and releases of one session consistently', async ({ app, admin }) => {
    const license = await issue(app, admin);
    const { session_id: id } = (await acquire(app, admin, license.key)).body.data;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? heartbeat(app, admin, id) : release(app, admin, id))),
    );
    expect(answers.filter((each) => ![200, 409].includes(each.status))).toEqual([]);
    expect((await typesOf(app, license.id)).filter((type) => type === 'license.seat.released')).toHaveLength(1);
    expect(await activeSeats(app, admin, license.id)).toBe(0);
  });
});
