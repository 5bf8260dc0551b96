import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let id: string;

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
  receiver.behave((_received, response) => response.writeHead(200).end());
  ada = await test.register();
  const input = { url: receiver.url('/old'), events: ['*'], description: 'First' };
  id = (await test.api.post('/v1/webhooks', ada.accessToken, input)).body.data.id;
});

const change = (body: unknown, headers: Record<string, string> = {}) =>
  test.api.call('PATCH', `/v1/webhooks/${id}`, { token: ada.accessToken, body, headers });
const read = async () => (await test.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body.data;
const actions = async () =>
  (await test.api.get('/v1/audit-log', ada.accessToken)).body.data.map((each: { action: string }) => each.action);
const stateOf = async () =>
  (
    await execute<Record<string, unknown>>(
      test.database,
      `select status, must_hold, destination, failures_in_row, failing_since, is_cautious, in_flight_limit
      from webhook_endpoint_states where endpoint_id = $1`,
      [id],
    )
  )[0];
const fail = (status = 'active') =>
  execute(
    test.database,
    `update webhook_endpoint_states set failures_in_row = 25, failing_since = clock_timestamp() - interval '6 days',
      in_flight_limit = 7, is_cautious = false, status = $2, disabled_reason = case when $2 = 'disabled' then 'It failed.' end
    where endpoint_id = $1`,
    [id, status],
  );
/** Makes an event that the endpoint gets. */
const happen = async () => {
  const { key } = await test.issueLicense(ada.organizationId);
  const seat = { license_key: key, hardware_id: `hw_${'0'.repeat(32)}` };
  expect((await test.api.post('/v1/licenses/acquire', ada.accessToken, seat)).status).toBe(201);
};
const statuses = () =>
  execute<{ status: string }>(test.database, 'select status from webhook_deliveries where endpoint_id = $1', [id]);

describe('a change of a webhook endpoint', () => {
  it('changes what is given, leaves the rest, and is recorded with before and after', async () => {
    const before = await read();
    const answer = await change({ events: ['license.*', 'license.*'], description: null });
    expect(answer.status).toBe(200);
    const { statistics, previous_secret_expires_at, ...shown } = before;
    expect(answer.body.data).toEqual({
      ...shown,
      events: ['license.*'],
      description: null,
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(answer.body.data.updated_at > before.updated_at).toBe(true);
    const [entry] = (await test.api.get('/v1/audit-log', ada.accessToken)).body.data;
    expect(entry).toMatchObject({ action: 'webhook.updated', before: shown, after: answer.body.data });
  });

  it('that changes nothing is recorded nowhere', async () => {
    const before = await read();
    for (const body of [{}, { description: 'First' }, { status: 'active', events: ['*'], url: before.url }]) {
      expect((await change(body)).body.data).toMatchObject({ updated_at: before.updated_at });
    }
    expect(await actions()).not.toContain('webhook.updated');
  });

  it.each([
    ['status', 'enum', { status: 'disabled' }],
    ['events', 'length', { events: [] }],
    ['description', 'length', { description: 'x'.repeat(256) }],
    ['secret', 'unknown', { secret: 'x'.repeat(30) }],
    ['url', 'type', { url: null }],
  ])('is refused for its %s: %s', async (field, reason, body) => {
    const answer = await change(body);
    expect([answer.status, answer.body.error.details]).toEqual([400, { field, reason }]);
  });

  it('is refused whole with an unknown event, and after it all is as it was', async () => {
    const before = await read();
    const answer = await change({ description: 'Second', status: 'paused', events: ['nope'] });
    expect([answer.status, answer.body.error.details.field]).toEqual([422, 'events']);
    expect(await read()).toEqual(before);
  });

  it('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'change-1' };
    const first = await change({ description: 'Second' }, headers);
    await change({ description: 'Third' });
    const again = await change({ description: 'Second' }, headers);
    expect(again.body.data).toEqual(first.body.data);
    expect((await read()).description).toBe('Third');
  });
});

describe('a changed URL', () => {
  it('is a new receiver, of whose health nothing is known', async () => {
    await fail();
    await change({ description: 'The same receiver' });
    expect(await stateOf()).toMatchObject({ failures_in_row: 25, in_flight_limit: 7 });
    await change({ url: 'https://93.184.216.34/hooks' });
    expect(await stateOf()).toEqual({
      status: 'active',
      must_hold: false,
      destination: '93.184.216.34:443',
      failures_in_row: 0,
      failing_since: null,
      is_cautious: true,
      in_flight_limit: 10,
    });
  });

  it('gets what waits', async () => {
    await happen();
    expect((await change({ url: receiver.url('/new') })).status).toBe(200);
    await test.runJobs();
    expect(receiver.received.map((each) => each.path)).toEqual(['/new']);
  });
});

describe('a paused webhook endpoint', () => {
  it('gets nothing; what happens is held, and goes on being so after it is enabled', async () => {
    expect((await change({ status: 'paused' })).body.data).toMatchObject({ status: 'paused', disabled_reason: null });
    await happen();
    await test.runJobs();
    expect([receiver.received, await statuses()]).toEqual([[], [{ status: 'held' }]]);
    expect((await change({ status: 'active' })).body.data.status).toBe('active');
    await test.runJobs();
    expect([receiver.received, await statuses()]).toEqual([[], [{ status: 'held' }]]);
    const ours = (await actions()).filter((action: string) => action.startsWith('webhook.'));
    expect(ours.slice(0, 2)).toEqual(['webhook.enabled', 'webhook.paused']);
  });

  it('that is enabled gets what happens from then on', async () => {
    await change({ status: 'paused' });
    await test.runJobs();
    await change({ status: 'active' });
    await happen();
    await test.runJobs();
    expect(receiver.received).toHaveLength(1);
  });

  it('gets what waited and was not held yet when it is enabled at once', async () => {
    await happen();
    await change({ status: 'paused' });
    await change({ status: 'active' });
    await test.runJobs();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a disabled webhook endpoint', () => {
  it('is enabled as a new one, without a reason, and its failures are forgotten', async () => {
    await fail('disabled');
    expect(await read()).toMatchObject({ status: 'disabled', disabled_reason: 'It failed.' });
    expect((await change({ status: 'active' })).body.data).toMatchObject({ status: 'active', disabled_reason: null });
    expect(await stateOf()).toMatchObject({ failures_in_row: 0, failing_since: null, in_flight_limit: 10 });
  });

  it('stays so when its URL is changed, and can be paused', async () => {
    await fail('disabled');
    expect((await change({ url: receiver.url('/new') })).body.data.status).toBe('disabled');
    expect((await change({ status: 'paused' })).body.data).toMatchObject({ status: 'paused', disabled_reason: null });
  });
});
