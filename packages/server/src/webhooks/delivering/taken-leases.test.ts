import { describe, expect } from 'vitest';
import { createDeliveryTest, deliveriesOf, stateOf } from '../../../test/harness/delivery-fixtures.ts';
import { execute, startAppForTest } from '../../../test/harness/index.ts';

const it = createDeliveryTest().extend('world', ({ app, ada }) => {
  const queued = () =>
    execute(app.database, 'select from webhook_queue where organization_id = $1', [ada.organizationId]);
  const planned = () =>
    execute(app.database, 'select from webhook_planned_attempts where organization_id = $1', [ada.organizationId]);
  return { queued, planned };
});

const TAKE = 'webhooks.fan-out-events';

describe('an attempt claimed by a process that died', () => {
  it('is made again after its lease has ended, as the same delivery', async ({ app, receiver, ada, plantTrusted }) => {
    const endpoint = await plantTrusted();
    const dead = await startAppForTest({ beside: app, settings: receiver.settings });
    const held = receiver.hold();
    await ada.takeSeat();
    await dead.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    await execute(
      app.database,
      `update webhook_queue set leased_until = clock_timestamp() - interval '1 second' where organization_id = $1`,
      [ada.organizationId],
    );
    receiver.behave((_received, response) => response.writeHead(200).end());
    await app.runJobs();
    expect(await deliveriesOf(app, endpoint.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.received.map((each) => each.headers['x-service-delivery'])).size).toBe(1);
    held[0]?.writeHead(500).end();
    await dead.finishJobs();
    expect(await deliveriesOf(app, endpoint.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await stateOf(app, endpoint.id)).toMatchObject({ in_flight: 0 });
  });

  it('is held if the endpoint was paused in the meantime', async ({ app, receiver, ada, plantTrusted }) => {
    const endpoint = await plantTrusted();
    const dead = await startAppForTest({ beside: app, settings: receiver.settings });
    const held = receiver.hold();
    await ada.takeSeat();
    await dead.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    await app.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status: 'paused' } });
    await execute(
      app.database,
      `update webhook_queue set leased_until = clock_timestamp() - interval '1 second' where organization_id = $1`,
      [ada.organizationId],
    );
    await app.runJobs();
    expect(await deliveriesOf(app, endpoint.id)).toMatchObject([{ status: 'held', attempts: 0 }]);
    expect(receiver.received).toHaveLength(1);
    held[0]?.destroy();
    await dead.finishJobs();
  });
});

describe('an event found by two processes', () => {
  it('is claimed by one of them', async ({ app, receiver, ada, plantTrusted }) => {
    const endpoint = await plantTrusted();
    const other = await startAppForTest({ beside: app, settings: receiver.settings });
    for (let seat = 0; seat < 20; seat += 1) {
      await ada.takeSeat();
    }
    await Promise.all([app.runJob(TAKE), other.runJob(TAKE)]);
    await other.finishJobs();
    await app.runJobs();
    expect((await deliveriesOf(app, endpoint.id)).map((each) => `${each.status} ${each.attempts}`)).toEqual(
      Array.from({ length: 20 }, () => 'succeeded 1'),
    );
    expect(receiver.received).toHaveLength(20);
  });
});

describe('a deleted endpoint', () => {
  it('leaves nothing in flight behind', async ({ app, receiver, ada, plantTrusted, world }) => {
    const held = receiver.hold();
    const endpoint = await plantTrusted();
    await ada.takeSeat();
    await app.runJob(TAKE);
    await expect.poll(() => held.length).toBe(1);
    await app.api.call('DELETE', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken });
    await app.runJob('webhooks.delete-cleared-endpoints');
    expect(await world.queued()).toEqual([]);
    await new Promise((resolve) => held[0]?.writeHead(200).end(resolve));
    await app.runJobs();
    expect(await deliveriesOf(app, endpoint.id)).toEqual([]);
    expect(await world.planned()).toEqual([]);
  });
});
