import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { describe, expect } from 'vitest';
import { createSilentLicenseTools } from '../../../test/harness/create-silent-license-tools.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantWaits } from '../../../test/harness/plant-waits.ts';
import { listSeatFaults } from '../index.ts';
import { changeLicense } from '../licenses/change-license.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'off' } });

const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const ask = (app: TestApp, token: string, key: string, hardwareId: string, more: object = {}) =>
  app.api.post('/v1/licenses/acquire', token, { license_key: key, hardware_id: hardwareId, ...more });
const join = (app: TestApp, token: string, key: string, hardwareId = machine(), more: object = {}) =>
  ask(app, token, key, hardwareId, { wait_seconds: 600, ...more });
const look = (app: TestApp, token: string, waitId: string, timeout = 0) =>
  app.api.get(`/v1/licenses/waits/${waitId}?timeout=${timeout}`, token);
const release = (app: TestApp, token: string, sessionId: string) =>
  app.api.post('/v1/licenses/release', token, { session_id: sessionId });

/** A license whose only seat is taken. */
async function issueFull(app: TestApp, by: Member, terms: object = {}) {
  const license = await app.issueLicense(by.organizationId, { maxSeats: 1, ...terms });
  const held = await ask(app, by.accessToken, license.key, machine());
  expect(held.status).toBe(201);
  return { ...license, sessionId: String(held.body.data.session_id) };
}

describe('the line for a seat', () => {
  it('accepts 2,000 machines, refuses the next one, and accepts another when one leaves', async ({ app, ada }) => {
    const { id, key } = await issueFull(app, ada);
    await plantWaits(app, ada, id, 1_999);
    const hardwareId = machine();
    const last = await join(app, ada.accessToken, key, hardwareId);
    expect([last.status, last.body.data.position]).toEqual([202, 2_000]);
    const refused = await join(app, ada.accessToken, key);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'no_seats_available']);
    expect((await join(app, ada.accessToken, key, hardwareId)).status).toBe(202);
    await app.api.call('DELETE', `/v1/licenses/waits/wait_${'1'.padStart(26, '0')}`, { token: ada.accessToken });
    expect((await join(app, ada.accessToken, key)).body.data.position).toBe(2_000);
  });

  it('is joined at its end, and a retry keeps the position', async ({ app, ada }) => {
    const { key } = await issueFull(app, ada);
    const hardwareId = machine();
    const first = await join(app, ada.accessToken, key, hardwareId);
    expect(first.status).toBe(202);
    expect(first.body.data).toMatchObject({
      wait_id: expect.stringMatching(/^wait_/),
      position: 1,
      poll_after_seconds: 1,
    });
    expect((await join(app, ada.accessToken, key)).body.data.position).toBe(2);
    const again = await join(app, ada.accessToken, key, hardwareId);
    expect([again.status, again.body.data]).toEqual([202, first.body.data]);
    expect((await look(app, ada.accessToken, first.body.data.wait_id)).body.data).toEqual({
      ...first.body.data,
      status: 'waiting',
    });
  });

  it('grants a free seat without waiting', async ({ app, ada }) => {
    const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    expect((await join(app, ada.accessToken, key)).status).toBe(201);
  });

  it('hands a released seat immediately to the first machine, whose request is waiting', async ({ app, ada }) => {
    const { id, key, sessionId } = await issueFull(app, ada);
    const hardwareId = machine();
    const { wait_id: waitId } = (await join(app, ada.accessToken, key, hardwareId)).body.data;
    const second = (await join(app, ada.accessToken, key)).body.data;
    const waiting = look(app, ada.accessToken, waitId, 25);
    expect((await release(app, ada.accessToken, sessionId)).status).toBe(200);
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ wait_id: waitId, status: 'granted', heartbeat_interval: expect.any(Number) });
    expect(decodeJwt(body.data.license_token)).toMatchObject({ jti: body.data.session_id, hw: hardwareId, lic: id });
    expect((await look(app, ada.accessToken, second.wait_id)).body.data).toMatchObject({
      status: 'waiting',
      position: 1,
    });
    // The response may have been lost, so asking again returns the same session.
    const again = (await look(app, ada.accessToken, waitId)).body.data;
    expect(again).toMatchObject({ status: 'granted', session_id: body.data.session_id });
    await release(app, ada.accessToken, again.session_id);
    const ended = await look(app, ada.accessToken, waitId);
    expect([ended.status, ended.body.error.code]).toEqual([409, 'session_released']);
    expect(await listSeatFaults(app.database)).toEqual([]);
  });

  it('lets no one overtake, with or without wait_seconds, while a seat is reserved for the head of the line', async ({
    app,
    ada,
  }) => {
    const { key, sessionId } = await issueFull(app, ada);
    const { wait_id: waitId } = (await join(app, ada.accessToken, key)).body.data;
    await release(app, ada.accessToken, sessionId);
    const plain = await ask(app, ada.accessToken, key, machine());
    expect([plain.status, plain.body.error.code]).toEqual([409, 'no_seats_available']);
    expect((await join(app, ada.accessToken, key)).body.data.position).toBe(2);
    expect((await look(app, ada.accessToken, waitId)).body.data.status).toBe('granted');
  });

  it('leaves seats that the line does not need to other machines', async ({ app, ada }) => {
    const { id, key } = await issueFull(app, ada);
    const { wait_id: waitId } = (await join(app, ada.accessToken, key)).body.data;
    await changeLicense(createSilentLicenseTools(app.database), id, { kind: 'resize', maxSeats: 3 });
    expect((await ask(app, ada.accessToken, key, machine())).status).toBe(201);
    expect((await ask(app, ada.accessToken, key, machine())).status).toBe(409);
    expect((await look(app, ada.accessToken, waitId)).body.data.status).toBe('granted');
  });

  it('moves on to the next machine if the first does not ask within 30 seconds', async ({ app, ada }) => {
    const { key, sessionId } = await issueFull(app, ada);
    const first = (await join(app, ada.accessToken, key)).body.data.wait_id;
    const second = (await join(app, ada.accessToken, key)).body.data.wait_id;
    await release(app, ada.accessToken, sessionId);
    await app.runJob('licensing.settle-lines');
    await app.moveClock(ada.organizationId, 29);
    await app.runJob('licensing.settle-lines');
    expect((await look(app, ada.accessToken, second)).body.data).toMatchObject({ status: 'waiting', position: 2 });
    await app.moveClock(ada.organizationId, 1);
    expect((await look(app, ada.accessToken, second)).body.data.status).toBe('granted');
    expect((await look(app, ada.accessToken, first)).body.data).toEqual({ wait_id: first, status: 'expired' });
  });

  it('can be left by the program, and ends after wait_seconds', async ({ app, ada }) => {
    const { key, sessionId } = await issueFull(app, ada, { sessionTimeoutSeconds: 3_600 });
    const first = (await join(app, ada.accessToken, key, machine(), { wait_seconds: 10 })).body.data.wait_id;
    const second = (await join(app, ada.accessToken, key)).body.data.wait_id;
    const third = (await join(app, ada.accessToken, key)).body.data.wait_id;
    await app.moveClock(ada.organizationId, 10);
    const status = async (id: string) => (await look(app, ada.accessToken, id)).body.data;
    expect(await status(first)).toEqual({ wait_id: first, status: 'expired' });
    const leave = () => app.api.call('DELETE', `/v1/licenses/waits/${second}`, { token: ada.accessToken });
    expect((await leave()).status).toBe(204);
    expect((await leave()).status).toBe(204);
    expect(await status(second)).toEqual({ wait_id: second, status: 'canceled', reason: 'left' });
    expect(await status(third)).toMatchObject({ status: 'waiting', position: 1 });
    await release(app, ada.accessToken, sessionId);
    expect((await status(third)).status).toBe('granted');
    const late = await app.api.call('DELETE', `/v1/licenses/waits/${third}`, { token: ada.accessToken });
    expect([late.status, late.body.error.code]).toEqual([409, 'conflict']);
  });

  it('gives the seat of a timed-out session to the first machine', async ({ app, ada }) => {
    const { key } = await issueFull(app, ada, { heartbeatIntervalSeconds: 10, sessionTimeoutSeconds: 60 });
    const { wait_id: waitId } = (await join(app, ada.accessToken, key)).body.data;
    const waiting = look(app, ada.accessToken, waitId, 25);
    // The request is waiting when the clock moves.
    await sleep(500);
    await app.moveClock(ada.organizationId, 60);
    expect((await waiting).body.data.status).toBe('granted');
  });

  it('ends with the license, and with the membership', async ({ app, ada }) => {
    const { id, key } = await issueFull(app, ada);
    const bob = await joinOrganization(app, ada, 'member');
    const headers = { 'x-organization-id': ada.organizationId };
    const body = { license_key: key, hardware_id: machine(), wait_seconds: 60 };
    const { wait_id: bobs } = (await app.api.post('/v1/licenses/acquire', bob.accessToken, body, headers)).body.data;
    const { wait_id: adas } = (await join(app, ada.accessToken, key)).body.data;
    await app.api.call('DELETE', `/v1/orgs/${ada.organizationId}/members/${bob.userId}`, { token: ada.accessToken });
    const [left] = await execute<object>(app.database, 'select status, reason from seat_waits where id = $1', [bobs]);
    expect(left).toEqual({ status: 'canceled', reason: 'member_removed' });
    expect((await look(app, ada.accessToken, adas)).body.data.position).toBe(1);
    const waiting = look(app, ada.accessToken, adas, 25);
    await changeLicense(createSilentLicenseTools(app.database), id, { kind: 'suspend' });
    expect((await waiting).body.data).toEqual({ wait_id: adas, status: 'canceled', reason: 'license_suspended' });
    expect(await listSeatFaults(app.database)).toEqual([]);
  });

  it('takes back a reserved seat that the license has lost, and keeps the position in line', async ({ app, ada }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 2 });
    const [one, two] = [
      await ask(app, ada.accessToken, license.key, machine()),
      await ask(app, ada.accessToken, license.key, machine()),
    ];
    const { wait_id: waitId } = (await join(app, ada.accessToken, license.key)).body.data;
    await release(app, ada.accessToken, one.body.data.session_id);
    await app.runJob('licensing.settle-lines');
    await changeLicense(createSilentLicenseTools(app.database), license.id, { kind: 'resize', maxSeats: 1 });
    expect((await look(app, ada.accessToken, waitId)).body.data).toMatchObject({ status: 'waiting', position: 1 });
    await app.moveClock(ada.organizationId, 40);
    expect((await look(app, ada.accessToken, waitId)).body.data.status).toBe('waiting');
    await release(app, ada.accessToken, two.body.data.session_id);
    expect((await look(app, ada.accessToken, waitId)).body.data.status).toBe('granted');
  });

  it('is open to machines activated by key, and to offline seats', async ({ app, ada }) => {
    const policy = { activation: 'key', max_offline_seconds: 3_600 } as const;
    const { key, sessionId } = await issueFull(app, ada, { policy });
    const hardwareId = machine();
    const body = { license_key: key, hardware_id: hardwareId };
    const { activation_token: token } = (await app.api.call('POST', '/v1/licenses/activate', { body })).body.data;
    const { wait_id: waitId } = (await join(app, token, key, hardwareId, { offline_seconds: 600 })).body.data;
    await release(app, ada.accessToken, sessionId);
    const granted = (await look(app, token, waitId)).body.data;
    expect(granted).toMatchObject({ status: 'granted', offline_until: granted.expires_at });
  });

  it('shows a wait only to its owner', async ({ app, ada, admin }) => {
    const { key } = await issueFull(app, ada);
    const { wait_id: waitId } = (await join(app, ada.accessToken, key)).body.data;
    const bob = await joinOrganization(app, ada, 'admin');
    const headers = { 'x-organization-id': ada.organizationId };
    const path = `/v1/licenses/waits/${waitId}`;
    for (const call of [{ token: admin.accessToken }, { token: bob.accessToken, headers }]) {
      expect((await app.api.call('GET', path, call)).body.error.code).toBe('not_found');
      expect((await app.api.call('DELETE', path, call)).body.error.code).toBe('not_found');
    }
    expect((await app.api.call('GET', path, {})).status).toBe(401);
  });

  it.for([
    ['wait_seconds', 0],
    ['wait_seconds', 3_601],
    ['wait_seconds', 1.5],
  ] as const)('400: %s %s', async ([field, value], { app, ada }) => {
    const { key } = await issueFull(app, ada);
    const answer = await ask(app, ada.accessToken, key, machine(), { [field]: value });
    expect([answer.status, answer.body.error.details.field]).toEqual([400, field]);
  });

  it('400: a timeout of more than 25 seconds', async ({ app, ada }) => {
    expect((await look(app, ada.accessToken, 'wait_1', 26)).status).toBe(400);
  });

  it('replays the response to a request with an Idempotency-Key', async ({ app, ada }) => {
    const { key } = await issueFull(app, ada);
    const body = { license_key: key, hardware_id: machine(), wait_seconds: 60 };
    const headers = { 'idempotency-key': machine() };
    const send = () => app.api.post('/v1/licenses/acquire', ada.accessToken, body, headers);
    const [one, two] = [await send(), await send()];
    expect([one.status, two.status, two.body.data]).toEqual([202, 202, one.body.data]);
  });

  it('is counted exactly in the demand', async ({ app, ada }) => {
    const { id, key } = await issueFull(app, ada);
    const waits = [await join(app, ada.accessToken, key), await join(app, ada.accessToken, key)];
    await app.api.call('DELETE', `/v1/licenses/waits/${waits[0]?.body.data.wait_id}`, { token: ada.accessToken });
    await join(app, ada.accessToken, key);
    const { data } = (await app.api.get(`/v1/licenses/${id}/demand`, ada.accessToken)).body;
    expect(data.points.at(-1)).toMatchObject({ peak: 1, refused: 0, waiting_peak: 2 });
  });

  it('is strictly in order across two processes, while others try to overtake', async ({ app, second, ada }) => {
    const { key, sessionId } = await issueFull(app, ada);
    const apps = [app, second];
    const waits: string[] = [];
    for (let number = 0; number < 40; number += 1) {
      const at = apps[number % 2] ?? app;
      waits.push((await join(at, ada.accessToken, key)).body.data.wait_id);
    }
    const order: string[] = [];
    let isOver = false;
    const intruders = apps.map(async (at) => {
      while (!isOver) {
        const { body } = await ask(at, ada.accessToken, key, machine());
        // The last in line may have released its seat during the request.
        if (!isOver) {
          expect(body.error?.code).toBe('no_seats_available');
        }
      }
    });
    const all = waits.map(async (waitId, number) => {
      const at = apps[(number + 1) % 2] ?? app;
      for (;;) {
        const { data } = (await look(at, ada.accessToken, waitId, 25)).body;
        if (data.status === 'granted') {
          order.push(waitId);
          isOver = order.length === waits.length;
          await release(at, ada.accessToken, data.session_id);
          return;
        }
        expect(data.status).toBe('waiting');
      }
    });
    await release(second, ada.accessToken, sessionId);
    await Promise.all([...all, ...intruders]);
    const granted = await execute<{ id: string }>(
      app.database,
      `select w.id from seat_waits w join seat_sessions s on s.organization_id = w.organization_id and s.id = w.session_id
       where w.organization_id = $1 order by s.started_at, w.place`,
      [ada.organizationId],
    );
    expect(granted.map(({ id }) => id)).toEqual(waits);
    expect(order).toEqual(waits);
    expect(await listSeatFaults(app.database)).toEqual([]);
  });
});
