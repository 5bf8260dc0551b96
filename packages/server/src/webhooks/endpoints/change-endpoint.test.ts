import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';

const it = createTest()
  .override('options', ({ receiver }) => ({ settings: receiver.settings }))
  .extend('id', async ({ app, ada, receiver }) => {
    const input = { url: receiver.url('/old'), events: ['*'], description: 'First' };
    return (await app.api.post('/v1/webhooks', ada.accessToken, input)).body.data.id as string;
  });

it.beforeEach(({ receiver }) => {
  receiver.received.length = 0;
  receiver.behave((_received, response) => response.writeHead(200).end());
});

const change = (app: TestApp, ada: Member, id: string, body: unknown, headers: Record<string, string> = {}) =>
  app.api.call('PATCH', `/v1/webhooks/${id}`, { token: ada.accessToken, body, headers });
const read = async (app: TestApp, ada: Member, id: string) =>
  (await app.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body.data;
const actions = async (app: TestApp, ada: Member) =>
  (await app.api.get('/v1/audit-log', ada.accessToken)).body.data.map((each: { action: string }) => each.action);
const stateOf = async (app: TestApp, id: string) =>
  (
    await execute<Record<string, unknown>>(
      app.database,
      `select status, must_hold, destination, failures_in_row, failing_since, is_cautious, in_flight_limit
      from webhook_endpoint_states where endpoint_id = $1`,
      [id],
    )
  )[0];
const fail = (app: TestApp, id: string, status = 'active') =>
  execute(
    app.database,
    `update webhook_endpoint_states set failures_in_row = 25, failing_since = clock_timestamp() - interval '6 days',
      in_flight_limit = 7, is_cautious = false, status = $2, disabled_reason = case when $2 = 'disabled' then 'It failed.' end
    where endpoint_id = $1`,
    [id, status],
  );
/** Creates an event that the endpoint receives. */
const createEvent = async (app: TestApp, ada: Member) => {
  const { key } = await app.issueLicense(ada.organizationId);
  const seat = { license_key: key, hardware_id: `hw_${'0'.repeat(32)}` };
  expect((await app.api.post('/v1/licenses/acquire', ada.accessToken, seat)).status).toBe(201);
};
const statuses = (app: TestApp, id: string) =>
  execute<{ status: string }>(app.database, 'select status from webhook_deliveries where endpoint_id = $1', [id]);

describe('a change of a webhook endpoint', () => {
  it('changes the given fields, keeps the others, and is recorded with before and after', async ({ app, ada, id }) => {
    const before = await read(app, ada, id);
    const answer = await change(app, ada, id, { events: ['license.*', 'license.*'], description: null });
    expect(answer.status).toBe(200);
    const { statistics, previous_secret_expires_at, ...shown } = before;
    expect(answer.body.data).toEqual({
      ...shown,
      events: ['license.*'],
      description: null,
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(answer.body.data.updated_at > before.updated_at).toBe(true);
    const [entry] = (await app.api.get('/v1/audit-log', ada.accessToken)).body.data;
    expect(entry).toMatchObject({ action: 'webhook.updated', before: shown, after: answer.body.data });
  });

  it('is not recorded if it changes nothing', async ({ app, ada, id }) => {
    const before = await read(app, ada, id);
    for (const body of [{}, { description: 'First' }, { status: 'active', events: ['*'], url: before.url }]) {
      expect((await change(app, ada, id, body)).body.data).toMatchObject({ updated_at: before.updated_at });
    }
    expect(await actions(app, ada)).not.toContain('webhook.updated');
  });

  it.for([
    ['status', 'enum', { status: 'disabled' }],
    ['events', 'length', { events: [] }],
    ['description', 'length', { description: 'x'.repeat(256) }],
    ['secret', 'unknown', { secret: 'x'.repeat(30) }],
    ['url', 'type', { url: null }],
  ])('is refused for its %s: %s', async ([field, reason, body], { app, ada, id }) => {
    const answer = await change(app, ada, id, body);
    expect([answer.status, answer.body.error.details]).toEqual([400, { field, reason }]);
  });

  it('is refused as a whole with an unknown event, and changes nothing', async ({ app, ada, id }) => {
    const before = await read(app, ada, id);
    const answer = await change(app, ada, id, { description: 'Second', status: 'paused', events: ['nope'] });
    expect([answer.status, answer.body.error.details.field]).toEqual([422, 'events']);
    expect(await read(app, ada, id)).toEqual(before);
  });

  it('is made once per Idempotency-Key', async ({ app, ada, id }) => {
    const headers = { 'idempotency-key': 'change-1' };
    const first = await change(app, ada, id, { description: 'Second' }, headers);
    await change(app, ada, id, { description: 'Third' });
    const again = await change(app, ada, id, { description: 'Second' }, headers);
    expect(again.body.data).toEqual(first.body.data);
    expect((await read(app, ada, id)).description).toBe('Third');
  });
});

describe('a changed URL', () => {
  it('counts as a new receiver with unknown health', async ({ app, ada, id }) => {
    await fail(app, id);
    await change(app, ada, id, { description: 'The same receiver' });
    expect(await stateOf(app, id)).toMatchObject({ failures_in_row: 25, in_flight_limit: 7 });
    await change(app, ada, id, { url: 'https://93.184.216.34/hooks' });
    expect(await stateOf(app, id)).toEqual({
      status: 'active',
      must_hold: false,
      destination: '93.184.216.34:443',
      failures_in_row: 0,
      failing_since: null,
      is_cautious: true,
      in_flight_limit: 10,
    });
  });

  it('receives pending deliveries', async ({ app, ada, receiver, id }) => {
    await createEvent(app, ada);
    expect((await change(app, ada, id, { url: receiver.url('/new') })).status).toBe(200);
    await app.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/new']);
  });
});

describe('a paused webhook endpoint', () => {
  it('receives nothing; its events are held, and stay held after it is enabled', async ({ app, ada, receiver, id }) => {
    expect((await change(app, ada, id, { status: 'paused' })).body.data).toMatchObject({
      status: 'paused',
      disabled_reason: null,
    });
    await createEvent(app, ada);
    await app.runJobs();
    expect([receiver.received, await statuses(app, id)]).toEqual([[], [{ status: 'held' }]]);
    expect((await change(app, ada, id, { status: 'active' })).body.data.status).toBe('active');
    await app.runJobs();
    expect([receiver.received, await statuses(app, id)]).toEqual([[], [{ status: 'held' }]]);
    const ours = (await actions(app, ada)).filter((action: string) => action.startsWith('webhook.'));
    expect(ours.slice(0, 2)).toEqual(['webhook.enabled', 'webhook.paused']);
  });

  it('receives events again once it is enabled', async ({ app, ada, receiver, id }) => {
    await change(app, ada, id, { status: 'paused' });
    await app.runJobs();
    await change(app, ada, id, { status: 'active' });
    await createEvent(app, ada);
    await app.runJobs();
    expect(receiver.received).toHaveLength(1);
  });

  it('receives pending events that were not held yet if it is enabled immediately', async ({
    app,
    ada,
    receiver,
    id,
  }) => {
    await createEvent(app, ada);
    await change(app, ada, id, { status: 'paused' });
    await change(app, ada, id, { status: 'active' });
    await app.runJobs();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a disabled webhook endpoint', () => {
  it('is enabled like a new one, without a reason, and its failures are forgotten', async ({ app, ada, id }) => {
    await fail(app, id, 'disabled');
    expect(await read(app, ada, id)).toMatchObject({ status: 'disabled', disabled_reason: 'It failed.' });
    expect((await change(app, ada, id, { status: 'active' })).body.data).toMatchObject({
      status: 'active',
      disabled_reason: null,
    });
    expect(await stateOf(app, id)).toMatchObject({ failures_in_row: 0, failing_since: null, in_flight_limit: 10 });
  });

  it('stays disabled when its URL is changed, and can be paused', async ({ app, ada, receiver, id }) => {
    await fail(app, id, 'disabled');
    expect((await change(app, ada, id, { url: receiver.url('/new') })).body.data.status).toBe('disabled');
    expect((await change(app, ada, id, { status: 'paused' })).body.data).toMatchObject({
      status: 'paused',
      disabled_reason: null,
    });
  });
});
