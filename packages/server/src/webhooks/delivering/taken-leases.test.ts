import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
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

beforeAll(async () => {
  world = await startWebhookWorld();
  ({ receiver, test } = world);
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.begin();
});

const TAKE = 'webhooks.fan-out-events';

/** An endpoint that has been healthy for a long time. */
async function plantTrusted(path = '/hook'): Promise<PlantedEndpoint> {
  const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url(path));
  await trustEndpoint(test, endpoint.id);
  return endpoint;
}

/** Lets attempts hang until the test answers them. */
function holdAnswers(): ServerResponse[] {
  const held: ServerResponse[] = [];
  receiver.behave((_received, response) => held.push(response));
  return held;
}

const queued = () =>
  execute(test.database, 'select from webhook_queue where organization_id = $1', [ada.organizationId]);
const planned = () =>
  execute(test.database, 'select from webhook_planned_attempts where organization_id = $1', [ada.organizationId]);

describe('an attempt claimed by a process that died', () => {
  it('is made again after its lease has ended, as the same delivery', async () => {
    const endpoint = await plantTrusted();
    const dead = await startAppForTest({ beside: test, settings: receiver.settings });
    const held = holdAnswers();
    await ada.takeSeat();
    await dead.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    await execute(
      test.database,
      `update webhook_queue set leased_until = clock_timestamp() - interval '1 second' where organization_id = $1`,
      [ada.organizationId],
    );
    receiver.behave((_received, response) => response.writeHead(200).end());
    await test.runJobs();
    expect(await world.deliveriesOf(endpoint.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.received.map((each) => each.headers['x-service-delivery'])).size).toBe(1);
    held[0]?.writeHead(500).end();
    await dead.finishJobs();
    expect(await world.deliveriesOf(endpoint.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await world.stateOf(endpoint.id)).toMatchObject({ in_flight: 0 });
  });

  it('is held if the endpoint was paused in the meantime', async () => {
    const endpoint = await plantTrusted();
    const dead = await startAppForTest({ beside: test, settings: receiver.settings });
    const held = holdAnswers();
    await ada.takeSeat();
    await dead.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    await test.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status: 'paused' } });
    await execute(
      test.database,
      `update webhook_queue set leased_until = clock_timestamp() - interval '1 second' where organization_id = $1`,
      [ada.organizationId],
    );
    await test.runJobs();
    expect(await world.deliveriesOf(endpoint.id)).toMatchObject([{ status: 'held', attempts: 0 }]);
    expect(receiver.received).toHaveLength(1);
    held[0]?.destroy();
    await dead.finishJobs();
  });
});

describe('an event found by two processes', () => {
  it('is claimed by one of them', async () => {
    const endpoint = await plantTrusted();
    const other = await startAppForTest({ beside: test, settings: receiver.settings });
    for (let seat = 0; seat < 20; seat += 1) {
      await ada.takeSeat();
    }
    await Promise.all([test.runJob(TAKE), other.runJob(TAKE)]);
    await other.finishJobs();
    await test.runJobs();
    expect((await world.deliveriesOf(endpoint.id)).map((each) => `${each.status} ${each.attempts}`)).toEqual(
      Array.from({ length: 20 }, () => 'succeeded 1'),
    );
    expect(receiver.received).toHaveLength(20);
  });
});

describe('a deleted endpoint', () => {
  it('leaves nothing in flight behind', async () => {
    const held = holdAnswers();
    const endpoint = await plantTrusted();
    await ada.takeSeat();
    await test.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    await test.api.call('DELETE', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken });
    await test.runJob('webhooks.delete-cleared-endpoints');
    expect(await queued()).toEqual([]);
    await new Promise((resolve) => held[0]?.writeHead(200).end(resolve));
    await test.runJobs();
    expect(await world.deliveriesOf(endpoint.id)).toEqual([]);
    expect(await planned()).toEqual([]);
  });
});
