import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let id: string;

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
  receiver.behave((_received, response) => response.writeHead(200).end());
  ada = await test.register();
  id = await addEndpoint('/one');
  await addEndpoint('/another', ['*']);
});

const addEndpoint = async (path: string, events = ['license.seat.*']): Promise<string> =>
  (await test.api.post('/v1/webhooks', ada.accessToken, { url: receiver.url(path), events })).body.data.id;
const send = (body: unknown = { type: 'license.expired' }, headers?: Record<string, string>) =>
  test.api.post(`/v1/webhooks/${id}/test`, ada.accessToken, body, headers);
const change = (body: unknown) => test.api.call('PATCH', `/v1/webhooks/${id}`, { token: ada.accessToken, body });
/** The deliveries to this organization's endpoint, because other tests leave deliveries, too. */
const received = () => receiver.received.filter((each) => each.event.organization_id === ada.organizationId);
const deliveries = () =>
  execute<{ id: string; status: string; attempts: number; step: number }>(
    test.database,
    'select id, status, attempts, step from webhook_deliveries where endpoint_id = $1',
    [id],
  );

describe('a test event', () => {
  it('is the example of its type, signed and sent only to this endpoint, whatever it subscribes to', async () => {
    const answer = await send();
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      id: expect.stringMatching(/^dlv_/),
      webhook_id: id,
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'license.expired',
      status: 'pending',
      attempt_count: 0,
      is_test: true,
    });
    await test.runJobs();
    const types = (await test.api.get('/v1/event-types?limit=100', ada.accessToken)).body.data;
    const example = types.find((each: { type: string }) => each.type === 'license.expired').example;
    expect(received()).toMatchObject([
      {
        path: '/one',
        event: {
          id: answer.body.data.event_id,
          type: 'license.expired',
          created: answer.body.data.created_at,
          data: { object: example },
          organization_id: ada.organizationId,
        },
      },
    ]);
    expect(await deliveries()).toMatchObject([{ id: answer.body.data.id, status: 'succeeded', attempts: 1 }]);
    expect((await test.api.get('/v1/events', ada.accessToken)).body.data).toEqual([]);
  });

  it('is created now by the clock of the organization', async () => {
    await test.moveClock(ada.organizationId, 86_400);
    const askedAtMs = Date.now();
    const { data } = (await send()).body;
    const realMs = Date.parse(data.created_at) - 86_400_000;
    expect(realMs).toBeGreaterThanOrEqual(askedAtMs);
    expect(realMs).toBeLessThanOrEqual(Date.now());
    expect(data.next_attempt_at).toBe(data.created_at);
  });

  it.each(['paused', 'disabled'])('reaches an endpoint that is %s', async (status) => {
    await execute(
      test.database,
      'update webhook_endpoint_states set status = $2, must_hold = true where endpoint_id = $1',
      [id, status],
    );
    await send();
    await test.runJobs();
    expect(received().map((each) => each.path)).toEqual(['/one']);
  });

  it('that fails is retried on the schedule like any other', async () => {
    receiver.behave((_received, response) => response.writeHead(500).end());
    await send();
    await test.runJobs();
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1, step: 1 }]);
  });

  it('is sent once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'test-1' };
    const [first, again] = [await send(undefined, headers), await send(undefined, headers)];
    expect(again.body.data).toEqual(first.body.data);
    await test.runJobs();
    expect(received()).toHaveLength(1);
  });

  it('can be of any type in the catalogue', async () => {
    const types = (await test.api.get('/v1/event-types?limit=100', ada.accessToken)).body.data;
    for (const { type } of types) {
      expect([type, (await send({ type })).status]).toEqual([type, 201]);
    }
    await test.runJobs();
    expect(
      received()
        .map((each) => each.event.type)
        .toSorted(),
    ).toEqual(types.map((each: { type: string }) => each.type).toSorted());
  });

  it('is refused for an unknown type and for a group', async () => {
    for (const type of ['license.nope', 'license.*', '*', 'constructor']) {
      const { status, body } = await send({ type });
      expect([status, body.error.details]).toEqual([422, { field: 'type', reason: 'unknown_event_type' }]);
    }
    expect((await send({})).body.error.details).toEqual({ field: 'type', reason: 'required' });
    expect((await send({ type: 7 })).body.error.details).toEqual({ field: 'type', reason: 'type' });
  });

  it('is refused if the URL leads to an address that is no longer allowed', async () => {
    await execute(test.database, `update webhook_endpoints set url = 'https://10.0.0.1/' where id = $1`, [id]);
    const { status, body } = await send();
    expect([status, body.error.details]).toEqual([422, { field: 'url', reason: 'forbidden_address' }]);
    expect(await deliveries()).toEqual([]);
  });

  it('is refused if a thousand manual attempts wait', async () => {
    await execute(
      test.database,
      `insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select $1, $2, 'att_' || n, 'dlv_none', 'manual', 0, clock_timestamp() + interval '1 day'
      from generate_series(1, 1000) n`,
      [ada.organizationId, id],
    );
    expect((await send()).body.error.code).toBe('conflict');
    await execute(test.database, `delete from webhook_planned_attempts where endpoint_id = $1`, [id]);
    expect((await send()).status).toBe(201);
  });

  it('is recorded in the audit log', async () => {
    const { data } = (await send()).body;
    const [entry] = (await test.api.get('/v1/audit-log', ada.accessToken)).body.data;
    expect(entry).toMatchObject({ action: 'webhook.tested', target: { type: 'webhook', id }, after: { id: data.id } });
  });

  it('is sent to the new URL if that is changed before it is sent', async () => {
    await send();
    await change({ url: receiver.url('/moved') });
    await test.runJobs();
    expect(received().map((each) => each.path)).toEqual(['/moved']);
  });
});
