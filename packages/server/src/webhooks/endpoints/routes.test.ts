import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const it = createTest();

/** A public address, so that no name server is queried. Nothing is sent to it here. */
const URL = 'https://93.184.216.34/hooks';
const INPUT = { url: URL, events: ['license.seat.*', 'license.expired'], description: 'Tells the farm.' };

const create = (
  app: TestApp,
  ada: Member,
  body: unknown = INPUT,
  token = ada.accessToken,
  headers?: Record<string, string>,
) => app.api.post('/v1/webhooks', token, body, headers);
const created = async (app: TestApp, ada: Member, input: Partial<typeof INPUT> = {}) =>
  (await create(app, ada, { ...INPUT, ...input })).body.data;

describe('a created webhook endpoint', () => {
  it('is returned completely, active, with a secret that stock libraries accept', async ({ app, ada }) => {
    const answer = await create(app, ada);
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

  it('needs no description, and accepts a given secret unchanged', async ({ app, ada }) => {
    const secret = `-own-${'~!'.repeat(10)}`;
    const { data } = (await create(app, ada, { url: URL, events: ['*'], secret })).body;
    expect(data).toMatchObject({ description: null, events: ['*'], secret });
  });

  it('has each event once, in the given order', async ({ app, ada }) => {
    const { events } = await created(app, ada, { events: ['license.expired', '*', 'license.expired'] });
    expect(events).toEqual(['license.expired', '*']);
  });

  it('stores its secret encrypted, and never shows it again', async ({ app, ada }) => {
    const { id, secret } = await created(app, ada);
    const [row] = await execute<{ secret: Buffer }>(
      app.database,
      'select secret from webhook_secrets where endpoint_id = $1',
      [id],
    );
    expect(row?.secret.includes(secret.slice(6))).toBe(false);
    for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`, '/v1/audit-log']) {
      const { status, body } = await app.api.get(path, ada.accessToken);
      expect([status, JSON.stringify(body).includes(secret.slice(6))]).toEqual([200, false]);
    }
    const changed = await app.api.call('PATCH', `/v1/webhooks/${id}`, {
      token: ada.accessToken,
      body: { description: null },
    });
    expect(changed.body.data).not.toHaveProperty('secret');
  });

  it('is created once per Idempotency-Key, and returns the same secret again', async ({ app, ada }) => {
    const headers = { 'idempotency-key': 'endpoint-1' };
    const [first, again] = [
      await create(app, ada, INPUT, undefined, headers),
      await create(app, ada, INPUT, undefined, headers),
    ];
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect((await app.api.get('/v1/webhooks', ada.accessToken)).body.data).toHaveLength(1);
  });

  it('is recorded in the audit log, without its secret', async ({ app, ada }) => {
    const { secret, ...shown } = await created(app, ada);
    const { data } = (await app.api.get('/v1/audit-log', ada.accessToken)).body;
    expect(data[0]).toMatchObject({ action: 'webhook.created', target: { type: 'webhook', id: shown.id } });
    expect(JSON.stringify(data)).not.toContain(secret);
  });

  it.for([
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
  ])('is refused for its %s: %s (%#)', async ([field, reason, body], { app, ada }) => {
    const answer = await create(app, ada, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.details).toEqual({ field, reason });
  });

  it.for(['license.nope', 'license', 'license.', 'license.seat', 'nope.*', '**', 'license.*.*', '*.expired'])(
    'is refused with the event %s',
    async (event, { app, ada }) => {
      const { status, body } = await create(app, ada, { url: URL, events: ['*', event] });
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      expect(body.error.details).toEqual({ field: 'events', reason: 'unknown_event_type' });
    },
  );

  it.for(['license.*', 'license.seat.*', 'org.*', 'license.seat.acquired'])(
    'may subscribe to %s',
    async (event, { app, ada }) => {
      expect((await create(app, ada, { url: URL, events: [event] })).status).toBe(201);
    },
  );
});

describe('webhook endpoints', () => {
  it('are listed newest first and paged without gaps', async ({ app, ada }) => {
    const ids: string[] = [];
    for (const path of ['/a', '/b', '/c', '/d', '/e']) {
      ids.push((await created(app, ada, { url: URL + path })).id);
    }
    for (const sort of ['created_at', '-created_at']) {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { body } = await app.api.get(`/v1/webhooks?limit=2&sort=${sort}${cursor}`, ada.accessToken);
        seen.push(...body.data.map((each: { id: string }) => each.id));
        cursor = body.pagination.next_cursor === null ? '' : `&cursor=${body.pagination.next_cursor}`;
      } while (cursor !== '');
      expect(seen).toEqual(sort === 'created_at' ? ids : ids.toReversed());
    }
  });

  it('are filtered by status, and by a type that they subscribe to', async ({ app, ada }) => {
    const all = await created(app, ada, { events: ['*'] });
    const group = await created(app, ada, { events: ['license.seat.*'] });
    const type = await created(app, ada, { events: ['license.expired'] });
    await app.api.call('PATCH', `/v1/webhooks/${type.id}`, { token: ada.accessToken, body: { status: 'paused' } });
    const idsBy = async (query: string) =>
      (await app.api.get(`/v1/webhooks?sort=created_at&${query}`, ada.accessToken)).body.data.map(
        (each: { id: string }) => each.id,
      );
    expect(await idsBy('event=license.seat.acquired')).toEqual([all.id, group.id]);
    expect(await idsBy('event=license.expired')).toEqual([all.id, type.id]);
    expect(await idsBy('event=license.expired&status=paused')).toEqual([type.id]);
    expect(await idsBy('status=active')).toEqual([all.id, group.id]);
    expect(await idsBy('status=disabled')).toEqual([]);
    for (const query of ['event=license.*', 'status=deleted', 'url=x', 'sort=url']) {
      expect((await app.api.get(`/v1/webhooks?${query}`, ada.accessToken)).status).toBe(400);
    }
  });

  it('are not found after deletion, for every request that names them', async ({ app, ada }) => {
    const { id } = await created(app, ada);
    const path = `/v1/webhooks/${id}`;
    const token = ada.accessToken;
    expect((await app.api.call('DELETE', path, { token })).status).toBe(204);
    const answers = [
      await app.api.get(path, token),
      await app.api.call('PATCH', path, { token, body: { description: 'Back' } }),
      await app.api.call('DELETE', path, { token }),
      await app.api.post(`${path}/rotate-secret`, token, {}),
      await app.api.post(`${path}/test`, token, { type: 'license.expired' }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.code, body.error.details]).toEqual([404, 'not_found', { resource: 'webhook' }]);
    }
    expect((await app.api.get('/v1/webhooks', token)).body.data).toEqual([]);
    const entries = (await app.api.get('/v1/audit-log', token)).body.data;
    expect(entries[0]).toMatchObject({ action: 'webhook.deleted', before: { url: URL }, after: null });
  });

  it('are for admins with the scopes, and no one sees those of another organization', async ({ app, ada }) => {
    const { id } = await created(app, ada);
    const path = `/v1/webhooks/${id}`;
    const change = (token: string) => app.api.call('PATCH', path, { token, body: { description: 'Mine' } });
    expect((await app.api.get('/v1/webhooks')).status).toBe(401);
    const billing = await joinOrganization(app, ada, 'billing');
    const headers = { 'x-organization-id': ada.organizationId };
    expect((await app.api.get('/v1/webhooks', billing.accessToken, headers)).body.error).toMatchObject({
      code: 'forbidden',
      details: { required_role: 'admin' },
    });
    const scoped = { name: 'reader', scopes: ['read:org'] };
    const { token } = (await app.api.post('/v1/api-tokens', ada.accessToken, scoped)).body.data;
    expect((await app.api.get(path, token)).status).toBe(200);
    expect((await change(token)).body.error).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'admin:org' },
    });
    const eve = (await app.register('Eve')).accessToken;
    const foreign = [
      await app.api.get(path, eve),
      await change(eve),
      await app.api.call('PATCH', path, { token: eve, body: { url: 'http://10.0.0.1/' } }),
      await app.api.call('DELETE', path, { token: eve }),
      await app.api.post(`${path}/rotate-secret`, eve, {}),
      await app.api.post(`${path}/test`, eve, { type: 'license.expired' }),
    ];
    expect(foreign.map(({ body }) => body.error.code)).toEqual(foreign.map(() => 'not_found'));
    expect((await app.api.get('/v1/webhooks', eve)).body.data).toEqual([]);
    expect((await app.api.get(path, ada.accessToken)).body.data).toMatchObject(INPUT);
  });
});

describe('a single webhook endpoint', () => {
  it('shows the results of its last attempts', async ({ app, ada }) => {
    const { id } = await created(app, ada);
    const read = async () => (await app.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body.data;
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
        app.database,
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
    await app.moveClock(ada.organizationId, 8 * 86_400);
    expect((await read()).statistics.attempts).toBe(0);
  });

  it('shows no more than a thousand attempts', async ({ app, ada }) => {
    const { id } = await created(app, ada);
    await execute(
      app.database,
      `insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms, error)
      select $1, 'dlv_many' || n, 1, $2, 'scheduled', clock_timestamp() - n * interval '1 second', 5,
        case when n > 1000 then 'timeout' end from generate_series(1, 1200) n`,
      [ada.organizationId, id],
    );
    const { data } = (await app.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body;
    expect(data.statistics).toMatchObject({ attempts: 1000, failed: 0, success_rate: 1, last_failure: null });
  });
});
