import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

let test: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
beforeEach(async () => {
  ada = await test.register();
});

/** A public address, so that no name server is asked; nothing is sent to it here. */
const URL = 'https://93.184.216.34/hooks';
const INPUT = { url: URL, events: ['license.seat.*', 'license.expired'], description: 'Tells the farm.' };

const create = (body: unknown = INPUT, token = ada.accessToken, headers?: Record<string, string>) =>
  test.api.post('/v1/webhooks', token, body, headers);
const created = async (input: Partial<typeof INPUT> = {}) => (await create({ ...INPUT, ...input })).body.data;

describe('a webhook endpoint that is created', () => {
  it('is answered whole, active, with a secret that stock libraries take', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^wh_/),
      ...INPUT,
      status: 'active',
      disabled_reason: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.body.data.created_at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });

  it('needs no description, and takes a secret of its maker, as it is', async () => {
    const secret = `-own-${'~!'.repeat(10)}`;
    const { data } = (await create({ url: URL, events: ['*'], secret })).body;
    expect(data).toMatchObject({ description: null, events: ['*'], secret });
  });

  it('has each event once, in the order given', async () => {
    const { events } = await created({ events: ['license.expired', '*', 'license.expired'] });
    expect(events).toEqual(['license.expired', '*']);
  });

  it('keeps its secret encrypted, and shows it never again', async () => {
    const { id, secret } = await created();
    const [row] = await execute<{ secret: Buffer }>(
      test.database,
      'select secret from webhook_secrets where endpoint_id = $1',
      [id],
    );
    expect(row?.secret.includes(secret.slice(6))).toBe(false);
    for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`, '/v1/audit-log']) {
      const { status, body } = await test.api.get(path, ada.accessToken);
      expect([status, JSON.stringify(body).includes(secret.slice(6))]).toEqual([200, false]);
    }
    const changed = await test.api.call('PATCH', `/v1/webhooks/${id}`, {
      token: ada.accessToken,
      body: { description: null },
    });
    expect(changed.body.data).not.toHaveProperty('secret');
  });

  it('is made once for an Idempotency-Key, and the same secret is answered again', async () => {
    const headers = { 'idempotency-key': 'endpoint-1' };
    const [first, again] = [await create(INPUT, undefined, headers), await create(INPUT, undefined, headers)];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect((await test.api.get('/v1/webhooks', ada.accessToken)).body.data).toHaveLength(1);
  });

  it('is recorded in the audit log, without its secret', async () => {
    const { secret, ...shown } = await created();
    const { data } = (await test.api.get('/v1/audit-log', ada.accessToken)).body;
    expect(data[0]).toMatchObject({ action: 'webhook.created', target: { type: 'webhook', id: shown.id } });
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  it.each([
    ['url', 'required', { events: ['*'] }],
    ['events', 'required', { url: URL }],
    ['events', 'length', { url: URL, events: [] }],
    ['events', 'length', { url: URL, events: Array.from({ length: 101 }, () => '*') }],
    ['events', 'type', { url: URL, events: '*' }],
    ['events.0', 'type', { url: URL, events: [7] }],
    ['url', 'format', { url: 'no url', events: ['*'] }],
    ['url', 'length', { url: '', events: ['*'] }],
    ['url', 'length', { url: `https://example.com/${'x'.repeat(2000)}`, events: ['*'] }],
    ['url', 'format', { url: 'https://example.com/\0', events: ['*'] }],
    ['events.0', 'format', { url: URL, events: ['license.\ud800'] }],
    ['description', 'length', { url: URL, events: ['*'], description: 'x'.repeat(256) }],
    ['description', 'format', { url: URL, events: ['*'], description: '\udfff' }],
    ['secret', 'length', { url: URL, events: ['*'], secret: 'x'.repeat(23) }],
    ['secret', 'length', { url: URL, events: ['*'], secret: 'x'.repeat(129) }],
    ['secret', 'format', { url: URL, events: ['*'], secret: `${'x'.repeat(30)} ` }],
    ['secret', 'format', { url: URL, events: ['*'], secret: 'ü'.repeat(30) }],
    ['secret', 'type', { url: URL, events: ['*'], secret: null }],
    ['status', 'unknown', { url: URL, events: ['*'], status: 'paused' }],
  ])('is refused for its %s: %s (%#)', async (field, reason, body) => {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it.each(['license.nope', 'license', 'license.', 'license.seat', 'nope.*', '**', 'license.*.*', '*.expired'])(
    'is refused with the event %s',
    async (event) => {
      const { status, body } = await create({ url: URL, events: ['*', event] });
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      expect(body.error.details).toEqual({ field: 'events', reason: 'unknown_event_type' });
    },
  );

  it.each(['license.*', 'license.seat.*', 'org.*', 'license.seat.acquired'])('may want %s', async (event) => {
    expect((await create({ url: URL, events: [event] })).status).toBe(201);
  });
});

describe('webhook endpoints', () => {
  it('are listed newest first and paged without gaps', async () => {
    const ids: string[] = [];
    for (const path of ['/a', '/b', '/c', '/d', '/e']) {
      ids.push((await created({ url: URL + path })).id);
    }
    for (const sort of ['created_at', '-created_at']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await test.api.get(`/v1/webhooks?limit=2&sort=${sort}${cursor}`, ada.accessToken);
        seen.push(...body.data.map((each: { id: string }) => each.id));
        cursor = body.pagination.next_cursor === null ? '' : `&cursor=${body.pagination.next_cursor}`;
      } while (cursor !== '');
      expect(seen).toEqual(sort === 'created_at' ? ids : ids.toReversed());
    }
  });

  it('are filtered by status, and by the type that they would get', async () => {
    const all = await created({ events: ['*'] });
    const group = await created({ events: ['license.seat.*'] });
    const type = await created({ events: ['license.expired'] });
    await test.api.call('PATCH', `/v1/webhooks/${type.id}`, { token: ada.accessToken, body: { status: 'paused' } });
    const idsBy = async (query: string) =>
      (await test.api.get(`/v1/webhooks?sort=created_at&${query}`, ada.accessToken)).body.data.map(
        (each: { id: string }) => each.id,
      );
    expect(await idsBy('event=license.seat.acquired')).toEqual([all.id, group.id]);
    expect(await idsBy('event=license.expired')).toEqual([all.id, type.id]);
    expect(await idsBy('event=license.expired&status=paused')).toEqual([type.id]);
    expect(await idsBy('status=active')).toEqual([all.id, group.id]);
    expect(await idsBy('status=disabled')).toEqual([]);
    for (const query of ['event=license.*', 'status=deleted', 'url=x', 'sort=url']) {
      expect((await test.api.get(`/v1/webhooks?${query}`, ada.accessToken)).status).toBe(400);
    }
  });

  it('are gone when they are deleted, for every request that names them', async () => {
    const { id } = await created();
    const path = `/v1/webhooks/${id}`;
    const token = ada.accessToken;
    expect((await test.api.call('DELETE', path, { token })).status).toBe(204);
    const answers = [
      await test.api.get(path, token),
      await test.api.call('PATCH', path, { token, body: { description: 'Back' } }),
      await test.api.call('DELETE', path, { token }),
      await test.api.post(`${path}/rotate-secret`, token, {}),
      await test.api.post(`${path}/test`, token, { type: 'license.expired' }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.code, body.error.details]).toEqual([404, 'not_found', { resource: 'webhook' }]);
    }
    expect((await test.api.get('/v1/webhooks', token)).body.data).toEqual([]);
    const entries = (await test.api.get('/v1/audit-log', token)).body.data;
    expect(entries[0]).toMatchObject({ action: 'webhook.deleted', before: { url: URL }, after: null });
  });

  it('are for admins with the scopes, and nobody sees those of another organization', async () => {
    const { id } = await created();
    const path = `/v1/webhooks/${id}`;
    const change = (token: string) => test.api.call('PATCH', path, { token, body: { description: 'Mine' } });
    expect((await test.api.get('/v1/webhooks')).status).toBe(401);
    const billing = await joinOrganization(test, ada, 'billing');
    const headers = { 'x-organization-id': ada.organizationId };
    expect((await test.api.get('/v1/webhooks', billing.accessToken, headers)).body.error).toMatchObject({
      code: 'forbidden',
      details: { required_role: 'admin' },
    });
    const scoped = { name: 'reader', scopes: ['read:org'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, scoped)).body.data;
    expect((await test.api.get(path, token)).status).toBe(200);
    expect((await change(token)).body.error).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'admin:org' },
    });
    const eve = (await test.register('Eve')).accessToken;
    const foreign = [
      await test.api.get(path, eve),
      await change(eve),
      await test.api.call('PATCH', path, { token: eve, body: { url: 'http://10.0.0.1/' } }),
      await test.api.call('DELETE', path, { token: eve }),
      await test.api.post(`${path}/rotate-secret`, eve, {}),
      await test.api.post(`${path}/test`, eve, { type: 'license.expired' }),
    ];
    expect(foreign.map(({ body }) => body.error.code)).toEqual(foreign.map(() => 'not_found'));
    expect((await test.api.get('/v1/webhooks', eve)).body.data).toEqual([]);
    expect((await test.api.get(path, ada.accessToken)).body.data).toMatchObject(INPUT);
  });
});

describe('one webhook endpoint', () => {
  it('tells how its last attempts went', async () => {
    const { id } = await created();
    const read = async () => (await test.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body.data;
    expect(await read()).toMatchObject({
      previous_secret_expires_at: null,
      statistics: {
        attempts: 0,
        succeeded: 0,
        failed: 0,
        success_rate: null,
        p95_duration_ms: null,
        last_failure: null,
      },
    });
    const attempt = (minutesAgo: number, durationMs: number, statusCode: number | null, error: string | null) =>
      execute(
        test.database,
        `insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms,
          status_code, error)
        values ($1, 'dlv_' || $3::integer, 1, $2, 'scheduled', clock_timestamp() - $3::integer * interval '1 minute', $4, $5, $6)`,
        [ada.organizationId, id, minutesAgo, durationMs, statusCode, error],
      );
    await attempt(8 * 24 * 60, 9_000, null, 'timeout');
    await attempt(60, 500, 502, 'http_status');
    await attempt(59, 700, null, 'dns_error');
    for (let each = 1; each <= 18; each += 1) {
      await attempt(each, each * 10, 200, null);
    }
    expect((await read()).statistics).toEqual({
      attempts: 20,
      succeeded: 18,
      failed: 2,
      success_rate: 0.9,
      p95_duration_ms: 500,
      last_failure: { at: expect.stringMatching(/Z$/), error: 'dns_error', status_code: null },
    });
    await test.moveClock(ada.organizationId, 8 * 86_400);
    expect((await read()).statistics.attempts).toBe(0);
  });

  it('shows no more than a thousand attempts', async () => {
    const { id } = await created();
    await execute(
      test.database,
      `insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms, error)
      select $1, 'dlv_many' || n, 1, $2, 'scheduled', clock_timestamp() - n * interval '1 second', 5,
        case when n > 1000 then 'timeout' end from generate_series(1, 1200) n`,
      [ada.organizationId, id],
    );
    const { data } = (await test.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body;
    expect(data.statistics).toMatchObject({ attempts: 1000, failed: 0, success_rate: 1, last_failure: null });
  });
});
