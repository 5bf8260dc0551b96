import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { type PlantedEndpoint, plantEndpoint } from '../../../test/harness/webhook-world.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let endpoint: PlantedEndpoint;

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
  answer(200);
  ada = await test.register();
  endpoint = await plantEndpoint(test, ada.organizationId, receiver.url());
});

const answer = (status: number) =>
  receiver.behave((_received, response) => response.writeHead(status, { connection: 'close' }).end('as told'));
const pathOf = (id: string) => `/v1/webhooks/${endpoint.id}/deliveries/${id}`;
const read = async (id: string) => (await test.api.get(pathOf(id), ada.accessToken)).body.data;
const retry = (id: string, token: string | undefined = ada.accessToken, headers?: Record<string, string>) =>
  test.api.post(`${pathOf(id)}/retry`, token, {}, headers);
const setStatus = (status: string) =>
  execute(test.database, 'update webhook_endpoint_states set status = $2, must_hold = true where endpoint_id = $1', [
    endpoint.id,
    status,
  ]);

async function plant(status: 'pending' | 'succeeded' | 'failed' | 'held', dueInSeconds = 3_600) {
  const [made] = await plantDeliveries(test, endpoint, { status, dueInSeconds });
  return made ?? { id: '', eventId: '' };
}

describe('a manual retry', () => {
  it.each(['pending', 'succeeded', 'failed', 'held'] as const)(
    'attempts a %s delivery once more immediately, and its success ends the schedule',
    async (status) => {
      const { id, eventId } = await plant(status);
      const before = await read(id);
      const { status: answered, body } = await retry(id);
      expect(answered).toBe(200);
      const { attempts: _attempts, event: _event, ...listed } = before;
      expect(body.data).toEqual(listed);
      await test.runJobs();
      expect(receiver.received.map((each) => each.event.id)).toEqual([eventId]);
      const after = await read(id);
      expect(after).toMatchObject({
        status: 'succeeded',
        attempt_count: before.attempt_count + 1,
        last_status_code: 200,
        last_error: null,
        next_attempt_at: null,
      });
      expect(after.attempts.at(-1)).toMatchObject({
        number: before.attempt_count + 1,
        trigger: 'manual',
        status_code: 200,
        error: null,
        response_excerpt: 'as told',
        address: '127.0.0.1',
      });
      const planned = 'select from webhook_planned_attempts where endpoint_id = $1';
      expect(await execute(test.database, planned, [endpoint.id])).toEqual([]);
    },
  );

  it.each(['pending', 'succeeded', 'failed', 'held'] as const)(
    'that fails leaves a %s delivery and its next attempt exactly as they were',
    async (status) => {
      answer(503);
      const { id } = await plant(status);
      const before = await read(id);
      await retry(id);
      await test.runJobs();
      expect(receiver.received).toHaveLength(1);
      const after = await read(id);
      expect([after.status, after.next_attempt_at]).toEqual([before.status, before.next_attempt_at]);
      expect(after).toMatchObject({ attempt_count: before.attempt_count + 1, last_status_code: 503 });
    },
  );

  it.each(['paused', 'disabled'])('is made while the endpoint is %s, and nothing else is', async (status) => {
    const overdue = await plant('pending', -10);
    const { id, eventId } = await plant('held');
    await setStatus(status);
    expect((await retry(id)).status).toBe(200);
    await test.runJobs();
    expect(receiver.received.map((each) => each.event.id)).toEqual([eventId]);
    expect(await read(id)).toMatchObject({ status: 'succeeded' });
    expect(await read(overdue.id)).toMatchObject({ status: 'held', attempt_count: 0 });
  });

  it('makes one attempt per call, and at most ten can wait', async () => {
    const { id } = await plant('failed');
    const calls = await Promise.all(Array.from({ length: 15 }, () => retry(id)));
    const statuses = calls.map((each) => each.status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(409)]);
    expect(calls.find((each) => each.status === 409)?.body.error.code).toBe('conflict');
    await test.runJobs();
    expect(receiver.received).toHaveLength(10);
    expect(await read(id)).toMatchObject({ attempt_count: 11, status: 'succeeded' });
    expect((await retry(id)).status).toBe(200);
    await test.runJobs();
    expect(receiver.received).toHaveLength(11);
  });

  it('is refused if a thousand manual attempts wait, for any deliveries', async () => {
    const { id } = await plant('failed');
    await execute(
      test.database,
      `insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select $1, $2, 'att_' || n, 'dlv_' || n, case when n % 2 = 0 then 'manual' else 'test' end, 0,
        clock_timestamp() + interval '1 day' from generate_series(1, 1000) n`,
      [ada.organizationId, endpoint.id],
    );
    const { status, body } = await retry(id);
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    await execute(
      test.database,
      `delete from webhook_planned_attempts where endpoint_id = $1 and due_at > clock_timestamp()`,
      [endpoint.id],
    );
    expect((await retry(id)).status).toBe(200);
    await test.runJobs();
  });

  it('is one attempt per Idempotency-Key', async () => {
    const { id } = await plant('failed');
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [await retry(id, undefined, headers), await retry(id, undefined, headers)];
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    await test.runJobs();
    expect(receiver.received).toHaveLength(1);
  });

  it('is recorded in the audit log', async () => {
    const { id } = await plant('failed');
    const { data: shown } = (await retry(id)).body;
    const [entry] = (await test.api.get('/v1/audit-log', ada.accessToken)).body.data;
    expect(entry).toMatchObject({
      action: 'webhook.delivery_retried',
      target: { type: 'webhook_delivery', id },
      after: shown,
    });
  });

  it('is refused to strangers, to members, without the scope, and for an unknown delivery', async () => {
    const { id } = await plant('failed');
    const eve = await test.register('Eve');
    const member = await joinOrganization(test, ada);
    const input = { name: 'reader', scopes: ['read:org'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    const other = await plantEndpoint(test, ada.organizationId, receiver.url('/other'));
    const elsewhere = `/v1/webhooks/${other.id}/deliveries/${id}/retry`;
    const found = [
      await test.api.call('POST', `${pathOf(id)}/retry`, { body: {} }),
      await retry(id, member.accessToken, { 'x-organization-id': ada.organizationId }),
      await retry(id, token),
      await retry(id, eve.accessToken),
      await retry('dlv_nothing'),
      await test.api.post(elsewhere, ada.accessToken, {}),
    ].map(({ status, body }) => [status, body.error.details?.resource ?? body.error.code]);
    expect(found).toEqual([
      [401, 'invalid_token'],
      [403, 'forbidden'],
      [403, 'insufficient_scope'],
      [404, 'webhook'],
      [404, 'delivery'],
      [404, 'delivery'],
    ]);
    await test.runJobs();
    expect(await read(id)).toMatchObject({ attempt_count: 1, status: 'failed' });
  });
});
