import type { ServerResponse } from 'node:http';
import { describe, expect } from 'vitest';
import { createDeliveryTest, deliveriesOf, stateOf } from '../../../test/harness/delivery-fixtures.ts';
import { execute, startAppForTest } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

const it = createDeliveryTest().extend(
  'endLeases',
  ({ app }) =>
    (endpointId: string) =>
      execute(
        app.database,
        `update webhook_planned_attempts set leased_until = clock_timestamp() - interval '1 second'
      where endpoint_id = $1 and claim_id is not null`,
        [endpointId],
      ),
);

describe('a claim', () => {
  it('of a dead process is made again after its lease has ended', async ({ app, receiver, ada }) => {
    const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
    await ada.takeSeat();
    await app.runJob('webhooks.fan-out-events');
    await execute(
      app.database,
      `with claimed as (
        update webhook_planned_attempts set claim_id = 'dead', leased_until = clock_timestamp() - interval '1 second'
        where endpoint_id = $1
      ) update webhook_endpoint_states set in_flight = 1, turn_at = null where endpoint_id = $1`,
      [id],
    );
    await app.runJobs();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await stateOf(app, id)).toMatchObject({ in_flight: 0, turn_at: null });
  });

  it('with an ended lease is void: a late result of a stale worker is not written', async ({
    app,
    receiver,
    ada,
    endLeases,
  }) => {
    const stale = await startAppForTest({ beside: app, settings: receiver.settings });
    const answers = receiver.hold();
    const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
    await ada.takeSeat();
    await app.runJob('webhooks.fan-out-events');
    await stale.runJob('webhooks.deliver-slow-lane');
    await expect.poll(() => answers.length).toBe(1);
    await endLeases(id);
    await app.runJob('webhooks.release-expired-leases');
    await app.runJob('webhooks.deliver-slow-lane');
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.writeHead(500).end();
    const failed = { status: 'pending', attempts: 1, step: 1, last_error: 'http_status' };
    await expect.poll(() => deliveriesOf(app, id)).toMatchObject([failed]);
    answers[0]?.writeHead(200).end();
    await stale.finishJobs();
    expect(stale.logLines.filter((line) => line.includes('could not be written'))).toEqual([]);
    expect(await deliveriesOf(app, id)).toMatchObject([failed]);
    expect(await stateOf(app, id)).toMatchObject({ in_flight: 0 });
    const attempts = 'select number, status_code from webhook_attempts where endpoint_id = $1';
    expect(await execute(app.database, attempts, [id])).toEqual([{ number: 1, status_code: 500 }]);
    expect(new Set(receiver.received.map((each) => each.event.id)).size).toBe(1);
  });
});

describe('an endpoint locked by another transaction', () => {
  it('keeps no other endpoint from getting its events, nor results from being written', async ({
    app,
    receiver,
    ada,
  }) => {
    const locked = await plantEndpoint(app, ada.organizationId, receiver.url('/locked'));
    const free = await plantEndpoint(app, ada.organizationId, receiver.url('/free'));
    await app.database.transaction(async (tx) => {
      await execute(tx, 'select from webhook_endpoint_states where endpoint_id = $1 for update', [locked.id]);
      await ada.takeSeat();
      await app.runJob('webhooks.fan-out-events');
      await app.runJob('webhooks.deliver-slow-lane');
      await expect.poll(() => deliveriesOf(app, free.id)).toMatchObject([{ status: 'succeeded' }]);
      expect(receiver.received.map((each) => each.path)).toEqual(['/free']);
    });
    await app.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/free', '/locked']);
    expect(await deliveriesOf(app, locked.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('gets the result of its attempt when it is free again, and the attempt is not repeated', async ({
    app,
    receiver,
    ada,
  }) => {
    const answers = new Map<string, ServerResponse>();
    receiver.behave(({ path }, response) => answers.set(path, response));
    const locked = await plantEndpoint(app, ada.organizationId, receiver.url('/locked'));
    const free = await plantEndpoint(app, ada.organizationId, receiver.url('/free'));
    await ada.takeSeat();
    await app.runJob('webhooks.fan-out-events');
    await app.runJob('webhooks.deliver-slow-lane');
    await expect.poll(() => answers.size).toBe(2);
    await app.database.transaction(async (tx) => {
      await execute(tx, 'select from webhook_endpoint_states where endpoint_id = $1 for update', [locked.id]);
      await new Promise((resolve) => answers.get('/locked')?.writeHead(200).end(resolve));
      // The later response is written, so the other one was attempted.
      answers.get('/free')?.writeHead(200).end();
      await expect.poll(() => deliveriesOf(app, free.id)).toMatchObject([{ status: 'succeeded' }]);
      expect(await deliveriesOf(app, locked.id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    });
    await expect.poll(() => deliveriesOf(app, locked.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(receiver.received).toHaveLength(2);
  });
});
