import { describe, expect } from 'vitest';
import { execute, type TestApp } from '../../test/harness/index.ts';
import {
  createOauthTest,
  credentialsOf,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  obtainTokens,
  postForm,
  redeem,
  refresh,
} from '../../test/harness/oauth-world.ts';
import { makeOperatorToken } from '../../test/usage/usage-world.ts';

const it = createOauthTest();

const meStatus = async (app: TestApp, token: string) => (await app.api.get('/v1/me', token)).status;
const isActive = async (app: TestApp, oauthApp: OauthApp, token: string) =>
  (await postForm(app, 'introspect', { token, ...credentialsOf(oauthApp) })).body.active;

describe('POST /revoke', () => {
  it('200: an access token is refused at its next request, and its refresh token stays valid', async ({
    app,
    admin,
    server,
  }) => {
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin);
    const revoked = await postForm(app, 'revoke', { token: accessToken, ...credentialsOf(server) });
    expect([revoked.status, revoked.body]).toEqual([200, undefined]);
    expect((await app.api.get('/v1/me', accessToken)).body.error.code).toBe('invalid_token');
    expect((await refresh(app, server, refreshToken)).status).toBe(200);
  });

  it('200: a refresh token ends with all its access tokens, but not with another login to the app', async ({
    app,
    admin,
    server,
  }) => {
    const other = await obtainTokens(app, server, admin);
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin);
    const next = (await refresh(app, server, refreshToken)).body.access_token;
    const form = { token: refreshToken, token_type_hint: 'refresh_token', ...credentialsOf(server) };
    expect((await postForm(app, 'revoke', form)).status).toBe(200);
    expect([await meStatus(app, accessToken), await meStatus(app, next)]).toEqual([401, 401]);
    expect((await refresh(app, server, refreshToken)).body.error).toBe('invalid_grant');
    expect(await meStatus(app, other.accessToken)).toBe(200);
  });

  it('200 without effect: an unknown token, and one of another app', async ({ app, admin, server, phone }) => {
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin);
    for (const token of [accessToken, refreshToken, 'svc_oat_unknown', 'x\0y']) {
      expect((await postForm(app, 'revoke', { token, ...credentialsOf(phone) })).status).toBe(200);
    }
    expect(await meStatus(app, accessToken)).toBe(200);
    expect((await refresh(app, server, refreshToken)).status).toBe(200);
  });

  it('401 invalid_client without the right secret', async ({ app, server }) => {
    const answer = await postForm(app, 'revoke', { token: 'x', client_id: server.clientId, client_secret: 'x' });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('POST /introspect', () => {
  it('200: describes an app’s own tokens to it', async ({ app, admin, server }) => {
    const askedAtMs = Date.now();
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin, { scope: 'read:profile read:org' });
    const { body } = await postForm(app, 'introspect', { token: accessToken, ...credentialsOf(server) });
    expect(body).toMatchObject({
      active: true,
      client_id: server.clientId,
      sub: admin.userId,
      scope: 'read:profile read:org',
      token_type: 'Bearer',
      iss: 'https://api.test/oauth',
    });
    expect(body.exp).toBeGreaterThanOrEqual(Math.floor(askedAtMs / 1000) + 3600);
    expect(body.exp).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 3600);
    expect(await isActive(app, server, refreshToken)).toBe(true);
  });

  it('reports all other tokens only as inactive', async ({ app, admin, server, phone }) => {
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin);
    const expired = await obtainTokens(app, server, admin);
    await execute(
      app.database,
      'update oauth_artifacts set expires_at = clock_timestamp() where id_hash = sha256($1)',
      [Buffer.from(expired.accessToken)],
    );
    for (const [oauthApp, token] of [
      [phone, accessToken],
      [phone, refreshToken],
      [server, admin.accessToken],
      [server, expired.accessToken],
      [server, 'svc_oat_unknown'],
    ] as const) {
      const { status, body } = await postForm(app, 'introspect', { token, ...credentialsOf(oauthApp) });
      expect([status, body]).toEqual([200, { active: false }]);
    }
  });
});

describe('a grant', () => {
  it('that ends has its tokens refused immediately, and no refresh restores them', async ({ app, admin, server }) => {
    const { accessToken, refreshToken } = await obtainTokens(app, server, admin);
    const code = await obtainCode(app, server, admin);
    const grants = (await app.api.get('/v1/auth/grants?limit=100', admin.accessToken)).body.data;
    const grant = grants.find((each: { app_id?: string; app?: { id: string } }) =>
      JSON.stringify(each).includes(server.clientId),
    );
    expect(grant.id).toMatch(/^grant_/);
    const ended = await app.api.call('DELETE', `/v1/auth/grants/${grant.id}`, { token: admin.accessToken });
    expect(ended.status).toBe(204);
    expect((await app.api.get('/v1/me', accessToken)).body.error.code).toBe('invalid_token');
    expect((await refresh(app, server, refreshToken)).body.error).toBe('invalid_grant');
    expect((await redeem(app, server, code)).body.error).toBe('invalid_grant');
    expect(await isActive(app, server, accessToken)).toBe(false);
  });

  it('ends the same way if the app is deleted, and if the user leaves the organization', async ({
    app,
    admin,
    phone,
  }) => {
    const oauthApp = await makeOauthApp(app, admin);
    const deleted = await obtainTokens(app, oauthApp, admin);
    await app.api.call('DELETE', `/v1/oauth-apps/${oauthApp.clientId}`, { token: admin.accessToken });
    expect(await meStatus(app, deleted.accessToken)).toBe(401);
    expect((await refresh(app, oauthApp, deleted.refreshToken)).body.error).toBe('invalid_client');
    const grace = await app.register('Grace');
    const left = await obtainTokens(app, phone, grace);
    await execute(app.database, 'delete from memberships where user_id = $1', [grace.userId]);
    expect(await meStatus(app, left.accessToken)).toBe(401);
    expect((await refresh(app, phone, left.refreshToken)).body.error).toBe('invalid_grant');
  });

  it('allows fewer scopes after a refresh with a lower role', async ({ app, server }) => {
    const grace = await app.register('Grace');
    const { refreshToken, scope } = await obtainTokens(app, server, grace, { scope: 'read:profile admin:org' });
    expect(scope).toBe('read:profile admin:org');
    await execute(app.database, `update memberships set role = 'member' where user_id = $1`, [grace.userId]);
    expect((await refresh(app, server, refreshToken)).body.scope).toBe('read:profile');
  });
});

describe('a suspended organization', () => {
  it('has its OAuth tokens refused like its other tokens, until it is reinstated', async ({ app, ada }) => {
    const scopes = ['read:profile', 'read:licenses', 'manage:licenses'];
    const oauthApp = await makeOauthApp(app, ada, { scopes });
    const { accessToken, refreshToken } = await obtainTokens(app, oauthApp, ada, { scope: scopes.join(' ') });
    const { token } = await makeOperatorToken(app);
    const license = await app.issueLicense(ada.organizationId);
    const acquire = async (oauthToken: string) => {
      const seat = { license_key: license.key, hardware_id: `hw_${'0'.repeat(32)}` };
      const { status, body } = await app.api.post('/v1/licenses/acquire', oauthToken, seat);
      return [status, body.error?.code];
    };
    const change = (body: object) =>
      app.api.call('PATCH', `/v1/operator/organizations/${ada.organizationId}`, { token, body });
    await change({ status: 'suspended', reason: 'Shares its keys' });
    expect(await meStatus(app, accessToken)).toBe(200);
    expect((await app.api.get('/v1/licenses', accessToken)).body.error.code).toBe('organization_suspended');
    const refreshed = (await refresh(app, oauthApp, refreshToken)).body.access_token;
    expect(await acquire(refreshed)).toEqual([403, 'organization_suspended']);
    await change({ status: 'active' });
    expect(await acquire(refreshed)).toEqual([201, undefined]);
  });
});

describe('an expired access token', () => {
  it('is refused with token_expired by the API, and the cleanup removes its records at the authorization server', async ({
    app,
    admin,
    server,
  }) => {
    const { accessToken } = await obtainTokens(app, server, admin);
    const hash = [Buffer.from(accessToken)];
    await execute(
      app.database,
      'update bearer_tokens set expires_at = clock_timestamp() where token_hash = sha256($1)',
      hash,
    );
    await execute(
      app.database,
      'update oauth_artifacts set expires_at = clock_timestamp() where id_hash = sha256($1)',
      hash,
    );
    await app.runJobs();
    expect(await execute(app.database, 'select model from oauth_artifacts where id_hash = sha256($1)', hash)).toEqual(
      [],
    );
    expect((await app.api.get('/v1/me', accessToken)).body.error.code).toBe('token_expired');
  });
});
