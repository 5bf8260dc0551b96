import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createDeliveryTest } from '../../../test/harness/delivery-fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

const it = createDeliveryTest()
  .extend('endpoint', ({ app, receiver, ada }) => plantEndpoint(app, ada.organizationId, receiver.url()))
  .extend('hook', ({ app, receiver, ada, endpoint }) => {
    const answer = (status: number) =>
      receiver.behave((_received, response) => response.writeHead(status, { connection: 'close' }).end('as told'));
    const pathOf = (id: string) => `/v1/webhooks/${endpoint.id}/deliveries/${id}`;
    const read = async (id: string) => (await app.api.get(pathOf(id), ada.accessToken)).body.data;
    const retry = (id: string, token: string | undefined = ada.accessToken, headers?: Record<string, string>) =>
      app.api.post(`${pathOf(id)}/retry`, token, {}, headers);
    const setStatus = (status: string) =>
      execute(app.database, 'update webhook_endpoint_states set status = $2, must_hold = true where endpoint_id = $1', [
        endpoint.id,
        status,
      ]);
    async function plant(status: 'pending' | 'succeeded' | 'failed' | 'held', dueInSeconds = 3_600) {
      const [made] = await plantDeliveries(app, endpoint, { status, dueInSeconds });
      return made ?? { id: '', eventId: '' };
    }
    answer(200);
    return { answer, pathOf, read, retry, setStatus, plant };
  });

describe('a manual retry', () => {
  it.for(['pending', 'succeeded', 'failed', 'held'] as const)(
    'attempts a %s delivery once more immediately, and its success ends the schedule',
    async (status, { app, receiver, endpoint, hook }) => {
      const { id, eventId } = await hook.plant(status);
      const before = await hook.read(id);
      const { status: answered, body } = await hook.retry(id);
      expect(answered).toBe(200);
      const { attempts: _attempts, event: _event, ...listed } = before;
      expect(body.data).toEqual(listed);
      await app.runJobs();
      expect(receiver.received.map((each) => each.event.id)).toEqual([eventId]);
      const after = await hook.read(id);
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
      expect(await execute(app.database, planned, [endpoint.id])).toEqual([]);
    },
  );

  it.for(['pending', 'succeeded', 'failed', 'held'] as const)(
    'that fails leaves a %s delivery and its next attempt exactly as they were',
    async (status, { app, receiver, hook }) => {
      hook.answer(503);
      const { id } = await hook.plant(status);
      const before = await hook.read(id);
      await hook.retry(id);
      await app.runJobs();
      expect(receiver.received).toHaveLength(1);
      const after = await hook.read(id);
      expect([after.status, after.next_attempt_at]).toEqual([before.status, before.next_attempt_at]);
      expect(after).toMatchObject({ attempt_count: before.attempt_count + 1, last_status_code: 503 });
    },
  );

  it.for(['paused', 'disabled'])(
    'is made while the endpoint is %s, and nothing else is',
    async (status, { app, receiver, hook }) => {
      const overdue = await hook.plant('pending', -10);
      const { id, eventId } = await hook.plant('held');
      await hook.setStatus(status);
      expect((await hook.retry(id)).status).toBe(200);
      await app.runJobs();
      expect(receiver.received.map((each) => each.event.id)).toEqual([eventId]);
      expect(await hook.read(id)).toMatchObject({ status: 'succeeded' });
      expect(await hook.read(overdue.id)).toMatchObject({ status: 'held', attempt_count: 0 });
    },
  );

  it('makes one attempt per call, and at most ten can wait', async ({ app, receiver, hook }) => {
    const { id } = await hook.plant('failed');
    const calls = await Promise.all(Array.from({ length: 15 }, () => hook.retry(id)));
    const statuses = calls.map((each) => each.status).toSorted();
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(5).fill(409)]);
    expect(calls.find((each) => each.status === 409)?.body.error.code).toBe('conflict');
    await app.runJobs();
    expect(receiver.received).toHaveLength(10);
    expect(await hook.read(id)).toMatchObject({ attempt_count: 11, status: 'succeeded' });
    expect((await hook.retry(id)).status).toBe(200);
    await app.runJobs();
    expect(receiver.received).toHaveLength(11);
  });

  it('is refused if a thousand manual attempts wait, for any deliveries', async ({ app, ada, endpoint, hook }) => {
    const { id } = await hook.plant('failed');
    await execute(
      app.database,
      `insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select $1, $2, 'att_' || n, 'dlv_' || n, case when n % 2 = 0 then 'manual' else 'test' end, 0,
        clock_timestamp() + interval '1 day' from generate_series(1, 1000) n`,
      [ada.organizationId, endpoint.id],
    );
    const { status, body } = await hook.retry(id);
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    await execute(
      app.database,
      `delete from webhook_planned_attempts where endpoint_id = $1 and due_at > clock_timestamp()`,
      [endpoint.id],
    );
    expect((await hook.retry(id)).status).toBe(200);
    await app.runJobs();
  });

  it('is one attempt per Idempotency-Key', async ({ app, receiver, hook }) => {
    const { id } = await hook.plant('failed');
    const headers = { 'idempotency-key': 'once' };
    const [first, again] = [await hook.retry(id, undefined, headers), await hook.retry(id, undefined, headers)];
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    await app.runJobs();
    expect(receiver.received).toHaveLength(1);
  });

  it('is recorded in the audit log', async ({ app, ada, hook }) => {
    const { id } = await hook.plant('failed');
    const { data: shown } = (await hook.retry(id)).body;
    const [entry] = (await app.api.get('/v1/audit-log', ada.accessToken)).body.data;
    expect(entry).toMatchObject({
      action: 'webhook.delivery_retried',
      target: { type: 'webhook_delivery', id },
      after: shown,
    });
  });

  it('is refused to strangers, to members, without the scope, and for an unknown delivery', async ({
    app,
    receiver,
    ada,
    hook,
  }) => {
    const { id } = await hook.plant('failed');
    const eve = await app.register('Eve');
    const member = await joinOrganization(app, ada);
    const token = await createApiToken(app, ada, ['read:org']);
    const other = await plantEndpoint(app, ada.organizationId, receiver.url('/other'));
    const elsewhere = `/v1/webhooks/${other.id}/deliveries/${id}/retry`;
    const found = [
      await app.api.call('POST', `${hook.pathOf(id)}/retry`, { body: {} }),
      await hook.retry(id, member.accessToken, { 'x-organization-id': ada.organizationId }),
      await hook.retry(id, token),
      await hook.retry(id, eve.accessToken),
      await hook.retry('dlv_nothing'),
      await app.api.post(elsewhere, ada.accessToken, {}),
    ].map(({ status, body }) => [status, body.error.details?.resource ?? body.error.code]);
    expect(found).toEqual([
      [401, 'invalid_token'],
      [403, 'forbidden'],
      [403, 'insufficient_scope'],
      [404, 'webhook'],
      [404, 'delivery'],
      [404, 'delivery'],
    ]);
    await app.runJobs();
    expect(await hook.read(id)).toMatchObject({ attempt_count: 1, status: 'failed' });
  });
});
