import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { requireInvariants } from '../../../test/harness/require-invariants.ts';
import type { WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import {
  type PlantedEndpoint,
  plantEndpoint,
  type SeatTaker,
  startWebhookWorld,
  trustEndpoint,
  type WebhookWorld,
} from '../../../test/harness/webhook-world.ts';

let world: WebhookWorld;
let receiver: WebhookReceiver;
let test: TestApp;
let ada: SeatTaker;
let endpoint: PlantedEndpoint;

beforeAll(async () => {
  world = await startWebhookWorld();
  ({ receiver, test } = world);
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.begin();
  endpoint = await plantEndpoint(test, ada.organizationId, receiver.url('/hook'));
});

const TAKE = 'webhooks.fan-out-events';

interface Listed {
  id: string;
  event_id: string;
  sequence: number;
  status: string;
}

const list = async (query = '', { id } = endpoint): Promise<Listed[]> =>
  (await test.api.get(`/v1/webhooks/${id}/deliveries?sort=created_at&limit=100${query}`, ada.accessToken)).body.data;
const numbers = async (query = '', of = endpoint) =>
  (await list(query, of)).map((each) => each.sequence).sort((one, other) => one - other);
/** The numbers that each path received, in order of arrival. */
const received = (path = '/hook') =>
  receiver.received.filter((each) => each.path === path).map((each) => Number(each.headers['x-service-sequence']));
const change = (status: string) =>
  test.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status } });
const sendTest = () => test.api.post(`/v1/webhooks/${endpoint.id}/test`, ada.accessToken, { type: 'license.expired' });
const oneTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
async function takeSeats(count: number): Promise<void> {
  for (let seat = 0; seat < count; seat += 1) {
    await ada.takeSeat();
  }
}

describe('the deliveries of an endpoint', () => {
  it('are numbered 1, 2, 3, … however each was created: planned, sent directly, held, or a test', async () => {
    await takeSeats(2);
    await test.runJobs();
    await trustEndpoint(test, endpoint.id);
    await takeSeats(2);
    await test.runJobs();
    expect((await sendTest()).body.data.sequence).toBe(5);
    await test.runJobs();
    await change('paused');
    await takeSeats(2);
    await test.runJobs();
    expect(await numbers()).toEqual(oneTo(7));
    expect(received().sort()).toEqual(oneTo(5));
    expect((await list('&status=held')).map((each) => each.sequence)).toEqual([6, 7]);
    await requireInvariants(test.database);
  });

  it('follow the order of their events', async () => {
    await takeSeats(5);
    await test.runJobs();
    expect((await list()).map((each) => each.sequence)).toEqual(oneTo(5));
  });

  it('have separate numbers at each endpoint', async () => {
    const other = await plantEndpoint(test, ada.organizationId, receiver.url('/other'), ['license.seat.acquired']);
    await trustEndpoint(test, other.id);
    await takeSeats(3);
    await ada.takeSeat();
    await test.runJobs();
    expect(await numbers('', other)).toEqual(oneTo(4));
    expect(received('/other').sort()).toEqual(oneTo(4));
    expect(await numbers()).toEqual(oneTo(4));
  });

  it('show their number during their first attempt, and keep it when the attempt is repeated', async () => {
    const held: ServerResponse[] = [];
    receiver.behave((_received, response) => held.push(response));
    await trustEndpoint(test, endpoint.id);
    await ada.takeSeat();
    await test.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    expect(await numbers()).toEqual([1]);
    const [pending] = await list();
    receiver.behave((_received, response) => response.writeHead(200).end());
    await test.api.post(`/v1/webhooks/${endpoint.id}/deliveries/${pending?.id}/retry`, ada.accessToken, {});
    held[0]?.writeHead(500).end();
    await test.runJobs();
    expect(received()).toEqual([1, 1]);
    expect(await numbers()).toEqual([1]);
    await requireInvariants(test.database);
  });

  it('keep their numbers when they are replayed', async () => {
    await change('paused');
    await takeSeats(3);
    await test.runJobs();
    await change('active');
    await test.api.post(`/v1/webhooks/${endpoint.id}/replay`, ada.accessToken, { since: '2020-01-01T00:00:00Z' });
    await test.runJobs();
    expect(received().sort()).toEqual(oneTo(3));
    expect(await numbers()).toEqual(oneTo(3));
  });

  it('leave no gap if an event is planned again for an endpoint that already has it', async () => {
    await ada.takeSeat();
    const [event] = await execute<{ event_id: string }>(
      test.database,
      'select event_id from unsent_events where organization_id = $1',
      [ada.organizationId],
    );
    await test.runJobs();
    await execute(
      test.database,
      'insert into unsent_events (organization_id, event_id, announced_at, is_planned) values ($1, $2, clock_timestamp(), true)',
      [ada.organizationId, event?.event_id],
    );
    await ada.takeSeat();
    await test.runJobs();
    expect(await numbers()).toEqual([1, 2]);
    await requireInvariants(test.database);
  });

  it('leave their number to a delivery of the same event created by a process of the previous version', async () => {
    const held: ServerResponse[] = [];
    receiver.behave((_received, response) => held.push(response));
    await trustEndpoint(test, endpoint.id);
    await takeSeats(2);
    await test.runJob(TAKE);
    await expect.poll(() => held.length).toBe(2);
    await execute(
      test.database,
      `insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, created_at)
       select organization_id, endpoint_id, 'dlv_7' || right(delivery_id, 25), event_id, event_type, 'succeeded', created_at
       from webhook_queue where endpoint_id = $1`,
      [endpoint.id],
    );
    // One is written when its attempt has succeeded, the other when its attempt has failed.
    held[0]?.writeHead(200).end();
    held[1]?.writeHead(500).end();
    await test.runJobs();
    expect(await numbers()).toEqual([1, 2]);
    await requireInvariants(test.database);
  });

  it('have unique numbers without gaps when two processes create them simultaneously', async () => {
    const second = await startAppForTest({ beside: test, settings: receiver.settings });
    const other = await plantEndpoint(test, ada.organizationId, receiver.url('/other'));
    await trustEndpoint(test, other.id);
    await takeSeats(15);
    await Promise.all([test.runJob(TAKE), second.runJob(TAKE), sendTest(), sendTest()]);
    await takeSeats(15);
    await Promise.all([second.runJob(TAKE), test.runJob(TAKE), sendTest()]);
    await second.finishJobs();
    await test.runJobs();
    expect(await numbers()).toEqual(oneTo(33));
    expect(await numbers('', other)).toEqual(oneTo(30));
    await requireInvariants(test.database);
  });
});

describe('a delivery from before sequence numbers existed', () => {
  it('is sent without a number, and the next delivery is number 1', async () => {
    await ada.takeSeat();
    await test.runJob(TAKE);
    await execute(
      test.database,
      `with forgotten as (delete from webhook_sequences where endpoint_id = $1)
       update webhook_deliveries set sequence = null where endpoint_id = $1`,
      [endpoint.id],
    );
    await test.runJobs();
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-sequence');
    expect(await list()).toMatchObject([{ sequence: null, status: 'succeeded' }]);
    await ada.takeSeat();
    await test.runJobs();
    expect(received().at(-1)).toBe(1);
    await requireInvariants(test.database);
  });
});

describe('a delivery deleted by retention', () => {
  it('leaves its number unused, and is counted', async () => {
    await takeSeats(3);
    await test.runJobs();
    await execute(
      test.database,
      `update webhook_deliveries set created_at = created_at - interval '31 days' where endpoint_id = $1 and sequence < 3`,
      [endpoint.id],
    );
    await test.runJob('webhooks.delete-old-deliveries');
    expect(await numbers()).toEqual([3]);
    await ada.takeSeat();
    await test.runJobs();
    expect(await numbers()).toEqual([3, 4]);
    await requireInvariants(test.database);
  });
});

describe('sequence_after', () => {
  it('lists the deliveries after a number, with other filters and page by page', async () => {
    await takeSeats(5);
    await test.runJobs();
    expect(await numbers('&sequence_after=2')).toEqual([3, 4, 5]);
    expect(await numbers('&sequence_after=0')).toEqual(oneTo(5));
    expect(await numbers('&sequence_after=5')).toEqual([]);
    expect(await numbers('&sequence_after=2&status=failed')).toEqual([]);
    const path = `/v1/webhooks/${endpoint.id}/deliveries?sequence_after=1&limit=2`;
    const first = (await test.api.get(path, ada.accessToken)).body;
    const next = (await test.api.get(`${path}&cursor=${first.pagination.next_cursor}`, ada.accessToken)).body;
    expect([...first.data, ...next.data].map((each: Listed) => each.sequence)).toEqual([5, 4, 3, 2]);
    expect(next.pagination.has_more).toBe(false);
  });

  it.each([
    ['-1', 'min'],
    ['9007199254740992', 'max'],
    ['1.5', 'type'],
    ['', 'type'],
    ['two', 'type'],
  ])('%j is refused: %s', async (value, reason) => {
    const { status, body } = await test.api.get(
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
