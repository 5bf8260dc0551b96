import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startAppForTest, startTestApp, type TestApp } from '../../test/harness/index.ts';

describe('rate limits', () => {
  const limits = { SEATHOLD_RATE_LIMITS: JSON.stringify({ tiers: { free: { minute: 60, hour: 1000, day: 10000 } } }) };

  it('refuse the 61st request of a minute with everything a client needs to wait', async () => {
    const test = await startAppForTest({ settings: limits });
    const ada = await test.register();
    const answers = [];
    for (let n = 0; n < 62; n += 1) {
      answers.push(await test.api.get('/v1/me', ada.accessToken));
    }
    const allowed = answers.filter((each) => each.status === 200);
    // The registration requested the profile once.
    expect(allowed).toHaveLength(59);
    const refused = answers.at(-1);
    expect(refused?.body.error.code).toBe('rate_limit_exceeded');
    const { limit, reset_at: resetAt, retry_after: retryAfter } = refused?.body.error.details ?? {};
    expect(limit).toBe(60);
    expect(refused?.headers.get('retry-after')).toBe(String(retryAfter));
    expect(Date.parse(resetAt) / 1000).toBe(Number(refused?.headers.get('x-ratelimit-reset')));
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(refused?.headers.get('ratelimit')).toContain('"hour";r=940');
  });

  it('count all tokens of a user in an organization together, and each user separately', async () => {
    const test = await startAppForTest({ settings: limits });
    const ada = await test.register();
    const eve = await test.register('Eve');
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, { name: 'x', scopes: ['read:profile'] }))
      .body.data;
    const remaining = async (bearer: string) =>
      Number((await test.api.get('/v1/me', bearer)).headers.get('x-ratelimit-remaining'));
    const before = await remaining(ada.accessToken);
    expect(await remaining(token)).toBe(before - 1);
    expect(await remaining(eve.accessToken)).toBe(58);
  });

  it('apply the endpoint’s own limit in addition to the tier’s', async () => {
    const test = await startAppForTest({ settings: limits });
    const ada = await test.register();
    const license = await test.issueLicense(ada.organizationId, { maxSeats: 10 });
    const statuses = [];
    for (let n = 0; n < 22; n += 1) {
      const body = { license_key: license.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
      statuses.push((await test.api.post('/v1/licenses/acquire', ada.accessToken, body)).status);
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await test.api.get('/v1/me', ada.accessToken)).status).toBe(200);
  });

  it('count requests but never refuse them when switched off, and never refuse probes', async () => {
    const test = await startAppForTest();
    const ada = await test.register();
    for (let n = 0; n < 70; n += 1) {
      expect((await test.api.get('/v1/me', ada.accessToken)).status).toBe(200);
      expect((await test.api.get('/healthz')).status).toBe(200);
    }
    expect((await test.api.get('/v1/me', ada.accessToken)).headers.get('x-ratelimit-remaining')).toBe('0');
  });

  it('follow the tier of the organization', async () => {
    const test = await startAppForTest({ settings: limits });
    const ada = await test.register();
    await execute(test.database, `update organizations set tier = 'enterprise' where id = $1`, [ada.organizationId]);
    expect((await test.api.get('/v1/licenses', ada.accessToken)).headers.get('x-ratelimit-limit')).toBe('1000');
    expect((await test.api.get('/v1/me', ada.accessToken)).headers.get('x-ratelimit-limit')).toBe('1000');
  });
});

describe('Idempotency-Key', () => {
  let test: TestApp;
  let ada: Member;

  beforeAll(async () => {
    test = await startTestApp();
    ada = await test.register();
    return () => test.close();
  });

  const key = () => ({ 'idempotency-key': randomBytes(8).toString('hex') });
  const makeToken = (headers: Record<string, string>, name = 'ci', who = ada) =>
    test.api.post('/v1/api-tokens', who.accessToken, { name, scopes: ['read:profile'] }, headers);

  it('repeats the first response, including its one-time secret, and runs the request once', async () => {
    const headers = key();
    const first = await makeToken(headers);
    const again = await makeToken(headers);
    expect(again.status).toBe(201);
    expect(again.body.data).toEqual(first.body.data);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    const kept = await execute<{ answer: Buffer }>(test.database, 'select answer from idempotency_keys');
    expect(kept.map((row) => row.answer.toString('latin1')).join()).not.toContain(first.body.data.token);
  });

  it('refuses a different request with the same key, and lets other users use the same key', async () => {
    const headers = key();
    await makeToken(headers);
    const other = await makeToken(headers, 'other');
    expect(other.status).toBe(422);
    expect(other.body.error.code).toBe('idempotency_key_reused');
    const eve = await test.register('Eve');
    expect((await makeToken(headers, 'ci', eve)).headers.get('idempotency-replayed')).toBeNull();
  });

  it('stores no refusal, so a failed request can be retried', async () => {
    const headers = key();
    const license = await test.issueLicense(ada.organizationId, { maxSeats: 1 });
    const acquire = (hardwareId: string, with_ = {}) =>
      test.api.post(
        '/v1/licenses/acquire',
        ada.accessToken,
        { license_key: license.key, hardware_id: hardwareId },
        with_,
      );
    const [mine, theirs] = [`hw_${randomBytes(16).toString('hex')}`, `hw_${randomBytes(16).toString('hex')}`];
    const held = (await acquire(theirs)).body.data.session_id;
    expect((await acquire(mine, headers)).status).toBe(409);
    await test.api.post('/v1/licenses/release', ada.accessToken, { session_id: held });
    expect((await acquire(mine, headers)).status).toBe(201);
  });

  it('runs once for many simultaneous requests on two processes', async () => {
    const second = await startTestApp({ beside: test });
    const headers = key();
    const ask = (api: TestApp['api']) =>
      api.post('/v1/api-tokens', ada.accessToken, { name: 'both', scopes: ['read:profile'] }, headers);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n % 2 === 0 ? test.api : second.api)));
    await second.close();
    expect(new Set(answers.map((each) => each.body.data.token)).size).toBe(1);
    expect(answers.filter((each) => each.headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  it('is forgotten after 24 hours', async () => {
    const headers = key();
    const first = await makeToken(headers);
    await execute(test.database, `update idempotency_keys set created_at = created_at - interval '25 hours'`);
    const second = await makeToken(headers);
    expect(second.body.data.token).not.toBe(first.body.data.token);
    await execute(test.database, `update idempotency_keys set created_at = created_at - interval '25 hours'`);
    await test.runJobs();
    expect(await execute(test.database, 'select key from idempotency_keys')).toEqual([]);
  });

  it.each(['', 'x'.repeat(256), 'tab\there'])(
    'refuses a key that is not 1 to 255 printable characters: %j',
    async (text) => {
      const answer = await makeToken({ 'idempotency-key': text });
      expect(answer.status).toBe(400);
      expect(answer.body.error.details.field).toBe('Idempotency-Key');
    },
  );
});

describe('the built-in routes', () => {
  it('serve health, readiness, metrics and the whole API', async () => {
    const test = await startAppForTest();
    expect((await test.api.get('/healthz')).body).toEqual({ status: 'ok' });
    expect((await test.api.get('/readyz')).body).toEqual({ status: 'ready' });
    const metrics = (await test.api.get('/metrics')).body;
    expect(metrics).toMatch(/seathold_http_request_duration_seconds_count\{/);
    expect(metrics).toMatch(/seathold_process_resident_memory_bytes/);
    const document = (await test.api.get('/v1/openapi.json')).body;
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/v1/licenses/acquire');
    const docs = await test.api.get('/docs');
    expect(docs.body).toContain('/docs/scalar.js');
    expect(docs.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await test.api.get('/docs/scalar.js')).body.length).toBeGreaterThan(1_000_000);
  });

  it('serve the default picture of users, which may load or run nothing', async () => {
    const test = await startAppForTest();
    const ada = await test.register();
    const { avatar_url: address } = (await test.api.get('/v1/me', ada.accessToken)).body.data;
    expect(address).toBe('https://api.test/avatar.svg');
    const picture = await fetch(test.api.baseUrl + new URL(address).pathname);
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
    });
    const text = await picture.text();
    expect(text.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    expect(text).not.toMatch(/style|script|href/);
  });

  it('serve metrics to strangers only with the token', async () => {
    const test = await startAppForTest({ settings: { SEATHOLD_METRICS_TOKEN: 'metrics-metrics-metrics' } });
    expect((await test.api.get('/metrics')).status).toBe(401);
    expect((await test.api.get('/metrics', 'metrics-metrics-metricx')).status).toBe(401);
    expect((await test.api.get('/metrics', 'metrics-metrics-metrics')).status).toBe(200);
  });

  it('are not ready while a migration is missing', async () => {
    const test = await startAppForTest();
    await execute(test.database, `delete from migrations where name = (select max(name) from migrations)`);
    const answer = await test.api.get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).not.toBeNull();
  });
});
