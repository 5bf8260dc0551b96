import { describe, expect } from 'vitest';
import { createDeliveryTest, deliveriesOf, stateOf } from '../../../test/harness/delivery-fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { bringForward, plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

const it = createDeliveryTest();

describe('an event', () => {
  it('reaches every subscribed endpoint of its organization once, and no other', async ({ app, receiver, ada }) => {
    const eve = await app.register('Eve');
    const all = await plantEndpoint(app, ada.organizationId, receiver.url('/all'));
    const group = await plantEndpoint(app, ada.organizationId, receiver.url('/group'), ['license.seat.*']);
    await plantEndpoint(app, ada.organizationId, receiver.url('/other'), ['org.*', 'license.expired']);
    await plantEndpoint(app, eve.organizationId, receiver.url('/eve'));
    const session = await ada.takeSeat();
    await app.runJobs();
    await app.runJobs();
    expect(receiver.received.map((each) => each.path).toSorted()).toEqual(['/all', '/group']);
    const [first] = receiver.received;
    const { data } = (await app.api.get(`/v1/events/${first?.event.id}`, ada.accessToken)).body;
    expect(receiver.received.map((each) => each.event)).toEqual([data, data]);
    expect(data).toMatchObject({ type: 'license.seat.acquired', data: { object: { session_id: session } } });
    for (const { id } of [all, group]) {
      expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts: 1, next_in_seconds: null }]);
      expect(await stateOf(app, id)).toMatchObject({ in_flight: 0, turn_at: null });
    }
  });

  it('that happened before an endpoint was created never reaches it', async ({ app, receiver, ada }) => {
    await plantEndpoint(app, ada.organizationId, receiver.url('/early'));
    await ada.takeSeat();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await plantEndpoint(app, ada.organizationId, receiver.url('/late'));
    await app.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/early']);
  });

  it('leaves nothing to send if no endpoint is subscribed', async ({ app, ada }) => {
    await ada.takeSeat();
    const waiting = 'select from unsent_events where organization_id = $1';
    expect(await execute(app.database, waiting, [ada.organizationId])).toEqual([]);
  });
});

describe('a failed delivery', () => {
  it('is attempted six times in total, each at its time, and then fails', async ({ app, receiver, ada }) => {
    receiver.behave((_received, response) => response.writeHead(500).end('not today'));
    const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
    await ada.takeSeat();
    let attemptedAtMs = performance.now();
    await app.runJobs();
    for (const [index, delay] of [60, 300, 1_800, 7_200, 86_400].entries()) {
      const [row] = await deliveriesOf(app, id);
      expect(row).toMatchObject({ status: 'pending', attempts: index + 1, last_error: 'http_status' });
      expect(row?.next_in_seconds).toBeGreaterThan(delay - 5 - (performance.now() - attemptedAtMs) / 1_000);
      expect(row?.next_in_seconds).toBeLessThanOrEqual(delay + 0.01);
      await bringForward(app, id, delay / 2);
      await app.runJobs();
      expect(receiver.received).toHaveLength(index + 1);
      await bringForward(app, id, delay / 2 + 1);
      attemptedAtMs = performance.now();
      await app.runJobs();
      expect(receiver.received).toHaveLength(index + 2);
    }
    expect(await deliveriesOf(app, id)).toMatchObject([
      { status: 'failed', attempts: 6, step: 5, next_in_seconds: null },
    ]);
    await bringForward(app, id, 1_000_000);
    await app.runJobs();
    expect(receiver.received).toHaveLength(6);
    expect(new Set(receiver.received.map((each) => each.event.id)).size).toBe(1);
    expect(new Set(receiver.received.map((each) => each.body)).size).toBe(1);
  });

  it('that succeeds at a retry is complete', async ({ app, receiver, ada }) => {
    let failures = 2;
    receiver.behave((_received, response) => response.writeHead(failures-- > 0 ? 503 : 204).end());
    const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
    await ada.takeSeat();
    await app.runJobs();
    await bringForward(app, id, 61);
    await app.runJobs();
    await bringForward(app, id, 301);
    await app.runJobs();
    expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'succeeded', attempts: 3, next_in_seconds: null }]);
    expect(await stateOf(app, id)).toMatchObject({ in_flight: 0, turn_at: null });
  });
});

describe('an endpoint that fails', () => {
  it('for five days, at least twenty times, is disabled with its reason, its admins are mailed, and its events are held', async ({
    app,
    receiver,
    ada,
  }) => {
    receiver.behave((_received, response) => response.writeHead(500).end());
    const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
    for (let seat = 0; seat < 10; seat += 1) {
      await ada.takeSeat();
    }
    await app.runJobs();
    await bringForward(app, id, 61);
    await app.runJobs();
    expect(await stateOf(app, id)).toMatchObject({ status: 'active' });
    await execute(
      app.database,
      `update webhook_endpoint_states set failing_since = failing_since - interval '5 days' where endpoint_id = $1`,
      [id],
    );
    await bringForward(app, id, 301);
    await app.runJobs();
    expect(await stateOf(app, id)).toMatchObject({ status: 'disabled', in_flight: 0 });
    expect(new Set((await deliveriesOf(app, id)).map((each) => each.status))).toEqual(new Set(['held']));
    const mails = (await app.mailsTo(ada.email)).filter((each) => each.kind === 'webhook-disabled');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.paragraphs.join(' ')).toContain(id);
    const before = receiver.received.length;
    await ada.takeSeat();
    await app.runJobs();
    expect((await deliveriesOf(app, id)).map((each) => each.status)).toEqual(Array.from({ length: 11 }, () => 'held'));
    expect(receiver.received).toHaveLength(before);
  });
});

describe('an endpoint paused during an attempt', () => {
  it('has the delivery held when the attempt is released', async ({ app, receiver, ada }) => {
    const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
    await ada.takeSeat();
    await app.runJob('webhooks.fan-out-events');
    await execute(
      app.database,
      `with claimed as (
        update webhook_planned_attempts set claim_id = 'dead', leased_until = clock_timestamp() - interval '1 second'
        where endpoint_id = $1
      ) update webhook_endpoint_states set in_flight = 1, turn_at = null, status = 'paused' where endpoint_id = $1`,
      [id],
    );
    await app.runJobs();
    expect(await deliveriesOf(app, id)).toMatchObject([{ status: 'held', attempts: 0, next_in_seconds: null }]);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('an unreadable secret', () => {
  it('fails only its own endpoint, and nothing is sent unsigned', async ({ app, receiver, ada }) => {
    const damaged = await plantEndpoint(app, ada.organizationId, receiver.url('/damaged'));
    const sound = await plantEndpoint(app, ada.organizationId, receiver.url('/sound'));
    await execute(app.database, `update webhook_secrets set secret = '\\x00' where endpoint_id = $1`, [damaged.id]);
    await ada.takeSeat();
    await app.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/sound']);
    expect(await deliveriesOf(app, sound.id)).toMatchObject([{ status: 'succeeded' }]);
    expect(await deliveriesOf(app, damaged.id)).toMatchObject([{ status: 'pending', last_error: 'signing_error' }]);
    // It is not the endpoint's fault, so it does not disable the endpoint.
    const health = 'select failures_in_row, failing_since from webhook_endpoint_states where endpoint_id = $1';
    expect(await execute(app.database, health, [damaged.id])).toEqual([{ failures_in_row: 0, failing_since: null }]);
  });
});

describe('a backlog', () => {
  it('of a hundred failing endpoints does not delay an endpoint that answers', async ({ app, receiver, ada }) => {
    receiver.behave((received, response) => response.writeHead(received.path === '/healthy' ? 200 : 500).end());
    for (let n = 0; n < 100; n += 1) {
      await plantEndpoint(app, ada.organizationId, receiver.url(`/dead-${n}`));
    }
    for (let seat = 0; seat < 20; seat += 1) {
      await ada.takeSeat();
    }
    await app.runJob('webhooks.fan-out-events');
    await plantEndpoint(app, ada.organizationId, receiver.url('/healthy'));
    await ada.takeSeat();
    await app.runJobs();
    const place = receiver.received.findIndex((each) => each.path === '/healthy');
    expect(place).toBeGreaterThan(-1);
    // Of more than two thousand attempts due before it, only a few rounds of the endpoints come first.
    expect(place).toBeLessThan(600);
    // On a busy machine, an attempt may end before it connects. Every other one is received exactly once.
    const attempted = `select count(*)::int as attempts, count(last_status_code)::int as answered
      from webhook_deliveries where organization_id = $1 and attempts = 1`;
    expect(await execute(app.database, attempted, [ada.organizationId])).toEqual([
      { attempts: 100 * 21 + 1, answered: receiver.received.length },
    ]);
  });
});
