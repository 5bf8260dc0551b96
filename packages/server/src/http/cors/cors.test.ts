import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { makeOauthApp, obtainTokens } from '../../../test/harness/oauth-world.ts';

const ALLOWED = 'https://app.vendor.example';
const LOCAL = 'http://localhost:5173';
const CONSOLE = 'https://console.example';
const OTHER_APP = 'https://other-app.example:8443';
const FOREIGN = 'https://evil.example';
/** A token of the app at CONSOLE. */
let appToken: string;

const it = createTest({ settings: { SEATHOLD_ALLOWED_ORIGINS: `${ALLOWED}, ${LOCAL}` } }).extend(
  'owner',
  { scope: 'file' },
  ({ app }) => app.register('Ada'),
);
it.beforeAll(async ({ app, owner }) => {
  const target = await makeOauthApp(app, owner);
  await makeOauthApp(app, owner, {
    name: 'Another',
    confidential: false,
    redirect_uris: [`${OTHER_APP}/callback?from=login`, 'com.example.phone:/callback'],
  });
  appToken = (await obtainTokens(app, target, owner)).accessToken;
});

const ask = (app: TestApp, path: string, init: RequestInit) => fetch(app.api.baseUrl + path, init);

function preflight(app: TestApp, path: string, origin: string, method = 'POST'): Promise<Response> {
  const headers = {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,idempotency-key',
  };
  return ask(app, path, { method: 'OPTIONS', headers });
}

const get = (app: TestApp, path: string, origin: string, token?: string) =>
  ask(app, path, { headers: { origin, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) } });

const allowedOf = (answer: Response) => answer.headers.get('access-control-allow-origin');

describe('OPTIONS', () => {
  it('returns 204 with what the path allows, with and without an origin', async ({ app }) => {
    for (const [path, allow] of [
      ['/v1/licenses', 'GET, HEAD, OPTIONS'],
      ['/v1/licenses/acquire', 'POST, OPTIONS'],
      ['/v1/webhooks/wh_1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
      ['/v1/openapi.json', 'GET, HEAD, OPTIONS'],
      ['/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
      ['/oauth/authorize', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await ask(app, path, { method: 'OPTIONS' });
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 204, allow]);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
      expect(await answer.text()).toBe('');
    }
  });

  it('is 404 for a path that does not exist', async ({ app }) => {
    expect((await ask(app, '/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });

  it('is counted, and refused over the limit', async () => {
    const settings = { SEATHOLD_RATE_LIMITS: '{"tiers":{"free":{"minute":3}}}' };
    const limited = await startAppForTest({ settings });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      const headers = { origin: FOREIGN, 'access-control-request-method': 'GET' };
      statuses.push((await fetch(`${limited.api.baseUrl}/v1/me`, { method: 'OPTIONS', headers })).status);
    }
    expect(statuses).toEqual([204, 204, 204, 429]);
  });
});

describe('a preflight for a route with a bearer token', () => {
  it.for([ALLOWED, LOCAL, CONSOLE, OTHER_APP])('lets %s send the token', async (origin, { app }) => {
    const answer = await preflight(app, '/v1/licenses/acquire', origin);
    expect([answer.status, allowedOf(answer)]).toEqual([204, origin]);
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    const headers = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(headers).toEqual(expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']));
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.for([
    FOREIGN,
    'null',
    `${CONSOLE}.evil.example`,
    'http://console.example',
    `${CONSOLE}:444`,
    'https://CONSOLE.example',
    'com.example.phone://',
    `${ALLOWED}/`,
    '*',
    `https://${'x'.repeat(2_000)}.example`,
  ])('does not let %s', async (origin, { app }) => {
    const answer = await preflight(app, '/v1/licenses/acquire', origin);
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers.get('vary')).toBe('Origin');
  });

  it('rejects a method that the path does not support', async ({ app }) => {
    expect(allowedOf(await preflight(app, '/v1/licenses/acquire', ALLOWED, 'DELETE'))).toBeNull();
  });

  it('follows the redirect URIs of an app when it is changed or deleted', async () => {
    const own = await startAppForTest();
    const eve = await own.register('Eve');
    const app = await makeOauthApp(own, eve, { redirect_uris: ['https://one.example/callback'] });
    const path = `/v1/oauth-apps/${app.clientId}`;
    const stored = async () =>
      (await execute<{ origin: string }>(own.database, 'select origin from oauth_app_origins order by origin')).map(
        (row) => row.origin,
      );
    expect(await stored()).toEqual(['https://one.example']);
    const uris = ['https://two.example/callback', 'https://two.example/silent', 'http://127.0.0.1:4000/callback'];
    await own.api.call('PATCH', path, { token: eve.accessToken, body: { redirect_uris: uris } });
    expect(await stored()).toEqual(['http://127.0.0.1:4000', 'https://two.example']);
    await own.api.call('DELETE', path, { token: eve.accessToken });
    expect(await stored()).toEqual([]);
  });
});

describe('a response of a route with a bearer token', () => {
  it('is readable by the configured origins, for the token of any user', async ({ app, owner }) => {
    for (const token of [owner.accessToken, appToken]) {
      const answer = await get(app, '/v1/me', ALLOWED, token);
      expect([answer.status, allowedOf(answer), answer.headers.get('vary')]).toEqual([200, ALLOWED, 'Origin']);
      const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'date',
          'x-request-id',
          'x-ratelimit-remaining',
          'retry-after',
          'idempotency-replayed',
        ]),
      );
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('is readable by the token’s own app, and by no other app or site', async ({ app }) => {
    const readers = await Promise.all(
      [CONSOLE, OTHER_APP, FOREIGN].map(async (origin) => allowedOf(await get(app, '/v1/me', origin, appToken))),
    );
    expect(readers).toEqual([CONSOLE, null, null]);
  });

  it('is not readable by an app’s site if the token does not belong to an app', async ({ app, owner }) => {
    expect(allowedOf(await get(app, '/v1/me', CONSOLE, owner.accessToken))).toBeNull();
  });

  it('is readable by every permitted origin if it refuses an unknown token', async ({ app }) => {
    const readers = await Promise.all(
      [ALLOWED, CONSOLE, OTHER_APP, FOREIGN].map(async (origin) => {
        const answer = await get(app, '/v1/me', origin, 'svc_live_unknown');
        return [answer.status, allowedOf(answer)];
      }),
    );
    expect(readers).toEqual([
      [401, ALLOWED],
      [401, CONSOLE],
      [401, OTHER_APP],
      [401, null],
    ]);
  });

  it('is readable even if it is an error, and names its origin once', async ({ app, owner }) => {
    const answer = await get(app, '/v1/licenses/lic_unknown', ALLOWED, owner.accessToken);
    expect([answer.status, allowedOf(answer), answer.headers.get('vary')]).toEqual([404, ALLOWED, 'Origin']);
    const posted = await ask(app, '/v1/api-tokens', {
      method: 'POST',
      headers: { origin: ALLOWED, authorization: `Bearer ${owner.accessToken}`, 'content-type': 'text/plain' },
      body: 'x',
    });
    expect([posted.status, allowedOf(posted)]).toEqual([415, ALLOWED]);
  });

  it('varies by origin even without one', async ({ app, owner }) => {
    const answer = await ask(app, '/v1/me', { headers: { authorization: `Bearer ${owner.accessToken}` } });
    expect([answer.headers.get('vary'), allowedOf(answer)]).toEqual(['Origin', null]);
  });

  it('treats a request with only a cookie as unauthenticated', async ({ app, owner }) => {
    const answer = await ask(app, '/v1/me', {
      headers: { origin: ALLOWED, cookie: `__Host-seathold=${owner.accessToken}` },
    });
    expect(answer.status).toBe(401);
  });
});

describe('a public document', () => {
  it.for(['/v1/plans', '/v1/event-types', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    '%s can be read by any origin',
    async (path, { app, owner }) => {
      const answer = await get(app, path, FOREIGN, owner.accessToken);
      expect([answer.status, allowedOf(answer)]).toEqual([200, '*']);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      const asked = await preflight(app, path, FOREIGN, 'GET');
      expect([asked.status, allowedOf(asked)]).toEqual([204, '*']);
      expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
    },
  );

  it.for(['/v1/openapi.json', '/healthz', '/v1/auth/login', '/docs'])(
    '%s is not readable by other origins',
    async (path, { app }) => {
      expect(allowedOf(await preflight(app, path, ALLOWED, path === '/v1/auth/login' ? 'POST' : 'GET'))).toBeNull();
    },
  );
});

describe('GET /v1/plans', () => {
  it('counts a request with a valid token under its owner, and any other under the address', async () => {
    const limits = { SEATHOLD_RATE_LIMITS: JSON.stringify({ tiers: { free: { minute: 50 } } }) };
    const limited = await startAppForTest({ settings: limits });
    const eve = await limited.register('Eve');
    const remaining = async (token?: string) => {
      const answer = await limited.api.get('/v1/plans', token);
      expect(answer.status).toBe(200);
      return Number(answer.headers.get('x-ratelimit-remaining'));
    };
    const ofAddress = await remaining();
    const ofEve = await remaining(eve.accessToken);
    expect(await remaining(eve.accessToken)).toBe(ofEve - 1);
    expect(await remaining()).toBe(ofAddress - 1);
    expect(await remaining('svc_live_unknown')).toBe(ofAddress - 2);
    const me = await limited.api.get('/v1/me', eve.accessToken);
    expect(Number(me.headers.get('x-ratelimit-remaining'))).toBe(ofEve - 2);
  });
});
