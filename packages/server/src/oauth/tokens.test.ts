import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import {
  credentialsOf,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  obtainTokens,
  postForm,
  redeem,
  refresh,
  VERIFIER,
} from '../../test/harness/oauth-world.ts';

let test: TestApp;
let ada: Member;
let server: OauthApp;
let phone: OauthApp;
beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register('Ada Lovelace');
  server = await makeOauthApp(test, ada);
  phone = await makeOauthApp(test, ada, { confidential: false, redirect_uris: ['com.example.console:/callback'] });
});
afterAll(() => test.close());

const meStatus = async (token: string) => (await test.api.get('/v1/me', token)).status;

describe('POST /token with a code', () => {
  it('200: opaque tokens of their own kinds, good at the API at once, in the organization of the grant', async () => {
    const code = await obtainCode(test, server, ada, { scope: 'read:profile read:org' });
    expect(code).toMatch(/^svc_oac_[0-9A-Za-z]{42}$/);
    const { status, body, headers } = await redeem(test, server, code);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read:profile read:org' });
    expect(body.access_token).toMatch(/^svc_oat_[0-9A-Za-z]{42}$/);
    expect(body.refresh_token).toMatch(/^svc_ort_[0-9A-Za-z]{42}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    const me = await test.api.get('/v1/me', body.access_token);
    expect(me.body.data).toMatchObject({ id: ada.userId, organization: { id: ada.organizationId } });
    expect((await test.api.get('/v1/projects', body.access_token)).body.error.code).toBe('insufficient_scope');
    expect((await test.api.get('/v1/api-tokens', body.access_token)).body.error.code).toBe('forbidden');
  });

  it('takes the secret by Basic as well', async () => {
    const basic = Buffer.from(`${server.clientId}:${server.clientSecret}`).toString('base64');
    const code = await obtainCode(test, server, ada);
    const form = { grant_type: 'authorization_code', code, redirect_uri: server.redirectUri };
    const { status } = await postForm(test, 'token', form, { authorization: `Basic ${basic}` });
    expect(status).toBe(200);
  });

  it('401 invalid_client: a wrong secret, none, an unknown app; with WWW-Authenticate where Basic was used', async () => {
    const code = await obtainCode(test, server, ada);
    const wrong = await redeem(test, server, code, { client_secret: `${server.clientSecret}x` });
    expect([wrong.status, wrong.body.error, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      null,
    ]);
    const none = await redeem(test, { ...server, clientSecret: undefined }, code);
    expect([none.status, none.body.error]).toEqual([401, 'invalid_client']);
    const unknown = await redeem(test, server, code, { client_id: 'app_unknown' });
    expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client']);
    const odd = await redeem(test, server, code, { client_id: 'app\0' });
    expect([odd.status, odd.body.error]).toEqual([401, 'invalid_client']);
    const authorization = `Basic ${Buffer.from(`${server.clientId}:nonsense`).toString('base64')}`;
    const basic = await postForm(test, 'token', { grant_type: 'refresh_token' }, { authorization });
    expect(basic.status).toBe(401);
    expect(basic.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await redeem(test, server, code)).status).toBe(200);
  });

  it('takes either of two secrets while one takes the place of the other', async () => {
    const app = await makeOauthApp(test, ada);
    const rotated = await test.api.post(`/v1/oauth-apps/${app.clientId}/rotate-secret`, ada.accessToken, {
      overlap_seconds: 3600,
    });
    const successor = { ...app, clientSecret: rotated.body.data.client_secret };
    const { refreshToken } = await obtainTokens(test, app, ada);
    expect((await refresh(test, successor, refreshToken)).status).toBe(200);
    expect((await refresh(test, app, refreshToken)).status).toBe(200);
    await execute(
      test.database,
      'update oauth_client_secrets set expires_at = clock_timestamp() where app_id = $1 and expires_at is not null',
      [app.clientId],
    );
    expect((await refresh(test, app, refreshToken)).body.error).toBe('invalid_client');
    expect((await refresh(test, successor, refreshToken)).status).toBe(200);
  });

  it('400 invalid_grant: another app, another redirect URI, a wrong or missing verifier, an expired code', async () => {
    const code = await obtainCode(test, phone, ada);
    const refused = async (answer: ReturnType<typeof redeem>) => {
      const { status, body } = await answer;
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    };
    await refused(redeem(test, server, code));
    await refused(redeem(test, phone, code, { redirect_uri: 'com.example.console:/other' }));
    await refused(redeem(test, phone, code, { code_verifier: `${VERIFIER}x` }));
    await refused(redeem(test, phone, code, { code_verifier: '' }));
    await refused(redeem(test, phone, 'svc_oac_unknown'));
    await execute(test.database, `update oauth_artifacts set expires_at = clock_timestamp() where model = $1`, [
      'AuthorizationCode',
    ]);
    await refused(redeem(test, phone, code));
  });

  it('415, 413, 400 in the shape of RFC 6749: no form, an oversize one, an unknown grant type', async () => {
    const send = async (init: RequestInit) => {
      const response = await fetch(`${test.api.baseUrl}/oauth/token`, { method: 'POST', ...init });
      return [response.status, Object.keys(JSON.parse(await response.text()))];
    };
    const shape = ['error', 'error_description'];
    expect(await send({ body: '{}', headers: { 'content-type': 'application/json' } })).toEqual([415, shape]);
    expect(await send({})).toEqual([415, shape]);
    expect(await send({ body: new URLSearchParams({ code: 'x'.repeat(100_000) }) })).toEqual([413, shape]);
    const odd = await postForm(test, 'token', { grant_type: 'password', ...credentialsOf(server) });
    expect([odd.status, odd.body.error]).toEqual([400, 'unsupported_grant_type']);
  });

  it('405 with Allow for other methods, also for browsers in JSON', async () => {
    const response = await fetch(`${test.api.baseUrl}/oauth/token`, { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('lets a browser app ask from where its redirect URIs are, and no other site', async () => {
    const from = (origin: string) =>
      postForm(
        test,
        'token',
        { grant_type: 'refresh_token', refresh_token: 'x', ...credentialsOf(server) },
        { origin },
      );
    const own = await from('https://console.example');
    expect([own.body.error, own.headers.get('access-control-allow-origin')]).toEqual([
      'invalid_grant',
      'https://console.example',
    ]);
    const other = await from('https://evil.example');
    expect([other.body.error, other.headers.get('access-control-allow-origin')]).toEqual(['invalid_request', null]);
    const native = { grant_type: 'refresh_token', refresh_token: 'x', ...credentialsOf(phone) };
    expect((await postForm(test, 'token', native, { origin: 'null' })).body.error).toBe('invalid_request');
    const preflight = await fetch(`${test.api.baseUrl}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://console.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    expect((await fetch(`${test.api.baseUrl}/oauth/token`, { method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('a code that is used twice', () => {
  it('400, and the tokens made from it are dead, while others of the same user and app live', async () => {
    const other = await obtainTokens(test, server, ada);
    const code = await obtainCode(test, server, ada);
    const first = (await redeem(test, server, code)).body;
    expect(await meStatus(first.access_token)).toBe(200);
    const again = await redeem(test, server, code);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect((await test.api.get('/v1/me', first.access_token)).body.error.code).toBe('invalid_token');
    expect((await refresh(test, server, first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await meStatus(other.accessToken)).toBe(200);
    expect((await refresh(test, server, other.refreshToken)).status).toBe(200);
  });
});

describe('POST /token with a refresh token', () => {
  it('a confidential app keeps its refresh token, which lives on from each use', async () => {
    const { refreshToken, accessToken } = await obtainTokens(test, server, ada);
    await execute(
      test.database,
      `update oauth_artifacts set expires_at = clock_timestamp() + interval '1 day' where model = 'RefreshToken'`,
    );
    const first = await refresh(test, server, refreshToken);
    expect([first.status, first.body.refresh_token]).toEqual([200, refreshToken]);
    expect(first.body.access_token).not.toBe(accessToken);
    expect([await meStatus(accessToken), await meStatus(first.body.access_token)]).toEqual([200, 200]);
    expect((await refresh(test, server, refreshToken)).status).toBe(200);
    const [row] = await execute<{ days: number }>(
      test.database,
      `select max(extract(epoch from expires_at - clock_timestamp()) / 86400)::float as days from oauth_artifacts where model = 'RefreshToken'`,
    );
    expect(row?.days).toBeGreaterThan(29.9);
  });

  it("a public app's refresh token rotates; used again, it ends its whole family", async () => {
    const { refreshToken, accessToken } = await obtainTokens(test, phone, ada);
    const second = (await refresh(test, phone, refreshToken)).body;
    expect(second.refresh_token).not.toBe(refreshToken);
    const third = (await refresh(test, phone, second.refresh_token)).body;
    expect(await meStatus(third.access_token)).toBe(200);
    const reused = await refresh(test, phone, refreshToken);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    for (const token of [accessToken, second.access_token, third.access_token]) {
      expect(await meStatus(token)).toBe(401);
    }
    expect((await refresh(test, phone, third.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('narrows the scopes when asked, never widens them', async () => {
    const { refreshToken } = await obtainTokens(test, server, ada, { scope: 'read:profile read:org' });
    const narrowed = await refresh(test, server, refreshToken, { scope: 'read:org' });
    expect(narrowed.body.scope).toBe('read:org');
    expect((await test.api.get('/v1/me', narrowed.body.access_token)).body.error.code).toBe('insufficient_scope');
    const wider = await refresh(test, server, refreshToken, { scope: 'read:org admin:org' });
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('400 invalid_grant for a token of another app, and for an expired one', async () => {
    const { refreshToken } = await obtainTokens(test, phone, ada);
    expect((await refresh(test, server, refreshToken)).body.error).toBe('invalid_grant');
    await execute(
      test.database,
      `update oauth_artifacts set expires_at = clock_timestamp() where model = 'RefreshToken'`,
    );
    expect((await refresh(test, phone, refreshToken)).body.error).toBe('invalid_grant');
  });
});

describe('50 at once', () => {
  it.each(['a code', "a public app's refresh token"])('of %s give one success, on two processes', async (kind) => {
    const second = await openTestApp({ beside: test });
    const both = [test, second];
    await Promise.all(
      both.flatMap((each) => Array.from({ length: 10 }, () => each.api.get('/v1/me', ada.accessToken))),
    );
    const code = kind === 'a code' ? await obtainCode(test, phone, ada) : undefined;
    const token = code === undefined ? (await obtainTokens(test, phone, ada)).refreshToken : '';
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const at = both[index % 2] ?? test;
        return code === undefined ? refresh(at, phone, token) : redeem(at, phone, code);
      }),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(
      new Set(answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.error}`)),
    ).toEqual(new Set(['400 invalid_grant']));
    await second.close();
  });

  it("of a confidential app's refresh token all succeed", async () => {
    const { refreshToken } = await obtainTokens(test, server, ada);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(test, server, refreshToken)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map((answer) => answer.body.access_token)).size).toBe(50);
  });
});
