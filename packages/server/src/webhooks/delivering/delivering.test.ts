import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { openReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { bringForward, plantEndpoint } from '../../../test/harness/webhook-world.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let key: string;

beforeAll(async () => {
  receiver = await openReceiver();
  test = await openTestApp({ settings: receiver.settings });
});
afterAll(async () => {
  await test.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.behave((_received, response) => response.writeHead(200).end('ok'));
  ada = await test.register();
  key = (await test.issueLicense(ada.organizationId, { maxSeats: 100 })).key;
});

const takeSeat = async () =>
  (
    await test.api.post('/v1/licenses/acquire', ada.accessToken, {
      license_key: key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
    })
  ).body.data.session_id;

interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
  step: number;
  last_error: string | null;
  next_in_seconds: number | null;
}

const deliveriesOf = (endpointId: string) =>
  execute<DeliveryRow>(
    test.database,
    `select id, status, attempts, step, last_error,
      extract(epoch from next_attempt_at - clock_timestamp())::float8 as next_in_seconds
    from webhook_deliveries where endpoint_id = $1 order by created_at, id`,
    [endpointId],
  );

const stateOf = async (endpointId: string) =>
  (
    await execute<{ in_flight: number; turn_at: Date | null; status: string; is_cautious: boolean }>(
      test.database,
      'select in_flight, turn_at, status, is_cautious from webhook_endpoint_states where endpoint_id = $1',
      [endpointId],
    )
  )[0];

describe('an event', () => {
  it('reaches every endpoint of its organization that wants it once, and nobody else', async () => {
    const eve = await test.register('Eve');
    const all = await plantEndpoint(test, ada.organizationId, receiver.url('/all'));
    const group = await plantEndpoint(test, ada.organizationId, receiver.url('/group'), ['license.seat.*']);
    await plantEndpoint(test, ada.organizationId, receiver.url('/other'), ['org.*', 'license.expired']);
    await plantEndpoint(test, eve.organizationId, receiver.url('/eve'));
    const session = await takeSeat();
    await test.runJobs();
    await test.runJobs();
    expect(receiver.received.map((each) => each.path).toSorted()).toEqual(['/all', '/group']);
    const [first] = receiver.received;
    const { data } = (await test.api.get(`/v1/events/${first?.event.id}`, ada.accessToken)).body;
    expect(receiver.received.map((each) => each.event)).toEqual([data, data]);
    expect(data).toMatchObject({ type: 'license.seat.acquired', data: { object: { session_id: session } } });
    for (const { id } of [all, group]) {
      expect(await deliveriesOf(id)).toMatchObject([{ status: 'succeeded', attempts: 1, next_in_seconds: null }]);
      expect(await stateOf(id)).toMatchObject({ in_flight: 0, turn_at: null });
    }
  });

  it('that happened before an endpoint was made never reaches it', async () => {
    await plantEndpoint(test, ada.organizationId, receiver.url('/early'));
    await takeSeat();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await plantEndpoint(test, ada.organizationId, receiver.url('/late'));
    await test.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/early']);
  });

  it('leaves nothing to be sent where nobody listens', async () => {
    await takeSeat();
    const waiting = 'select from unsent_events where organization_id = $1';
    expect(await execute(test.database, waiting, [ada.organizationId])).toEqual([]);
  });
});

describe('a failed delivery', () => {
  it('is tried six times in all, each at its time, and then given up', async () => {
    receiver.behave((_received, response) => response.writeHead(500).end('not today'));
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    await takeSeat();
    await test.runJobs();
    for (const [index, delay] of [60, 300, 1_800, 7_200, 86_400].entries()) {
      const [row] = await deliveriesOf(id);
      expect(row).toMatchObject({ status: 'pending', attempts: index + 1, last_error: 'http_status' });
      expect(row?.next_in_seconds).toBeGreaterThan(delay - 5);
      expect(row?.next_in_seconds).toBeLessThanOrEqual(delay + 0.01);
      await bringForward(test, id, delay - 10);
      await test.runJobs();
      expect(receiver.received).toHaveLength(index + 1);
      await bringForward(test, id, 11);
      await test.runJobs();
      expect(receiver.received).toHaveLength(index + 2);
    }
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', attempts: 6, step: 5, next_in_seconds: null }]);
    await bringForward(test, id, 1_000_000);
    await test.runJobs();
    expect(receiver.received).toHaveLength(6);
    expect(new Set(receiver.received.map((each) => each.event.id)).size).toBe(1);
    expect(new Set(receiver.received.map((each) => each.body)).size).toBe(1);
  });

  it('that succeeds at a retry is done', async () => {
    let failures = 2;
    receiver.behave((_received, response) => response.writeHead(failures-- > 0 ? 503 : 204).end());
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    await takeSeat();
    await test.runJobs();
    await bringForward(test, id, 61);
    await test.runJobs();
    await bringForward(test, id, 301);
    await test.runJobs();
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'succeeded', attempts: 3, next_in_seconds: null }]);
    expect(await stateOf(id)).toMatchObject({ in_flight: 0, turn_at: null });
  });
});

const runJob = (name: string) => test.app.jobs.find((job) => job.name === name)?.run();

const endLeases = (endpointId: string) =>
  execute(
    test.database,
    `update webhook_planned_attempts set leased_until = clock_timestamp() - interval '1 second'
      where endpoint_id = $1 and claim_id is not null`,
    [endpointId],
  );

describe('a claim', () => {
  it('of a process that died is made again when its lease has ended', async () => {
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    await takeSeat();
    await runJob('webhooks.fan-out-events');
    await execute(
      test.database,
      `with claimed as (
        update webhook_planned_attempts set claim_id = 'dead', leased_until = clock_timestamp() - interval '1 second'
        where endpoint_id = $1
      ) update webhook_endpoint_states set in_flight = 1, turn_at = null where endpoint_id = $1`,
      [id],
    );
    await test.runJobs();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(await stateOf(id)).toMatchObject({ in_flight: 0, turn_at: null });
  });

  it('whose lease ended is worth nothing: what a stale worker learns late is not written', async () => {
    const answers: Array<() => void> = [];
    receiver.behave((_received, response) =>
      answers.push(() => response.writeHead(answers.length === 1 ? 200 : 500).end()),
    );
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    await takeSeat();
    await runJob('webhooks.fan-out-events');
    await runJob('webhooks.deliver-cautiously');
    await expect.poll(() => answers.length).toBe(1);
    await endLeases(id);
    await runJob('webhooks.return-lost-claims');
    await runJob('webhooks.deliver-cautiously');
    await expect.poll(() => answers.length).toBe(2);
    const [, answerSecond] = answers;
    answerSecond?.();
    await expect
      .poll(() => deliveriesOf(id))
      .toMatchObject([{ status: 'pending', attempts: 1, last_error: 'http_status' }]);
    answers.length = 1;
    const [answerFirst] = answers;
    answerFirst?.();
    await test.runJobs();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 1, step: 1 }]);
    expect(await stateOf(id)).toMatchObject({ in_flight: 0 });
    expect(new Set(receiver.received.map((each) => each.event.id)).size).toBe(1);
  });
});

describe('an endpoint that fails', () => {
  it('for five days, twenty times and more, is disabled with its reason, its admins are mailed, and its events are held', async () => {
    receiver.behave((_received, response) => response.writeHead(500).end());
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    for (let seat = 0; seat < 10; seat += 1) {
      await takeSeat();
    }
    await test.runJobs();
    await bringForward(test, id, 61);
    await test.runJobs();
    expect(await stateOf(id)).toMatchObject({ status: 'active' });
    await execute(
      test.database,
      `update webhook_endpoint_states set failing_since = failing_since - interval '5 days' where endpoint_id = $1`,
      [id],
    );
    await bringForward(test, id, 301);
    await test.runJobs();
    expect(await stateOf(id)).toMatchObject({ status: 'disabled', in_flight: 0 });
    expect(new Set((await deliveriesOf(id)).map((each) => each.status))).toEqual(new Set(['held']));
    const mails = (await test.mailsTo(ada.email)).filter((each) => each.kind === 'webhook-disabled');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.paragraphs.join(' ')).toContain(id);
    const before = receiver.received.length;
    await takeSeat();
    await test.runJobs();
    expect((await deliveriesOf(id)).map((each) => each.status)).toEqual(Array.from({ length: 11 }, () => 'held'));
    expect(receiver.received).toHaveLength(before);
  });
});

describe('an endpoint that somebody holds locked', () => {
  it('keeps no other endpoint from getting its events, nor results from being written', async () => {
    const locked = await plantEndpoint(test, ada.organizationId, receiver.url('/locked'));
    const free = await plantEndpoint(test, ada.organizationId, receiver.url('/free'));
    await test.database.transaction(async (tx) => {
      await execute(tx, 'select from webhook_endpoint_states where endpoint_id = $1 for update', [locked.id]);
      await takeSeat();
      await runJob('webhooks.fan-out-events');
      await runJob('webhooks.deliver-cautiously');
      await expect.poll(() => deliveriesOf(free.id)).toMatchObject([{ status: 'succeeded' }]);
      expect(receiver.received.map((each) => each.path)).toEqual(['/free']);
    });
    await test.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/free', '/locked']);
    expect(await deliveriesOf(locked.id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('gets what its attempt brought when it is free again, and the attempt is not made twice', async () => {
    const answers: Array<() => void> = [];
    receiver.behave((_received, response) => answers.push(() => response.writeHead(200).end()));
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    await takeSeat();
    await runJob('webhooks.fan-out-events');
    await runJob('webhooks.deliver-cautiously');
    await expect.poll(() => answers.length).toBe(1);
    await test.database.transaction(async (tx) => {
      await execute(tx, 'select from webhook_endpoint_states where endpoint_id = $1 for update', [id]);
      for (const answer of answers) {
        answer();
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await deliveriesOf(id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    });
    await expect.poll(() => deliveriesOf(id)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an endpoint that was paused while an attempt was under way', () => {
  it('has the delivery held when the attempt is given back', async () => {
    const { id } = await plantEndpoint(test, ada.organizationId, receiver.url());
    await takeSeat();
    await runJob('webhooks.fan-out-events');
    await execute(
      test.database,
      `with claimed as (
        update webhook_planned_attempts set claim_id = 'dead', leased_until = clock_timestamp() - interval '1 second'
        where endpoint_id = $1
      ) update webhook_endpoint_states set in_flight = 1, turn_at = null, status = 'paused' where endpoint_id = $1`,
      [id],
    );
    await test.runJobs();
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'held', attempts: 0, next_in_seconds: null }]);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('a secret that cannot be read', () => {
  it('fails its own endpoint and nobody else, and nothing is sent unsigned', async () => {
    const damaged = await plantEndpoint(test, ada.organizationId, receiver.url('/damaged'));
    const sound = await plantEndpoint(test, ada.organizationId, receiver.url('/sound'));
    await execute(test.database, `update webhook_secrets set secret = '\\x00' where endpoint_id = $1`, [damaged.id]);
    await takeSeat();
    await test.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/sound']);
    expect(await deliveriesOf(sound.id)).toMatchObject([{ status: 'succeeded' }]);
    expect(await deliveriesOf(damaged.id)).toMatchObject([{ status: 'pending', last_error: 'signing_error' }]);
    // It is no fault of the endpoint, which is not to be disabled for it.
    const health = 'select failures_in_row, failing_since from webhook_endpoint_states where endpoint_id = $1';
    expect(await execute(test.database, health, [damaged.id])).toEqual([{ failures_in_row: 0, failing_since: null }]);
  });
});

describe('a backlog', () => {
  it('of a hundred endpoints that fail does not delay an endpoint that answers', async () => {
    receiver.behave((received, response) => response.writeHead(received.path === '/healthy' ? 200 : 500).end());
    for (let n = 0; n < 100; n += 1) {
      await plantEndpoint(test, ada.organizationId, receiver.url(`/dead-${n}`));
    }
    for (let seat = 0; seat < 20; seat += 1) {
      await takeSeat();
    }
    await runJob('webhooks.fan-out-events');
    await plantEndpoint(test, ada.organizationId, receiver.url('/healthy'));
    await takeSeat();
    await test.runJobs();
    const place = receiver.received.findIndex((each) => each.path === '/healthy');
    expect(place).toBeGreaterThan(-1);
    // Of more than two thousand attempts that were due before it, no more than a few rounds of the endpoints come first.
    expect(place).toBeLessThan(600);
    expect(receiver.received).toHaveLength(100 * 21 + 1);
  });
});
