import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startAppForTest, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { type PlantedEndpoint, plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let endpoint: PlantedEndpoint;

beforeAll(async () => {
  receiver = await startReceiver();
  test = await startTestApp({ settings: receiver.settings });
});
afterAll(async () => {
  await test.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.behave((_received, response) => response.writeHead(200).end('ok'));
  ada = await test.register();
  endpoint = await plantEndpoint(test, ada.organizationId, receiver.url());
});

const SINCE = '2020-01-01T00:00:00.000Z';
const start = async (input: object = {}) =>
  (await test.api.post(`/v1/webhooks/${endpoint.id}/replay`, ada.accessToken, { since: SINCE, ...input })).body.data;
const read = async (id: string) =>
  (await test.api.get(`/v1/webhooks/${endpoint.id}/replays/${id}`, ada.accessToken)).body.data;
const change = (status: string) =>
  test.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status } });
/** The deliveries to this test's organization, because replays of earlier tests may still be running. */
const received = () => receiver.received.filter((each) => each.event.organization_id === ada.organizationId);
const receivedIds = () => received().map((each) => each.event.id);
const statuses = async () => {
  const counts = 'select status, count(*)::integer as n from webhook_deliveries where endpoint_id = $1 group by 1';
  const rows = await execute<{ status: string; n: number }>(test.database, counts, [endpoint.id]);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};

/** Has the next deliveries sent one after another, in the order in which they were claimed. */
const sendOneFirst = () => execute(test.database, SEND_ONE, [endpoint.id]);
const SEND_ONE = 'update webhook_endpoint_states set in_flight_limit = 1 where endpoint_id = $1';

/** Lets a replay continue and its deliveries be claimed a few times, but not to its end. */
async function advanceReplay(app: TestApp): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await app.runJob('webhooks.replay-deliveries');
    await app.runJob('webhooks.deliver-slow-lane');
    await app.runJob('webhooks.deliver-fast-lane');
  }
}

describe('a replay', () => {
  it('of 500 held deliveries delivers each once, oldest first, when the endpoint is active again', async () => {
    const held = await plantDeliveries(test, endpoint, { status: 'held', count: 500, ageSeconds: 5_000 });
    const { id, total } = await start();
    expect(total).toBe(500);
    await test.runJobs();
    const ids = held.map((each) => each.eventId);
    expect(receivedIds().toSorted()).toEqual(ids.toSorted());
    // Several are in flight simultaneously, so they start in order, but arrive only roughly so.
    for (const [index, eventId] of receivedIds().entries()) {
      expect(Math.abs(ids.indexOf(eventId) - index)).toBeLessThan(64);
    }
    expect(await statuses()).toEqual({ succeeded: 500 });
    expect(await read(id)).toMatchObject({
      status: 'completed',
      total: 500,
      replayed: 500,
      completed_at: expect.stringMatching(/Z$/),
    });
    const { attempts } = (await test.api.get(`/v1/webhooks/${endpoint.id}/deliveries/${held[0]?.id}`, ada.accessToken))
      .body.data;
    expect(attempts).toMatchObject([{ number: 1, trigger: 'replay', status_code: 200 }]);
  });

  it('never has more than 50 attempts waiting, and a new event goes first', async () => {
    await plantDeliveries(test, endpoint, { status: 'held', count: 300 });
    await start();
    for (let round = 0; round < 5; round += 1) {
      await test.runJob('webhooks.replay-deliveries');
    }
    const waiting = 'select from webhook_planned_attempts where endpoint_id = $1';
    expect(await execute(test.database, waiting, [endpoint.id])).toHaveLength(50);
    const license = await test.issueLicense(ada.organizationId);
    const seat = { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
    const { session_id } = (await test.api.post('/v1/licenses/acquire', ada.accessToken, seat)).body.data;
    await sendOneFirst();
    await test.runJob('webhooks.fan-out-events');
    await test.runJob('webhooks.deliver-slow-lane');
    await test.runJobs();
    expect(received()[0]?.event.data.object.session_id).toBe(session_id);
    expect(received()).toHaveLength(301);
  });

  it('includes failed and held deliveries, succeeded ones only on request, and never pending ones', async () => {
    const [failed] = await plantDeliveries(test, endpoint, { status: 'failed', ageSeconds: 400 });
    const [succeeded] = await plantDeliveries(test, endpoint, { status: 'succeeded', ageSeconds: 300 });
    const [held] = await plantDeliveries(test, endpoint, { status: 'held', ageSeconds: 200 });
    await plantDeliveries(test, endpoint, { status: 'pending', ageSeconds: 100 });
    expect(await start()).toMatchObject({ total: 2, only_failed: true, status: 'running', replayed: 0 });
    await sendOneFirst();
    await test.runJobs();
    expect(receivedIds()).toEqual([failed?.eventId, held?.eventId]);
    receiver.received.length = 0;
    expect(await start({ only_failed: false })).toMatchObject({ total: 3, only_failed: false });
    await sendOneFirst();
    await test.runJobs();
    // The limit grows with the first success, so the other two may be in flight together.
    expect(receivedIds()[0]).toBe(failed?.eventId);
    expect(receivedIds().slice(1).toSorted()).toEqual([succeeded?.eventId, held?.eventId].toSorted());
    expect(await statuses()).toEqual({ succeeded: 3, pending: 1 });
  });

  it('includes events created from since until just before until', async () => {
    const held = await plantDeliveries(test, endpoint, { status: 'held', count: 5 });
    const { data } = (await test.api.get(`/v1/webhooks/${endpoint.id}/deliveries?sort=created_at`, ada.accessToken))
      .body;
    const span = { since: data[1].created_at, until: data[3].created_at };
    const replay = await start(span);
    expect(replay).toMatchObject({ total: 2, ...span });
    await sendOneFirst();
    await test.runJobs();
    expect(receivedIds()).toEqual([held[1]?.eventId, held[2]?.eventId]);
    expect(await read(replay.id)).toMatchObject({ status: 'completed', replayed: 2 });
  });

  it('gives each delivery the whole schedule again', async () => {
    receiver.behave((_received, response) => response.writeHead(500).end());
    const [failed] = await plantDeliveries(test, endpoint, { status: 'failed' });
    await execute(test.database, 'update webhook_deliveries set step = 5 where endpoint_id = $1', [endpoint.id]);
    await start();
    await test.runJobs();
    const { data } = await (await test.api.get(`/v1/webhooks/${endpoint.id}/deliveries/${failed?.id}`, ada.accessToken))
      .body;
    expect(data).toMatchObject({ status: 'pending', attempt_count: 2, last_status_code: 500 });
    const waitMs = Date.parse(data.next_attempt_at) - Date.parse(data.last_attempt_at);
    expect(Math.round(waitMs / 1_000)).toBe(60);
  });

  it('never includes or counts test events', async () => {
    receiver.behave((_received, response) => response.writeHead(500).end());
    await change('paused');
    await test.api.post(`/v1/webhooks/${endpoint.id}/test`, ada.accessToken, { type: 'license.expired' });
    await test.runJobs();
    expect(await statuses()).toEqual({ held: 1 });
    receiver.behave((_received, response) => response.writeHead(200).end());
    receiver.received.length = 0;
    await change('active');
    const [held] = await plantDeliveries(test, endpoint, { status: 'held' });
    expect(await start({ dry_run: true })).toMatchObject({ total: 1 });
    const { id } = await start({ only_failed: false });
    await test.runJobs();
    expect(receivedIds()).toEqual([held?.eventId]);
    expect(await read(id)).toMatchObject({ status: 'completed', total: 1, replayed: 1 });
    expect(await statuses()).toEqual({ held: 1, succeeded: 1 });
  });

  it('as a dry run counts and starts nothing, whatever state the endpoint is in', async () => {
    await plantDeliveries(test, endpoint, { status: 'held', count: 3 });
    await change('paused');
    const path = `/v1/webhooks/${endpoint.id}/replay`;
    const { status, body } = await test.api.post(path, ada.accessToken, { since: SINCE, dry_run: true });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: null,
      webhook_id: endpoint.id,
      status: 'dry_run',
      since: SINCE,
      until: body.data.created_at,
      only_failed: true,
      total: 3,
      replayed: 0,
      created_at: expect.stringMatching(/Z$/),
      completed_at: null,
    });
    await change('active');
    await test.runJobs();
    expect(received()).toEqual([]);
    expect((await test.api.get(`/v1/webhooks/${endpoint.id}/replays`, ada.accessToken)).body.data).toEqual([]);
  });

  it('starts nothing more once it is canceled', async () => {
    await plantDeliveries(test, endpoint, { status: 'held', count: 200 });
    const { id } = await start();
    await test.runJob('webhooks.replay-deliveries');
    const path = `/v1/webhooks/${endpoint.id}/replays/${id}/cancel`;
    const { status, body } = await test.api.post(path, ada.accessToken, {});
    expect([status, body.data]).toEqual([200, await read(id)]);
    expect(body.data).toMatchObject({ status: 'canceled', replayed: 50, completed_at: expect.stringMatching(/Z$/) });
    await test.runJobs();
    expect(received()).toHaveLength(50);
    expect(await statuses()).toEqual({ succeeded: 50, held: 150 });
    expect((await test.api.post(path, ada.accessToken, {})).body.error.code).toBe('conflict');
    expect(await start()).toMatchObject({ total: 150 });
  });
});

describe('an interrupted replay', () => {
  it('is continued by another process from where the first one stopped', async () => {
    const held = await plantDeliveries(test, endpoint, { status: 'held', count: 300 });
    const other = await startAppForTest({ settings: receiver.settings, beside: test });
    const { id } = await start();
    await advanceReplay(other);
    expect((await read(id)).replayed).toBeGreaterThan(49);
    // The first never reports back. Its claims become free when its leases end.
    await execute(
      test.database,
      `update webhook_planned_attempts set claim_id = 'gone', leased_until = '2020-01-01' where claim_id is not null`,
    );
    await test.runJobs();
    expect([...new Set(receivedIds())].toSorted()).toEqual(held.map((each) => each.eventId).toSorted());
    expect(await read(id)).toMatchObject({ status: 'completed', replayed: 300 });
    expect(await statuses()).toEqual({ succeeded: 300 });
  });

  it('is not run twice by two simultaneous processes', async () => {
    await plantDeliveries(test, endpoint, { status: 'held', count: 300 });
    const other = await startAppForTest({ settings: receiver.settings, beside: test });
    const { id } = await start();
    await Promise.all([test.runJobs(), other.runJobs(), test.runJobs()]);
    await test.runJobs();
    expect(receivedIds()).toHaveLength(300);
    expect(await read(id)).toMatchObject({ status: 'completed', replayed: 300 });
  });

  it('waits while the endpoint is paused, and then misses nothing and repeats nothing', async () => {
    const held = await plantDeliveries(test, endpoint, { status: 'held', count: 200 });
    const { id } = await start({ only_failed: false });
    await test.runJob('webhooks.replay-deliveries');
    expect((await read(id)).replayed).toBe(50);
    await test.runJob('webhooks.deliver-slow-lane');
    await change('paused');
    await test.runJobs();
    const before = received().length;
    expect(await statuses()).toMatchObject({ held: 200 - before });
    expect(await read(id)).toMatchObject({ status: 'running', replayed: before });
    await test.runJobs();
    expect(received()).toHaveLength(before);
    await change('active');
    await test.runJobs();
    expect(receivedIds().toSorted()).toEqual(held.map((each) => each.eventId).toSorted());
    expect(await read(id)).toMatchObject({ status: 'completed', replayed: 200 });
  });

  it('is not complete while its last attempts wait, and gets them back when the endpoint is paused', async () => {
    const held = await plantDeliveries(test, endpoint, { status: 'held', count: 20 });
    const { id } = await start();
    await test.runJob('webhooks.replay-deliveries');
    await test.runJob('webhooks.replay-deliveries');
    expect(await read(id)).toMatchObject({ status: 'running', replayed: 20 });
    await change('paused');
    await test.runJobs();
    expect(await read(id)).toMatchObject({ status: 'running', replayed: 0 });
    expect(await statuses()).toEqual({ held: 20 });
    await change('active');
    await test.runJobs();
    expect(receivedIds()).toEqual(expect.arrayContaining(held.map((each) => each.eventId)));
    expect(received()).toHaveLength(20);
    expect(await read(id)).toMatchObject({ status: 'completed', replayed: 20 });
  });

  it('leaves an attempt held that was in flight at the pause and failed, for a later replay', async () => {
    const arrived = Promise.withResolvers<() => void>();
    receiver.behave((_received, response) => arrived.resolve(() => response.writeHead(500).end()));
    const [held] = await plantDeliveries(test, endpoint, { status: 'held' });
    const { id } = await start();
    const running = test.runJobs();
    const fail = await arrived.promise;
    await change('paused');
    fail();
    await running;
    expect(await statuses()).toEqual({ held: 1 });
    receiver.behave((_received, response) => response.writeHead(200).end());
    await change('active');
    await test.runJobs();
    expect(await read(id)).toMatchObject({ status: 'completed', replayed: 1 });
    expect(await statuses()).toEqual({ held: 1 });
    expect(await start()).toMatchObject({ total: 1 });
    await test.runJobs();
    expect(receivedIds()).toEqual([held?.eventId, held?.eventId]);
    expect(await statuses()).toEqual({ succeeded: 1 });
  });

  it('counts correctly when deliveries are deleted in between', async () => {
    const held = await plantDeliveries(test, endpoint, { status: 'held', count: 120 });
    const { id } = await start();
    await test.runJob('webhooks.replay-deliveries');
    const gone = held.slice(50, 100).map((each) => each.id);
    await execute(test.database, 'delete from webhook_deliveries where id = any($1)', [gone]);
    await test.runJobs();
    expect(received()).toHaveLength(70);
    expect(await read(id)).toMatchObject({ status: 'completed', total: 120, replayed: 70 });
  });
});
