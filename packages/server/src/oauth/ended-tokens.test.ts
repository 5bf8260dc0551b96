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
const isActive = async (app: OauthApp, token: string) =>
  (await postForm(test, 'introspect', { token, ...credentialsOf(app) })).body.active;

describe('POST /revoke', () => {
  it('200: an access token is dead at its next request, and its refresh token lives', async () => {
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada);
    const revoked = await postForm(test, 'revoke', { token: accessToken, ...credentialsOf(server) });
    expect([revoked.status, revoked.body]).toEqual([200, undefined]);
    expect((await test.api.get('/v1/me', accessToken)).body.error.code).toBe('invalid_token');
    expect((await refresh(test, server, refreshToken)).status).toBe(200);
  });

  it('200: a refresh token ends with all its access tokens, and with no other login to the app', async () => {
    const other = await obtainTokens(test, server, ada);
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada);
    const next = (await refresh(test, server, refreshToken)).body.access_token;
    const form = { token: refreshToken, token_type_hint: 'refresh_token', ...credentialsOf(server) };
    expect((await postForm(test, 'revoke', form)).status).toBe(200);
    expect([await meStatus(accessToken), await meStatus(next)]).toEqual([401, 401]);
    expect((await refresh(test, server, refreshToken)).body.error).toBe('invalid_grant');
    expect(await meStatus(other.accessToken)).toBe(200);
  });

  it('200 and nothing happens: an unknown token, and one of another app', async () => {
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada);
    for (const token of [accessToken, refreshToken, 'svc_oat_unknown', 'x\0y']) {
      expect((await postForm(test, 'revoke', { token, ...credentialsOf(phone) })).status).toBe(200);
    }
    expect(await meStatus(accessToken)).toBe(200);
    expect((await refresh(test, server, refreshToken)).status).toBe(200);
  });

  it('401 invalid_client without the right secret', async () => {
    const answer = await postForm(test, 'revoke', { token: 'x', client_id: server.clientId, client_secret: 'x' });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('POST /introspect', () => {
  it('200: tells an app of its own tokens', async () => {
    const askedAtMs = Date.now();
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada, { scope: 'read:profile read:org' });
    const { body } = await postForm(test, 'introspect', { token: accessToken, ...credentialsOf(server) });
    expect(body).toMatchObject({
      active: true,
      client_id: server.clientId,
      sub: ada.userId,
      scope: 'read:profile read:org',
      token_type: 'Bearer',
      iss: 'https://api.test/oauth',
    });
    expect(body.exp).toBeGreaterThanOrEqual(Math.floor(askedAtMs / 1000) + 3600);
    expect(body.exp).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 3600);
    expect(await isActive(server, refreshToken)).toBe(true);
  });

  it('says inactive and nothing else of all other tokens', async () => {
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada);
    const expired = await obtainTokens(test, server, ada);
    await execute(
      test.database,
      'update oauth_artifacts set expires_at = clock_timestamp() where id_hash = sha256($1)',
      [Buffer.from(expired.accessToken)],
    );
    for (const [app, token] of [
      [phone, accessToken],
      [phone, refreshToken],
      [server, ada.accessToken],
      [server, expired.accessToken],
      [server, 'svc_oat_unknown'],
    ] as const) {
      const { status, body } = await postForm(test, 'introspect', { token, ...credentialsOf(app) });
      expect([status, body]).toEqual([200, { active: false }]);
    }
  });
});

describe('when a grant ends', () => {
  it('its tokens are dead at once, and no refresh brings them back', async () => {
    const { accessToken, refreshToken } = await obtainTokens(test, server, ada);
    const code = await obtainCode(test, server, ada);
    const grants = (await test.api.get('/v1/auth/grants?limit=100', ada.accessToken)).body.data;
    const grant = grants.find((each: { app_id?: string; app?: { id: string } }) =>
      JSON.stringify(each).includes(server.clientId),
    );
    expect(grant.id).toMatch(/^grant_/);
    const ended = await test.api.call('DELETE', `/v1/auth/grants/${grant.id}`, { token: ada.accessToken });
    expect(ended.status).toBe(204);
    expect((await test.api.get('/v1/me', accessToken)).body.error.code).toBe('invalid_token');
    expect((await refresh(test, server, refreshToken)).body.error).toBe('invalid_grant');
    expect((await redeem(test, server, code)).body.error).toBe('invalid_grant');
    expect(await isActive(server, accessToken)).toBe(false);
  });

  it('the same holds when the app is deleted, and when the user leaves the organization', async () => {
    const app = await makeOauthApp(test, ada);
    const deleted = await obtainTokens(test, app, ada);
    await test.api.call('DELETE', `/v1/oauth-apps/${app.clientId}`, { token: ada.accessToken });
    expect(await meStatus(deleted.accessToken)).toBe(401);
    expect((await refresh(test, app, deleted.refreshToken)).body.error).toBe('invalid_client');
    const grace = await test.register('Grace');
    const left = await obtainTokens(test, phone, grace);
    await execute(test.database, 'delete from memberships where user_id = $1', [grace.userId]);
    expect(await meStatus(left.accessToken)).toBe(401);
    expect((await refresh(test, phone, left.refreshToken)).body.error).toBe('invalid_grant');
  });

  it('a role that shrinks narrows what a refresh gives', async () => {
    const grace = await test.register('Grace');
    const { refreshToken, scope } = await obtainTokens(test, server, grace, { scope: 'read:profile admin:org' });
    expect(scope).toBe('read:profile admin:org');
    await execute(test.database, `update memberships set role = 'member' where user_id = $1`, [grace.userId]);
    expect((await refresh(test, server, refreshToken)).body.scope).toBe('read:profile');
  });
});

describe('an expired access token', () => {
  it('is token_expired at the API, and the clean-up removes what the authorization server kept of it', async () => {
    const { accessToken } = await obtainTokens(test, server, ada);
    const hash = [Buffer.from(accessToken)];
    await execute(
      test.database,
      'update bearer_tokens set expires_at = clock_timestamp() where token_hash = sha256($1)',
      hash,
    );
    await execute(
      test.database,
      'update oauth_artifacts set expires_at = clock_timestamp() where id_hash = sha256($1)',
      hash,
    );
    await test.runJobs();
    expect(await execute(test.database, 'select model from oauth_artifacts where id_hash = sha256($1)', hash)).toEqual(
      [],
    );
    expect((await test.api.get('/v1/me', accessToken)).body.error.code).toBe('token_expired');
  });
});
