import { describe, expect } from 'vitest';
import { createDeliveryTest } from '../../../test/harness/delivery-fixtures.ts';
import { execute, startAppForTest } from '../../../test/harness/index.ts';
import { plantEndpoint, trustEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { requireInvariants } from '../../../test/harness/require-invariants.ts';

const it = createDeliveryTest()
  .extend('endpoint', ({ app, receiver, ada }) => plantEndpoint(app, ada.organizationId, receiver.url('/hook')))
  .extend('hook', ({ app, receiver, ada, endpoint }) => {
    const list = async (query = '', { id } = endpoint): Promise<Listed[]> =>
      (await app.api.get(`/v1/webhooks/${id}/deliveries?sort=created_at&limit=100${query}`, ada.accessToken)).body.data;
    const numbers = async (query = '', of = endpoint) =>
      (await list(query, of)).map((each) => each.sequence).sort((one, other) => one - other);
    /** The numbers that each path received, in order of arrival. */
    const received = (path = '/hook') =>
      receiver.received.filter((each) => each.path === path).map((each) => Number(each.headers['x-service-sequence']));
    const change = (status: string) =>
      app.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status } });
    const sendTest = () =>
      app.api.post(`/v1/webhooks/${endpoint.id}/test`, ada.accessToken, { type: 'license.expired' });
    async function takeSeats(count: number): Promise<void> {
      for (let seat = 0; seat < count; seat += 1) {
        await ada.takeSeat();
      }
    }
    return { list, numbers, received, change, sendTest, takeSeats };
  });

const TAKE = 'webhooks.fan-out-events';

interface Listed {
  id: string;
  event_id: string;
  sequence: number;
  status: string;
}

const oneTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

describe('the deliveries of an endpoint', () => {
  it('are numbered 1, 2, 3, … however each was created: planned, sent directly, held, or a test', async ({
    app,
    endpoint,
    hook,
  }) => {
    await hook.takeSeats(2);
    await app.runJobs();
    await trustEndpoint(app, endpoint.id);
    await hook.takeSeats(2);
    await app.runJobs();
    expect((await hook.sendTest()).body.data.sequence).toBe(5);
    await app.runJobs();
    await hook.change('paused');
    await hook.takeSeats(2);
    await app.runJobs();
    expect(await hook.numbers()).toEqual(oneTo(7));
    expect(hook.received().sort()).toEqual(oneTo(5));
    expect((await hook.list('&status=held')).map((each) => each.sequence)).toEqual([6, 7]);
    await requireInvariants(app.database);
  });

  it('follow the order of their events', async ({ app, hook }) => {
    await hook.takeSeats(5);
    await app.runJobs();
    expect((await hook.list()).map((each) => each.sequence)).toEqual(oneTo(5));
  });

  it('have separate numbers at each endpoint', async ({ app, receiver, ada, hook }) => {
    const other = await plantEndpoint(app, ada.organizationId, receiver.url('/other'), ['license.seat.acquired']);
    await trustEndpoint(app, other.id);
    await hook.takeSeats(3);
    await ada.takeSeat();
    await app.runJobs();
    expect(await hook.numbers('', other)).toEqual(oneTo(4));
    expect(hook.received('/other').sort()).toEqual(oneTo(4));
    expect(await hook.numbers()).toEqual(oneTo(4));
  });

  it('show their number during their first attempt, and keep it when the attempt is repeated', async ({
    app,
    receiver,
    ada,
    endpoint,
    hook,
  }) => {
    const held = receiver.hold();
    await trustEndpoint(app, endpoint.id);
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    expect(await hook.numbers()).toEqual([1]);
    const [pending] = await hook.list();
    receiver.behave((_received, response) => response.writeHead(200).end());
    await app.api.post(`/v1/webhooks/${endpoint.id}/deliveries/${pending?.id}/retry`, ada.accessToken, {});
    held[0]?.writeHead(500).end();
    await app.runJobs();
    expect(hook.received()).toEqual([1, 1]);
    expect(await hook.numbers()).toEqual([1]);
    await requireInvariants(app.database);
  });

  it('keep their numbers when they are replayed', async ({ app, ada, endpoint, hook }) => {
    await hook.change('paused');
    await hook.takeSeats(3);
    await app.runJobs();
    await hook.change('active');
    await app.api.post(`/v1/webhooks/${endpoint.id}/replay`, ada.accessToken, { since: '2020-01-01T00:00:00Z' });
    await app.runJobs();
    expect(hook.received().sort()).toEqual(oneTo(3));
    expect(await hook.numbers()).toEqual(oneTo(3));
  });

  it('leave no gap if an event is planned again for an endpoint that already has it', async ({ app, ada, hook }) => {
    await ada.takeSeat();
    const [event] = await execute<{ event_id: string }>(
      app.database,
      'select event_id from unsent_events where organization_id = $1',
      [ada.organizationId],
    );
    await app.runJobs();
    await execute(
      app.database,
      'insert into unsent_events (organization_id, event_id, announced_at, is_planned) values ($1, $2, clock_timestamp(), true)',
      [ada.organizationId, event?.event_id],
    );
    await ada.takeSeat();
    await app.runJobs();
    expect(await hook.numbers()).toEqual([1, 2]);
    await requireInvariants(app.database);
  });

  it('leave their number to a delivery of the same event created by a process of the previous version', async ({
    app,
    receiver,
    endpoint,
    hook,
  }) => {
    const held = receiver.hold();
    await trustEndpoint(app, endpoint.id);
    await hook.takeSeats(2);
    await app.runJob(TAKE);
    await expect.poll(() => held.length).toBe(2);
    await execute(
      app.database,
      `insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, created_at)
       select organization_id, endpoint_id, 'dlv_7' || right(delivery_id, 25), event_id, event_type, 'succeeded', created_at
       from webhook_queue where endpoint_id = $1`,
      [endpoint.id],
    );
    // One is written when its attempt has succeeded, the other when its attempt has failed.
    held[0]?.writeHead(200).end();
    held[1]?.writeHead(500).end();
    await app.runJobs();
    expect(await hook.numbers()).toEqual([1, 2]);
    await requireInvariants(app.database);
  });

  it('have unique numbers without gaps when two processes create them simultaneously', async ({
    app,
    receiver,
    ada,
    hook,
  }) => {
    const second = await startAppForTest({ beside: app, settings: receiver.settings });
    const other = await plantEndpoint(app, ada.organizationId, receiver.url('/other'));
    await trustEndpoint(app, other.id);
    await hook.takeSeats(15);
    await Promise.all([app.runJob(TAKE), second.runJob(TAKE), hook.sendTest(), hook.sendTest()]);
    await hook.takeSeats(15);
    await Promise.all([second.runJob(TAKE), app.runJob(TAKE), hook.sendTest()]);
    await second.finishJobs();
    await app.runJobs();
    expect(await hook.numbers()).toEqual(oneTo(33));
    expect(await hook.numbers('', other)).toEqual(oneTo(30));
    await requireInvariants(app.database);
  });
});

describe('a delivery from before sequence numbers existed', () => {
  it('is sent without a number, and the next delivery is number 1', async ({ app, receiver, ada, endpoint, hook }) => {
    await ada.takeSeat();
    await app.runJob(TAKE);
    await execute(
      app.database,
      `with forgotten as (delete from webhook_sequences where endpoint_id = $1)
       update webhook_deliveries set sequence = null where endpoint_id = $1`,
      [endpoint.id],
    );
    await app.runJobs();
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-sequence');
    expect(await hook.list()).toMatchObject([{ sequence: null, status: 'succeeded' }]);
    await ada.takeSeat();
    await app.runJobs();
    expect(hook.received().at(-1)).toBe(1);
    await requireInvariants(app.database);
  });
});

describe('a delivery deleted by retention', () => {
  it('leaves its number unused, and is counted', async ({ app, ada, endpoint, hook }) => {
    await hook.takeSeats(3);
    await app.runJobs();
    await execute(
      app.database,
      `update webhook_deliveries set created_at = created_at - interval '31 days' where endpoint_id = $1 and sequence < 3`,
      [endpoint.id],
    );
    await app.runJob('webhooks.delete-old-deliveries');
    expect(await hook.numbers()).toEqual([3]);
    await ada.takeSeat();
    await app.runJobs();
    expect(await hook.numbers()).toEqual([3, 4]);
    await requireInvariants(app.database);
  });
});

describe('sequence_after', () => {
  it('lists the deliveries after a number, with other filters and page by page', async ({
    app,
    ada,
    endpoint,
    hook,
  }) => {
    await hook.takeSeats(5);
    await app.runJobs();
    expect(await hook.numbers('&sequence_after=2')).toEqual([3, 4, 5]);
    expect(await hook.numbers('&sequence_after=0')).toEqual(oneTo(5));
    expect(await hook.numbers('&sequence_after=5')).toEqual([]);
    expect(await hook.numbers('&sequence_after=2&status=failed')).toEqual([]);
    const path = `/v1/webhooks/${endpoint.id}/deliveries?sequence_after=1&limit=2`;
    const first = (await app.api.get(path, ada.accessToken)).body;
    const next = (await app.api.get(`${path}&cursor=${first.pagination.next_cursor}`, ada.accessToken)).body;
    expect([...first.data, ...next.data].map((each: Listed) => each.sequence)).toEqual([5, 4, 3, 2]);
    expect(next.pagination.has_more).toBe(false);
  });

  it.for([
    ['-1', 'min'],
    ['9007199254740992', 'max'],
    ['1.5', 'type'],
    ['', 'type'],
    ['two', 'type'],
  ] as const)('%j is refused: %s', async ([value, reason], { app, ada, endpoint }) => {
    const { status, body } = await app.api.get(
      `/v1/webhooks/${endpoint.id}/deliveries?sequence_after=${value}`,
      ada.accessToken,
    );
    expect([status, body.error.code, body.error.details]).toEqual([
      400,
      'invalid_request',
      { field: 'sequence_after', reason },
    ]);
  });
});
