import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import type { WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';

const it = createTest().override('options', ({ receiver }) => ({ settings: receiver.settings }));

it.beforeEach(({ receiver }) => {
  receiver.received.length = 0;
  receiver.behave((_received, response) => response.writeHead(200).end());
});

const addEndpoint = async (app: TestApp, ada: Member, receiver: WebhookReceiver, path: string): Promise<string> =>
  (await app.api.post('/v1/webhooks', ada.accessToken, { url: receiver.url(path), events: ['*'] })).body.data.id;
const remove = (app: TestApp, ada: Member, id: string) =>
  app.api.call('DELETE', `/v1/webhooks/${id}`, { token: ada.accessToken });
const createEvent = async (app: TestApp, ada: Member) => {
  const { key } = await app.issueLicense(ada.organizationId);
  const seat = { license_key: key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
  await app.api.post('/v1/licenses/acquire', ada.accessToken, seat);
};

const deleting = (app: TestApp) => app.service.jobs.find((each) => each.name === 'webhooks.delete-cleared-endpoints');

/** The tables that still contain rows of an endpoint. */
async function traceOf(app: TestApp, id: string): Promise<string[]> {
  const parts = TABLES.map(([table, column]) => `select '${table}' as name from ${table} where ${column} = $1`);
  const rows = await execute<{ name: string }>(app.database, parts.join(' union '), [id]);
  return rows.map((row) => row.name).toSorted();
}

const TABLES = [
  ['webhook_endpoints', 'id'],
  ...['endpoint_states', 'secrets', 'planned_attempts', 'deliveries', 'attempts', 'replays'].map((name) => [
    `webhook_${name}`,
    'endpoint_id',
  ]),
];

/** More history than one batch of the cleanup covers. */
const addHistory = (app: TestApp, ada: Member, id: string) =>
  execute(
    app.database,
    `with deliveries as (
      insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, created_at)
      select $1, $2, 'dlv_' || $2 || n, 'evt_' || n, 'license.expired', 'failed', clock_timestamp()
      from generate_series(1, 1200) n
    ), planned as (
      insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
      select $1, $2, 'att_' || n, 'dlv_' || $2 || n, 'replay', 2, clock_timestamp() + interval '1 day'
      from generate_series(1, 1200) n
    ), attempts as (
      insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms)
      select $1, 'dlv_' || $2 || n, m, $2, 'scheduled', clock_timestamp(), 5
      from generate_series(1, 1200) n, generate_series(1, 2) m
    )
    insert into webhook_replays (organization_id, endpoint_id, id, status, since, until, only_failed, total,
      after_created_at, after_id, created_at)
    select $1, $2, 'rpl_1', 'running', n.t, n.t, true, 5, n.t, '', n.t from (select clock_timestamp() as t) n`,
    [ada.organizationId, id],
  );

describe('a deleted endpoint', () => {
  it('receives nothing more, and its whole history is deleted', async ({ app, ada, receiver }) => {
    const [gone, other] = [
      await addEndpoint(app, ada, receiver, '/gone'),
      await addEndpoint(app, ada, receiver, '/other'),
    ];
    await createEvent(app, ada);
    await app.runJobs();
    await addHistory(app, ada, gone);
    await createEvent(app, ada);
    expect((await remove(app, ada, gone)).status).toBe(204);
    receiver.received.length = 0;
    await app.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/other']);
    expect(await traceOf(app, gone)).toEqual([]);
    expect(await traceOf(app, other)).toEqual([
      'webhook_attempts',
      'webhook_deliveries',
      'webhook_endpoint_states',
      'webhook_endpoints',
      'webhook_secrets',
    ]);
  });

  it('leaves no trace of an attempt in flight', async ({ app, ada, receiver }) => {
    const id = await addEndpoint(app, ada, receiver, '/slow');
    let answer = () => undefined as undefined;
    const arrived = new Promise<void>((resolve) =>
      receiver.behave((_received, response) => {
        answer = () => void response.writeHead(500).end();
        resolve();
      }),
    );
    await createEvent(app, ada);
    const running = app.runJobs();
    await arrived;
    await remove(app, ada, id);
    while (await deleting(app)?.run()) {
      // There is more to do immediately.
    }
    answer();
    await running;
    await app.runJobs();
    expect(await traceOf(app, id)).toEqual([]);
  });

  it('is deleted in batches of about 2,000 attempts, however many a delivery has', async ({ app, ada, receiver }) => {
    const id = await addEndpoint(app, ada, receiver, '/hammered');
    await execute(
      app.database,
      `with deliveries as (
        insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, attempts, created_at)
        select $1, $2, 'dlv_' || $2 || n, 'evt_' || n, 'license.expired', 'failed', 100, clock_timestamp()
        from generate_series(1, 60) n
      )
      insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms)
      select $1, 'dlv_' || $2 || n, m, $2, 'manual', clock_timestamp(), 5
      from generate_series(1, 60) n, generate_series(1, 100) m`,
      [ada.organizationId, id],
    );
    await remove(app, ada, id);
    expect(await deleting(app)?.run()).toBe(true);
    const count = 'select count(*)::integer as n from webhook_attempts where endpoint_id = $1';
    expect(await execute(app.database, count, [id])).toEqual([{ n: 4_000 }]);
    await app.runJobs();
    expect(await traceOf(app, id)).toEqual([]);
  });

  it('whose deletion fails repeatedly does not block others', async ({ app, ada, receiver }) => {
    const [stuck, other] = [
      await addEndpoint(app, ada, receiver, '/stuck'),
      await addEndpoint(app, ada, receiver, '/other'),
    ];
    await addHistory(app, ada, stuck);
    await addHistory(app, ada, other);
    await execute(
      app.database,
      `create table kept_deliveries (organization_id text, id text,
        foreign key (organization_id, id) references webhook_deliveries)`,
    );
    await execute(app.database, `insert into kept_deliveries values ($1, 'dlv_' || $2 || 1)`, [
      ada.organizationId,
      stuck,
    ]);
    await remove(app, ada, stuck);
    await remove(app, ada, other);
    let failures = 0;
    for (let run = 0; run < 30; run += 1) {
      await deleting(app)
        ?.run()
        .catch(() => {
          failures += 1;
        });
    }
    expect(failures).toBeGreaterThan(1);
    expect(await traceOf(app, stuck)).toContain('webhook_endpoints');
    expect(await traceOf(app, other)).toEqual([]);
    await execute(app.database, 'drop table kept_deliveries');
    // The first may only end the round in which it failed.
    await app.runJobs();
    await app.runJobs();
    expect(await traceOf(app, stuck)).toEqual([]);
  });

  it('is deleted once by twenty simultaneous requests', async ({ app, ada, receiver }) => {
    const id = await addEndpoint(app, ada, receiver, '/once');
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(app, ada, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
  });
});

describe('a deleted organization', () => {
  it('loses its endpoints, and no one else’s', async ({ app, ada, receiver }) => {
    const eve = await app.register('Eve');
    const kept = (await app.api.post('/v1/webhooks', eve.accessToken, { url: receiver.url('/eve'), events: ['*'] }))
      .body.data.id;
    const organization = (await app.api.post('/v1/orgs', ada.accessToken, { name: 'Engines' })).body.data;
    const headers = { 'x-organization-id': organization.id };
    const ids: string[] = [];
    for (const path of ['/a', '/b']) {
      const input = { url: receiver.url(path), events: ['*'] };
      const { body } = await app.api.post('/v1/webhooks', ada.accessToken, input, headers);
      ids.push(body.data.id);
      await app.api.post(`/v1/webhooks/${body.data.id}/test`, ada.accessToken, { type: 'license.expired' }, headers);
    }
    const path = `/v1/orgs/${organization.id}`;
    const deleted = await app.api.call('DELETE', path, { token: ada.accessToken, body: { confirm: 'Engines' } });
    expect(deleted.status).toBe(204);
    await app.runJobs();
    expect(receiver.received).toEqual([]);
    for (const id of ids) {
      expect(await traceOf(app, id)).toEqual([]);
    }
    expect(await traceOf(app, kept)).toContain('webhook_endpoints');
  });
});
