import { describe, expect } from 'vitest';
import { execute, startTestApp, type TestApp } from '../../test/harness/index.ts';
import {
  createOauthTest,
  credentialsOf,
  makeOauthApp,
  obtainCode,
  obtainTokens,
  postForm,
  redeem,
  refresh,
  VERIFIER,
} from '../../test/harness/oauth-world.ts';

const it = createOauthTest();

const meStatus = async (app: TestApp, token: string) => (await app.api.get('/v1/me', token)).status;

describe('POST /token with a code', () => {
  it('200: returns opaque tokens that the API accepts immediately, in the organization of the grant', async ({
    app,
    admin,
    server,
  }) => {
    const code = await obtainCode(app, server, admin, { scope: 'read:profile read:org' });
    expect(code).toMatch(/^svc_oac_[0-9A-Za-z]{42}$/);
    const { status, body, headers } = await redeem(app, server, code);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read:profile read:org' });
    expect(body.access_token).toMatch(/^svc_oat_[0-9A-Za-z]{42}$/);
    expect(body.refresh_token).toMatch(/^svc_ort_[0-9A-Za-z]{42}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    const me = await app.api.get('/v1/me', body.access_token);
    expect(me.body.data).toMatchObject({ id: admin.userId, organization: { id: admin.organizationId } });
    expect((await app.api.get('/v1/projects', body.access_token)).body.error.code).toBe('insufficient_scope');
    expect((await app.api.get('/v1/api-tokens', body.access_token)).body.error.code).toBe('forbidden');
  });

  it('accepts the secret by Basic authentication as well', async ({ app, admin, server }) => {
    const basic = Buffer.from(`${server.clientId}:${server.clientSecret}`).toString('base64');
    const code = await obtainCode(app, server, admin);
    const form = { grant_type: 'authorization_code', code, redirect_uri: server.redirectUri };
    const { status } = await postForm(app, 'token', form, { authorization: `Basic ${basic}` });
    expect(status).toBe(200);
  });

  it('401 invalid_client: a wrong secret, no secret, an unknown app; with WWW-Authenticate if Basic was used', async ({
    app,
    admin,
    server,
  }) => {
    const code = await obtainCode(app, server, admin);
    const wrong = await redeem(app, server, code, { client_secret: `${server.clientSecret}x` });
    expect([wrong.status, wrong.body.error, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    const none = await redeem(app, { ...server, clientSecret: undefined }, code);
    expect([none.status, none.body.error]).toEqual([401, 'invalid_client']);
    const unknown = await redeem(app, server, code, { client_id: 'app_unknown' });
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client']);
    const odd = await redeem(app, server, code, { client_id: 'app\0' });
    expect([odd.status, odd.body.error]).toEqual([401, 'invalid_client']);
    const authorization = `Basic ${Buffer.from(`${server.clientId}:nonsense`).toString('base64')}`;
    const basic = await postForm(app, 'token', { grant_type: 'refresh_token' }, { authorization });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await redeem(app, server, code)).status).toBe(200);
  });

  it('accepts either of two secrets during a rotation', async ({ app, admin }) => {
    const oauthApp = await makeOauthApp(app, admin);
    const rotated = await app.api.post(`/v1/oauth-apps/${oauthApp.clientId}/rotate-secret`, admin.accessToken, {
      overlap_seconds: 3600,
    });
    const successor = { ...oauthApp, clientSecret: rotated.body.data.client_secret };
    const { refreshToken } = await obtainTokens(app, oauthApp, admin);
    expect((await refresh(app, successor, refreshToken)).status).toBe(200);
    expect((await refresh(app, oauthApp, refreshToken)).status).toBe(200);
    await execute(
      app.database,
      'update oauth_client_secrets set expires_at = clock_timestamp() where app_id = $1 and expires_at is not null',
      [oauthApp.clientId],
    );
    expect((await refresh(app, oauthApp, refreshToken)).body.error).toBe('invalid_client');
    expect((await refresh(app, successor, refreshToken)).status).toBe(200);
  });

  it('400 invalid_grant: another app, another redirect URI, a wrong or missing verifier, an expired code', async ({
    app,
    admin,
    server,
    phone,
  }) => {
    const code = await obtainCode(app, phone, admin);
    const refused = async (answer: ReturnType<typeof redeem>) => {
      const { status, body } = await answer;
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    };
    await refused(redeem(app, server, code));
    await refused(redeem(app, phone, code, { redirect_uri: 'com.example.console:/other' }));
    await refused(redeem(app, phone, code, { code_verifier: `${VERIFIER}x` }));
    await refused(redeem(app, phone, code, { code_verifier: '' }));
    await refused(redeem(app, phone, 'svc_oac_unknown'));
    await execute(app.database, `update oauth_artifacts set expires_at = clock_timestamp() where model = $1`, [
      'AuthorizationCode',
    ]);
    await refused(redeem(app, phone, code));
  });

  it('415, 413, 400 in the form of RFC 6749: no form, an oversized form, an unknown grant type', async ({
    app,
    server,
  }) => {
    const send = async (init: RequestInit) => {
      const response = await fetch(`${app.api.baseUrl}/oauth/token`, { method: 'POST', ...init });
      return [response.status, Object.keys(JSON.parse(await response.text()))];
    };
    const shape = ['error', 'error_description'];
    expect(await send({ body: '{}', headers: { 'content-type': 'application/json' } })).toEqual([415, shape]);
    expect(await send({})).toEqual([415, shape]);
    expect(await send({ body: new URLSearchParams({ code: 'x'.repeat(100_000) }) })).toEqual([413, shape]);
    const odd = await postForm(app, 'token', { grant_type: 'password', ...credentialsOf(server) });
    expect([odd.status, odd.body.error]).toEqual([400, 'unsupported_grant_type']);
  });

  it('405 with Allow for other methods, in JSON even for browsers', async ({ app }) => {
    const response = await fetch(`${app.api.baseUrl}/oauth/token`, { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('allows a browser app on the origins of its redirect URIs, and no other site', async ({ app, server, phone }) => {
    const from = (origin: string) =>
      postForm(app, 'token', { grant_type: 'refresh_token', refresh_token: 'x', ...credentialsOf(server) }, { origin });
    const own = await from('https://console.example');
    expect([own.body.error, own.headers.get('access-control-allow-origin')]).toEqual([
      'invalid_grant',
      'https://console.example',
    ]);
    const other = await from('https://evil.example');
    expect([other.body.error, other.headers.get('access-control-allow-origin')]).toEqual(['invalid_request', null]);
    const native = { grant_type: 'refresh_token', refresh_token: 'x', ...credentialsOf(phone) };
    expect((await postForm(app, 'token', native, { origin: 'null' })).body.error).toBe('invalid_request');
    const preflight = await fetch(`${app.api.baseUrl}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://console.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    expect((await fetch(`${app.api.baseUrl}/oauth/token`, { method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('a code used twice', () => {
  it('returns 400 and ends the tokens made from it, but no others of the same user and app', async ({
    app,
    admin,
    server,
  }) => {
    const other = await obtainTokens(app, server, admin);
    const code = await obtainCode(app, server, admin);
    const first = (await redeem(app, server, code)).body;
    expect(await meStatus(app, first.access_token)).toBe(200);
    const again = await redeem(app, server, code);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect((await app.api.get('/v1/me', first.access_token)).body.error.code).toBe('invalid_token');
    expect((await refresh(app, server, first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await meStatus(app, other.accessToken)).toBe(200);
    expect((await refresh(app, server, other.refreshToken)).status).toBe(200);
  });
});

describe('POST /token with a refresh token', () => {
  it('a confidential app keeps its refresh token, and each use extends it', async ({ app, admin, server }) => {
    const { refreshToken, accessToken } = await obtainTokens(app, server, admin);
    await execute(
      app.database,
      `update oauth_artifacts set expires_at = clock_timestamp() + interval '1 day' where model = 'RefreshToken'`,
    );
    const first = await refresh(app, server, refreshToken);
    expect([first.status, first.body.refresh_token]).toEqual([200, refreshToken]);
    expect(first.body.access_token).not.toBe(accessToken);
    expect([await meStatus(app, accessToken), await meStatus(app, first.body.access_token)]).toEqual([200, 200]);
    expect((await refresh(app, server, refreshToken)).status).toBe(200);
    const [row] = await execute<{ days: number }>(
      app.database,
      `select max(extract(epoch from expires_at - clock_timestamp()) / 86400)::float as days from oauth_artifacts where model = 'RefreshToken'`,
    );
    expect(row?.days).toBeGreaterThan(29.9);
  });

  it("a public app's refresh token rotates; reuse ends its whole family", async ({ app, admin, phone }) => {
    const { refreshToken, accessToken } = await obtainTokens(app, phone, admin);
    const second = (await refresh(app, phone, refreshToken)).body;
    expect(second.refresh_token).not.toBe(refreshToken);
    const third = (await refresh(app, phone, second.refresh_token)).body;
    expect(await meStatus(app, third.access_token)).toBe(200);
    const reused = await refresh(app, phone, refreshToken);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    for (const token of [accessToken, second.access_token, third.access_token]) {
      expect(await meStatus(app, token)).toBe(401);
    }
    expect((await refresh(app, phone, third.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('narrows the scopes on request, never widens them', async ({ app, admin, server }) => {
    const { refreshToken } = await obtainTokens(app, server, admin, { scope: 'read:profile read:org' });
    const narrowed = await refresh(app, server, refreshToken, { scope: 'read:org' });
    expect(narrowed.body.scope).toBe('read:org');
    expect((await app.api.get('/v1/me', narrowed.body.access_token)).body.error.code).toBe('insufficient_scope');
    const wider = await refresh(app, server, refreshToken, { scope: 'read:org admin:org' });
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('400 invalid_grant for a token of another app, and for an expired one', async ({ app, admin, server, phone }) => {
    const { refreshToken } = await obtainTokens(app, phone, admin);
    expect((await refresh(app, server, refreshToken)).body.error).toBe('invalid_grant');
    await execute(
      app.database,
      `update oauth_artifacts set expires_at = clock_timestamp() where model = 'RefreshToken'`,
    );
    expect((await refresh(app, phone, refreshToken)).body.error).toBe('invalid_grant');
  });
});

describe('50 simultaneous uses', () => {
  it.for(['a code', "a public app's refresh token"])(
    'of %s give one success, on two processes',
    async (kind, { app, admin, phone }) => {
      const second = await startTestApp({ beside: app });
      const both = [app, second];
      await Promise.all(
        both.flatMap((each) => Array.from({ length: 10 }, () => each.api.get('/v1/me', admin.accessToken))),
      );
      const code = kind === 'a code' ? await obtainCode(app, phone, admin) : undefined;
      const token = code === undefined ? (await obtainTokens(app, phone, admin)).refreshToken : '';
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const at = both[index % 2] ?? app;
          return code === undefined ? refresh(at, phone, token) : redeem(at, phone, code);
        }),
      );
      const statuses = answers.map((answer) => answer.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(
        new Set(answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.error}`)),
      ).toEqual(new Set(['400 invalid_grant']));
      await second.close();
    },
  );

  it("of a confidential app's refresh token all succeed", async ({ app, admin, server }) => {
    const { refreshToken } = await obtainTokens(app, server, admin);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(app, server, refreshToken)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map((answer) => answer.body.access_token)).size).toBe(50);
  });
});
