import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken, plantMeters } from '../../../test/usage/usage-world.ts';

let ada: Member;

const it = createTest({ environment: 'sandbox' })
  .extend('token', { scope: 'file' }, async ({ app }) => (await makeOperatorToken(app)).token)
  .extend(
    'record',
    ({ app, token }) =>
      (fields: object = {}, headers: Record<string, string> = {}, by = token) =>
        app.api.post(
          '/v1/operator/usage',
          by,
          { organization_id: ada.organizationId, meter: 'ai_tokens', value: 10, at: ago(1), ...fields },
          headers,
        ),
  );
it.beforeAll(async ({ app }) => {
  await plantMeters(app, { ai_tokens: 'sum', storage_gb: 'last', builds: 'max' });
});
it.beforeEach(async ({ app }) => {
  ada = await app.register();
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const used = async (app: TestApp, organization = ada) =>
  (await app.api.get('/v1/usage', organization.accessToken)).body.data;

describe('POST /v1/operator/usage', () => {
  it('records and returns usage, and counts it immediately', async ({ app, record }) => {
    const at = ago(30);
    const { status, body } = await record({ value: 12.5, at });
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^usage_/),
        organization_id: ada.organizationId,
        meter: 'ai_tokens',
        value: 12.5,
        at,
        idempotency_key: null,
        recorded_at: expect.stringMatching(/Z$/),
      },
    ]);
    await record({ value: 12.5, at });
    expect((await used(app)).ai_tokens.used).toBe(25);
  });

  it('counts usage once if it is sent again with its Idempotency-Key', async ({ app, record }) => {
    const fields = { at: ago(5) };
    const first = await record(fields, { 'idempotency-key': 'once' });
    const again = await record(fields, { 'idempotency-key': 'once' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
    expect((await record({ ...fields, value: 11 }, { 'idempotency-key': 'once' })).body.error.code).toBe(
      'idempotency_key_reused',
    );
    expect((await used(app)).ai_tokens.used).toBe(10);
  });

  it('returns the first record for the same idempotency_key forever, with any token', async ({ app, record }) => {
    const fields = { idempotency_key: 'job 4711', at: ago(5) };
    const first = await record(fields);
    const again = await record(fields, {}, (await makeOperatorToken(app)).token);
    expect([first.status, again.status, again.body.data]).toEqual([201, 200, first.body.data]);
    // Even beyond the accepted limit, the response is the first record.
    await app.moveClock(ada.organizationId, 40 * 86_400);
    expect((await record(fields)).status).toBe(200);
    expect((await record({ at: fields.at })).body.error.details).toEqual({ field: 'at', reason: 'past' });
  });

  it('refuses another value or time for an idempotency_key, which is separate per meter and organization', async ({
    app,
    record,
  }) => {
    const fields = { idempotency_key: 'a', at: ago(5) };
    await record(fields);
    for (const change of [{ value: 11 }, { at: ago(7) }]) {
      const { status, body } = await record({ ...fields, ...change });
      expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    }
    const grace = await app.register();
    expect((await record({ ...fields, meter: 'builds' })).status).toBe(201);
    expect((await record({ ...fields, organization_id: grace.organizationId })).status).toBe(201);
    expect((await used(app)).ai_tokens.used).toBe(10);
  });

  it('counts fifty simultaneous records with one key once, and fifty with different keys all, on two processes', async ({
    app,
    token,
  }) => {
    const beside = await startTestApp({ beside: app, environment: 'sandbox' });
    const at = ago(5);
    const send = (key: string, n: number) =>
      (n % 2 === 0 ? app : beside).api.post('/v1/operator/usage', token, {
        organization_id: ada.organizationId,
        meter: 'ai_tokens',
        value: 1,
        at,
        idempotency_key: key,
      });
    const same = await Promise.all(Array.from({ length: 50 }, (_, n) => send('one', n)));
    expect(same.map((answer) => answer.status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(same.map((answer) => answer.body.data.id)).size).toBe(1);
    const others = await Promise.all(Array.from({ length: 50 }, (_, n) => send(`key ${n}`, n)));
    expect(new Set(others.map((answer) => answer.status))).toEqual(new Set([201]));
    expect((await used(app)).ai_tokens.used).toBe(51);
    await beside.close();
  });

  it('keeps decimals exact: three hundred tenths are thirty', async ({ app, record }) => {
    for (let portion = 0; portion < 10; portion += 1) {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => record({ value: 0.1, at: ago(n) })));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    }
    const [{ total } = { total: '' }] = await execute<{ total: string }>(
      app.database,
      'select sum(total)::text as total from usage_hours where organization_id = $1',
      [ada.organizationId],
    );
    expect([total, (await used(app)).ai_tokens.used]).toEqual(['30.000000', 30]);
  });

  it('checks the time by the organization’s own clock', async ({ app, record }) => {
    await app.moveClock(ada.organizationId, 3600);
    expect((await record({ at: ago(-3600) })).status).toBe(201);
    const grace = await app.register();
    const early = await record({ at: ago(-3600), organization_id: grace.organizationId });
    expect(early.body.error).toMatchObject({ code: 'validation_failed', details: { field: 'at', reason: 'future' } });
  });

  it.for([
    ['a missing value', { value: undefined }, 'value', 'required'],
    ['a negative value', { value: -1 }, 'value', 'min'],
    ['a huge value', { value: 1e15 }, 'value', 'max'],
    ['a text as the value', { value: '10' }, 'value', 'type'],
    ['a seventh decimal', { value: 0.0000001 }, 'value', 'format'],
    ['no time', { at: 'yesterday' }, 'at', 'format'],
    ['an empty key', { idempotency_key: '' }, 'idempotency_key', 'format'],
    ['a long key', { idempotency_key: 'x'.repeat(256) }, 'idempotency_key', 'format'],
    ['an unknown field', { values: [] }, 'values', 'unknown'],
  ] as const)('400 for %s', async ([_name, fields, field, reason], { record }) => {
    const { status, body } = await record(fields);
    expect([status, body.error.code, body.error.details]).toEqual([400, 'invalid_request', { field, reason }]);
  });

  it('400 for a value that JSON cannot hold', async ({ app, token }) => {
    const body = `{"organization_id":"${ada.organizationId}","meter":"ai_tokens","value":1e999,"at":"${ago(1)}"}`;
    expect((await app.api.call('POST', '/v1/operator/usage', { token, body })).status).toBe(400);
  });

  it('422 for a meter that is not in the catalogue', async ({ record }) => {
    const { status, body } = await record({ meter: 'gpu_hours' });
    expect([status, body.error.code, body.error.details]).toEqual([
      422,
      'validation_failed',
      { field: 'meter', reason: 'unknown' },
    ]);
  });

  it('404 for an unknown or deleted organization', async ({ app, record }) => {
    const missing = await record({ organization_id: 'org_nothing' });
    expect([missing.status, missing.body.error.details]).toEqual([404, { resource: 'organization' }]);
    await execute(app.database, 'update organizations set deleted_at = clock_timestamp() where id = $1', [
      ada.organizationId,
    ]);
    expect((await record()).status).toBe(404);
  });

  it('401 without a token, 403 with any other', async ({ record }) => {
    expect((await record({}, {}, '')).status).toBe(401);
    const { status, body } = await record({}, {}, ada.accessToken);
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'insufficient_scope',
      { required_scope: 'operator' },
    ]);
  });
});
