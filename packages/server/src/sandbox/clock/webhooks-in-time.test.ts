import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import type { Happened } from './schemas.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

let receiver: WebhookReceiver;
let test: TestApp;
let beside: TestApp;
/** Hanging requests time out soon here. All others get the time they need on a busy machine. */
let hasty: TestApp;
let ada: Member;

beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { ...receiver.settings, SEATHOLD_WEBHOOK_TIMEOUT: '60' };
  test = await startTestApp({ environment: 'sandbox', settings });
  beside = await startTestApp({ environment: 'sandbox', settings, beside: test });
  const shortTimeouts = { ...settings, SEATHOLD_WEBHOOK_TIMEOUT: '2' };
  hasty = await startTestApp({ environment: 'sandbox', settings: shortTimeouts, beside: test });
});
afterAll(async () => {
  await hasty.close();
  await beside.close();
  await test.close();
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.behave((_received, response) => response.writeHead(200).end());
  ada = await test.register();
});

const fail = () => receiver.behave((_received, response) => response.writeHead(500).end());
const inDays = (days: number) => new Date(Date.now() + days * DAY * 1_000).toISOString();
const advance = (who: Member, seconds: number, headers?: Record<string, string>, on = test) =>
  on.api.post('/v1/sandbox/clock/advance', who.accessToken, { seconds }, headers);
const offsetOf = async (who: Member) =>
  (await test.api.get('/v1/sandbox/clock', who.accessToken)).body.data.offset_seconds;
const takeSeat = async (who: Member, terms = {}) => {
  const { key } = await test.issueLicense(who.organizationId, terms);
  const hardware_id = `hw_${randomBytes(16).toString('hex')}`;
  return (await test.api.post('/v1/licenses/acquire', who.accessToken, { license_key: key, hardware_id })).body.data;
};
const secondsBetween = (happened: readonly Happened[]) =>
  happened
    .slice(1)
    .map((each, place) => Math.floor((Date.parse(each.at) - Date.parse(happened[place]?.at ?? '')) / 1_000));
/** Runs the webhook jobs until nothing is due or in progress. */
const deliver = async (who = ada) => {
  do {
    for (const job of test.service.jobs.filter((each) => each.name.startsWith('webhooks.'))) {
      await job.run();
    }
  } while ((await execute(test.database, UNDONE, [who.organizationId])).length > 0);
};
const deliveryOf = async (endpointId: string) =>
  (await test.api.get(`/v1/webhooks/${endpointId}/deliveries`, ada.accessToken)).body.data[0];

describe('webhook retries on a moved clock', () => {
  it('happen at their scheduled times, in one call, until the schedule ends', async () => {
    fail();
    const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url(), ['license.seat.acquired']);
    await takeSeat(ada, { sessionTimeoutSeconds: 7 * DAY });
    const { happened } = (await advance(ada, 2 * DAY)).body.data;
    const attempts = happened.filter((each: Happened) => each.type === 'webhook.attempt');
    // The first was due when the move was requested, the others follow it.
    expect(secondsBetween(attempts)).toEqual([60, 300, 1_800, 7_200, 86_400]);
    const delivery = await deliveryOf(endpoint.id);
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 6 });
    expect(new Set(attempts.map((each: Happened) => `${each.id} ${each.resource_id}`))).toEqual(
      new Set([`${delivery.id} ${endpoint.id}`]),
    );
    expect(receiver.received).toHaveLength(6);
  });

  it('are signed with the real time, and contain the organization’s time', async () => {
    const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url());
    const takenFromMs = Date.now();
    await takeSeat(ada);
    const beforeMs = Date.now();
    await advance(ada, 10 * DAY);
    const [acquired, timedOut] = receiver.received;
    expect([acquired, timedOut].map((each) => each?.event.type)).toEqual([
      'license.seat.acquired',
      'license.seat.timeout',
    ]);
    const signed = Number(timedOut?.headers['webhook-timestamp']);
    expect(signed).toBeGreaterThanOrEqual(Math.floor(beforeMs / 1_000));
    expect(signed).toBeLessThanOrEqual(Date.now() / 1_000);
    // The seat was acquired a moment before that was announced. Each of the two times is rounded to a millisecond
    // separately.
    const lastHeartbeat = String(timedOut?.event.data.object.last_heartbeat);
    const between = Date.parse(timedOut?.event.created ?? '') - Date.parse(lastHeartbeat);
    expect(between).toBeGreaterThanOrEqual(180_000 - 1);
    // And no longer than the seat can have been taken before the clock was moved.
    expect(between).toBeLessThan(182_000 + beforeMs - takenFromMs);
    expect((await deliveryOf(endpoint.id)).status).toBe('succeeded');
  });

  it('are in order with everything else, and none reaches a receiver too early', async () => {
    fail();
    await plantEndpoint(test, ada.organizationId, receiver.url(), ['license.seat.*', 'license.expired']);
    const { session_id: session } = await takeSeat(ada, { expiresAt: inDays(8) });
    const { happened } = (await advance(ada, 8 * DAY + HOUR)).body.data;
    const attempt = 'webhook.attempt';
    expect(happened.map((each: Happened) => each.type)).toEqual([
      // For the acquired seat, immediately and after a minute.
      attempt,
      attempt,
      'license.seat.timeout',
      // For the timeout, immediately and after a minute; then for both, until two hours and 39 minutes are over.
      ...Array.from({ length: 8 }, () => attempt),
      'license.expiring',
      // The last for both, after a day.
      attempt,
      attempt,
      'license.expired',
      ...Array.from({ length: 4 }, () => attempt),
    ]);
    const times = happened.map((each: Happened) => Date.parse(each.at));
    expect(times).toEqual(times.toSorted((one: number, other: number) => one - other));
    const timedOut = receiver.received.find((each) => each.event.type === 'license.seat.timeout');
    expect(timedOut?.event.data.object.session_id).toBe(session);
  });

  it('wait for their time if the clock stops before it, and are shown at it', async () => {
    fail();
    const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url(), ['license.seat.acquired']);
    await takeSeat(ada, { sessionTimeoutSeconds: 7 * DAY });
    await deliver();
    const before = Date.parse((await deliveryOf(endpoint.id)).next_attempt_at);
    await advance(ada, 30);
    expect(receiver.received).toHaveLength(1);
    expect(Date.parse((await deliveryOf(endpoint.id)).next_attempt_at)).toBe(before);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    await advance(ada, 31);
    expect(receiver.received).toHaveLength(2);
  });

  it('of another organization do not move', async () => {
    fail();
    const eve = await test.register('Eve');
    await plantEndpoint(test, eve.organizationId, receiver.url('/eve'));
    await takeSeat(eve);
    await deliver(eve);
    const planned = 'select due_at from webhook_planned_attempts where organization_id = $1';
    const before = await execute(test.database, planned, [eve.organizationId]);
    await advance(ada, DAY);
    expect(await execute(test.database, planned, [eve.organizationId])).toEqual(before);
    expect(receiver.received).toHaveLength(1);
  });

  it('are skipped while the endpoint is paused, and continue when it is active again', async () => {
    fail();
    const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url(), ['license.seat.acquired']);
    await takeSeat(ada, { sessionTimeoutSeconds: 7 * DAY });
    await deliver();
    const path = `/v1/webhooks/${endpoint.id}`;
    await test.api.call('PATCH', path, { token: ada.accessToken, body: { status: 'paused' } });
    expect((await advance(ada, DAY)).body.data.count).toBe(0);
    await deliver();
    expect((await deliveryOf(endpoint.id)).status).toBe('held');
    await test.api.call('PATCH', path, { token: ada.accessToken, body: { status: 'active' } });
    receiver.behave((_received, response) => response.writeHead(200).end());
    await test.api.post(`${path}/replay`, ada.accessToken, { since: inDays(-1) });
    await deliver();
    expect((await deliveryOf(endpoint.id)).status).toBe('succeeded');
  });

  it('to a hanging receiver are waited for, one timeout each', async () => {
    receiver.behave(() => undefined);
    const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url(), ['license.seat.acquired']);
    await takeSeat(ada, { sessionTimeoutSeconds: 7 * DAY });
    const { count } = (await advance(ada, 400, undefined, hasty)).body.data;
    expect(count).toBe(3);
    expect(await deliveryOf(endpoint.id)).toMatchObject({ attempt_count: 3, status: 'pending' });
  });
});

describe('an interrupted move', () => {
  /** The process that moves Ada's clock stops renewing its lease while a receiver keeps it waiting. */
  async function interrupt(seconds: number, headers?: Record<string, string>) {
    let release = () => undefined as unknown;
    const arrived = new Promise<void>((resolve) => {
      receiver.behave((_received, response) => {
        release = () => response.writeHead(200).end();
        resolve();
      });
    });
    await plantEndpoint(test, ada.organizationId, receiver.url(), ['license.seat.timeout']);
    await takeSeat(ada);
    const first = advance(ada, seconds, headers);
    await arrived;
    const busy = await advance(ada, 60, undefined, beside);
    const repeated = headers === undefined ? undefined : await advance(ada, seconds, headers, beside);
    await execute(
      test.database,
      `update sandbox_clock_moves set leased_until = clock_timestamp() - interval '1 s' where organization_id = $1`,
      [ada.organizationId],
    );
    return { first, busy, repeated, release: () => release() };
  }

  it('continues to its target when the request is repeated, and is not added', async () => {
    const key = { 'idempotency-key': randomBytes(8).toString('hex') };
    const { first, busy, repeated, release } = await interrupt(DAY, key);
    expect(busy.body.error.code).toBe('conflict');
    expect(repeated?.body.error.code).toBe('idempotency_in_progress');
    expect((await advance(ada, HOUR, key, beside)).body.error.code).toBe('idempotency_key_reused');
    const second = advance(ada, DAY, key, beside);
    await expect.poll(async () => (await execute(test.database, LEASED, [ada.organizationId])).length).toBe(1);
    release();
    const [lost, moved] = await Promise.all([first, second]);
    // The first one comes too late: while the second is running, or after it has stored the response for both.
    expect(lost.status === 200 ? lost.body.data : lost.body.error.code).toEqual(
      lost.status === 200 ? moved.body.data : 'conflict',
    );
    expect(moved.status).toBe(200);
    expect(moved.body.data).toMatchObject({ offset_seconds: DAY, count: 2 });
    expect(await offsetOf(ada)).toBe(DAY);
    expect((await advance(ada, DAY, key)).body.data).toEqual(moved.body.data);
    expect(await offsetOf(ada)).toBe(DAY);
  });

  it('is left unfinished when another one starts', async () => {
    const beganAtMs = performance.now();
    const { first, release } = await interrupt(DAY);
    const second = advance(ada, HOUR, undefined, beside);
    await expect.poll(async () => (await execute(test.database, LEASED, [ada.organizationId])).length).toBe(1);
    release();
    const [lost, moved] = await Promise.all([first, second]);
    expect(lost.body.error.code).toBe('conflict');
    const { offset_seconds: offset } = moved.body.data;
    // Three minutes until the seat timed out, less the time since it was acquired, and the hour.
    expect(offset).toBeGreaterThan(HOUR + 170 - (performance.now() - beganAtMs) / 1_000);
    expect(offset).toBeLessThan(HOUR + 181);
    expect(await offsetOf(ada)).toBe(offset);
  });

  it('leaves nothing behind once it has ended', async () => {
    await advance(ada, DAY);
    const left = 'select from sandbox_clock_moves where organization_id = $1';
    expect(await execute(test.database, left, [ada.organizationId])).toEqual([]);
  });
});

const UNDONE = `select from webhook_planned_attempts
  where organization_id = $1 and (claim_id is not null or due_at <= clock_timestamp())
  union all select from webhook_queue where organization_id = $1
  union all select from unsent_events where organization_id = $1`;
const LEASED = 'select from sandbox_clock_moves where organization_id = $1 and leased_until > clock_timestamp()';
