import type { ServerResponse } from 'node:http';
import { describe, expect } from 'vitest';
import { createDeliveryTest, deliveriesOf, stateOf } from '../../../test/harness/delivery-fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { type PlantedEndpoint, plantEndpoint, trustEndpoint } from '../../../test/harness/plant-endpoint.ts';

const it = createDeliveryTest().extend('world', ({ app, ada }) => {
  const queued = () =>
    execute(app.database, 'select from webhook_queue where organization_id = $1', [ada.organizationId]);
  const planned = () =>
    execute(app.database, 'select from webhook_planned_attempts where organization_id = $1', [ada.organizationId]);
  const unsent = () =>
    execute(app.database, 'select from unsent_events where organization_id = $1', [ada.organizationId]);
  const attemptRows = (endpointId: string) =>
    execute(app.database, 'select number, kind, status_code from webhook_attempts where endpoint_id = $1 order by 1', [
      endpointId,
    ]);
  const list = async ({ id }: PlantedEndpoint, query = '') =>
    (await app.api.get(`/v1/webhooks/${id}/deliveries${query}`, ada.accessToken)).body.data;
  const read = async ({ id }: PlantedEndpoint, deliveryId: string) =>
    (await app.api.get(`/v1/webhooks/${id}/deliveries/${deliveryId}`, ada.accessToken)).body.data;
  return { queued, planned, unsent, attemptRows, list, read };
});

const TAKE = 'webhooks.fan-out-events';

describe('an event for a fast endpoint', () => {
  it('is sent immediately, and its history is written once, including the attempt', async ({
    app,
    receiver,
    ada,
    plantTrusted,
    world,
  }) => {
    const endpoint = await plantTrusted();
    const before = await stateOf(app, endpoint.id);
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(world.queued).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    expect(await world.planned()).toEqual([]);
    expect(await world.attemptRows(endpoint.id)).toEqual([]);
    expect(await stateOf(app, endpoint.id)).toEqual(before);
    const [delivery] = await world.list(endpoint);
    expect(delivery).toMatchObject({
      id: receiver.received[0]?.headers['x-service-delivery'],
      status: 'succeeded',
      attempt_count: 1,
      last_status_code: 200,
      last_error: null,
      next_attempt_at: null,
      is_test: false,
    });
    expect((await world.read(endpoint, delivery.id)).attempts).toEqual([
      {
        number: 1,
        at: delivery.last_attempt_at,
        duration_ms: expect.any(Number),
        status_code: 200,
        error: null,
        response_excerpt: 'ok',
        address: '127.0.0.1',
        trigger: 'scheduled',
      },
    ]);
    const { statistics } = (await app.api.get(`/v1/webhooks/${endpoint.id}`, ada.accessToken)).body.data;
    expect(statistics).toMatchObject({ attempts: 1, succeeded: 1, failed: 0, success_rate: 1, last_failure: null });
  });

  it('is listed as pending during its attempt', async ({ app, receiver, ada, plantTrusted, world }) => {
    const held = receiver.hold();
    const endpoint = await plantTrusted();
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    const pending = { status: 'pending', attempt_count: 0, last_attempt_at: null, next_attempt_at: expect.any(String) };
    expect(await world.list(endpoint)).toMatchObject([pending]);
    expect(await world.list(endpoint, '?status=pending')).toMatchObject([pending]);
    expect(await world.list(endpoint, '?status=succeeded')).toEqual([]);
    const [{ id }] = await world.list(endpoint);
    expect(await world.read(endpoint, id)).toMatchObject({
      ...pending,
      attempts: [],
      event: { id: expect.any(String) },
    });
    held[0]?.writeHead(200).end();
    await expect.poll(() => world.list(endpoint)).toMatchObject([{ id, status: 'succeeded', attempt_count: 1 }]);
  });

  it('is retried like any other if its first attempt fails', async ({ app, receiver, ada, plantTrusted, world }) => {
    receiver.behave((_received, response) => response.writeHead(500).end());
    const endpoint = await plantTrusted();
    await ada.takeSeat();
    await app.runJob(TAKE);
    const failed = { status: 'pending', attempts: 1, step: 1, last_error: 'http_status' };
    await expect.poll(() => deliveriesOf(app, endpoint.id)).toMatchObject([failed]);
    expect(await world.queued()).toEqual([]);
    expect(await world.planned()).toHaveLength(1);
    expect(await world.attemptRows(endpoint.id)).toEqual([{ number: 1, kind: 'scheduled', status_code: 500 }]);
    expect(await stateOf(app, endpoint.id)).toMatchObject({ in_flight: 0 });
  });

  it('keeps its first attempt in the history when it is attempted again', async ({
    app,
    receiver,
    ada,
    plantTrusted,
    world,
  }) => {
    const endpoint = await plantTrusted();
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(world.queued).toEqual([]);
    const [{ id, last_attempt_at: firstAt }] = await world.list(endpoint);
    receiver.behave((_received, response) => response.writeHead(503).end('later'));
    await app.api.post(`/v1/webhooks/${endpoint.id}/deliveries/${id}/retry`, ada.accessToken, undefined);
    await app.runJobs();
    expect(await world.read(endpoint, id)).toMatchObject({
      status: 'succeeded',
      attempt_count: 2,
      last_status_code: 503,
      attempts: [
        { number: 1, at: firstAt, status_code: 200, response_excerpt: 'ok', trigger: 'scheduled' },
        { number: 2, status_code: 503, response_excerpt: 'later', trigger: 'manual' },
      ],
    });
    const { statistics } = (await app.api.get(`/v1/webhooks/${endpoint.id}`, ada.accessToken)).body.data;
    expect(statistics).toMatchObject({ attempts: 2, succeeded: 1, failed: 1 });
  });

  it('is written with both attempts if it is sent again manually during its attempt', async ({
    app,
    receiver,
    ada,
    plantTrusted,
    world,
  }) => {
    const held = receiver.hold();
    const endpoint = await plantTrusted();
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    const [{ id }] = await world.list(endpoint);
    await app.api.post(`/v1/webhooks/${endpoint.id}/deliveries/${id}/retry`, ada.accessToken, undefined);
    expect(await world.queued()).toEqual([]);
    held[0]?.writeHead(200).end('first');
    await expect.poll(() => deliveriesOf(app, endpoint.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    receiver.behave((_received, response) => response.writeHead(200).end('second'));
    await app.runJobs();
    expect((await world.read(endpoint, id)).attempts).toMatchObject([
      { number: 1, response_excerpt: 'first', trigger: 'scheduled' },
      { number: 2, response_excerpt: 'second', trigger: 'manual' },
    ]);
    expect(await stateOf(app, endpoint.id)).toMatchObject({ in_flight: 0 });
  });
});

describe('an event for several endpoints', () => {
  it('is planned for all of them if one is new or slow', async ({ app, receiver, ada, plantTrusted, world }) => {
    const held = receiver.hold();
    await plantTrusted('/trusted');
    await plantEndpoint(app, ada.organizationId, receiver.url('/new'));
    await ada.takeSeat();
    await app.runJob(TAKE);
    expect(held).toEqual([]);
    expect(await world.queued()).toEqual([]);
    expect(await world.planned()).toHaveLength(2);
    receiver.behave((_received, response) => response.writeHead(200).end());
    await app.runJobs();
    expect(receiver.received.map((each) => each.path).toSorted()).toEqual(['/new', '/trusted']);
  });

  it('is sent to all of them immediately if all are fast', async ({ app, receiver, ada, plantTrusted, world }) => {
    const endpoints = [await plantTrusted('/one'), await plantTrusted('/two')];
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(world.queued).toEqual([]);
    expect(receiver.received.map((each) => each.path).toSorted()).toEqual(['/one', '/two']);
    for (const { id } of endpoints) {
      expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    }
  });
});

describe('an event planned for some of its endpoints while another was locked', () => {
  it('reaches each of them once, even if all have become trusted in the meantime', async ({
    app,
    receiver,
    ada,
    plantTrusted,
    world,
  }) => {
    const [locked, free] = [
      await plantTrusted('/locked'),
      await plantEndpoint(app, ada.organizationId, receiver.url('/free')),
    ];
    await app.database.transaction(async (tx) => {
      await execute(tx, 'select from webhook_endpoint_states where endpoint_id = $1 for update', [locked.id]);
      await ada.takeSeat();
      await app.runJob(TAKE);
      expect(await world.unsent()).toHaveLength(1);
    });
    await trustEndpoint(app, free.id, 64);
    await app.runJobs();
    expect(receiver.received.map((each) => each.path).toSorted()).toEqual(['/free', '/locked']);
    expect(await world.unsent()).toEqual([]);
  });
});

describe('events beyond the in-flight limit of an endpoint', () => {
  it('wait until an attempt has ended', async ({ app, receiver, ada, plantTrusted, world }) => {
    const held = receiver.hold();
    const endpoint = await plantTrusted();
    await trustEndpoint(app, endpoint.id, 2);
    for (let seat = 0; seat < 3; seat += 1) {
      await ada.takeSeat();
    }
    await app.runJob(TAKE);
    await expect.poll(() => held.length).toBe(2);
    expect(await world.unsent()).toHaveLength(1);
    receiver.behave((_received, response) => response.writeHead(200).end());
    held[0]?.writeHead(200).end();
    held[1]?.writeHead(200).end();
    await app.runJobs();
    expect(await world.unsent()).toEqual([]);
    expect((await deliveriesOf(app, endpoint.id)).map((each) => each.status)).toEqual(
      Array.from({ length: 3 }, () => 'succeeded'),
    );
    expect(receiver.received).toHaveLength(3);
  });

  it('are planned if none of its attempts ends, and sent to the other endpoints', async ({
    app,
    receiver,
    ada,
    plantTrusted,
  }) => {
    const held: ServerResponse[] = [];
    receiver.behave(({ path }, response) => (path === '/hangs' ? held.push(response) : response.writeHead(200).end()));
    const hanging = await plantTrusted('/hangs');
    await trustEndpoint(app, hanging.id, 1);
    const other = await plantTrusted('/other');
    await ada.takeSeat();
    await ada.takeSeat();
    await expect
      .poll(async () => {
        await app.runJob(TAKE);
        await app.runJob('webhooks.deliver-fast-lane');
        return (await deliveriesOf(app, other.id)).map((each) => each.status);
      })
      .toEqual(['succeeded', 'succeeded']);
    expect(held).toHaveLength(1);
    receiver.behave((_received, response) => response.writeHead(200).end());
    held[0]?.writeHead(200).end();
    await app.runJobs();
    expect(await deliveriesOf(app, hanging.id)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });
});

describe('the health of an endpoint', () => {
  it('is written if an event sent directly changes it', async ({ app, ada, plantTrusted }) => {
    const endpoint = await plantTrusted();
    await trustEndpoint(app, endpoint.id, 10);
    const limit = async () =>
      (
        await execute(app.database, 'select in_flight_limit from webhook_endpoint_states where endpoint_id = $1', [
          endpoint.id,
        ])
      )[0];
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(limit).toEqual({ in_flight_limit: 20 });
  });
});
