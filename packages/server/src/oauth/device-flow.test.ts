import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { describe, expect } from 'vitest';
import { execute } from '../../test/harness/index.ts';
import { credentialsOf, makeOauthApp, postForm, refresh } from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';
import { allow, createDeviceTest, enter, errorOf, logIn, poll, SCOPE, start } from '../../test/oauth/device-world.ts';

const it = createDeviceTest();

describe('POST /device_authorization', () => {
  it('200: returns the codes and where to enter them', async ({ app, console: node }) => {
    const { status, body, headers } = await postForm(app, 'device_authorization', credentialsOf(node));
    expect(status).toBe(200);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^svc_odc_[0-9A-Za-z]{42}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${ISSUER}/device`,
      verification_uri_complete: `${ISSUER}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('refuses an app without the flow, a wrong secret, and scopes that are unknown or not allowed to the app', async ({
    app,
    server,
    confidential,
  }) => {
    const ask = async (form: Record<string, string>) => errorOf(await postForm(app, 'device_authorization', form));
    expect(await ask(credentialsOf(server))).toEqual([400, 'unauthorized_client']);
    expect(await ask({ ...credentialsOf(confidential), client_secret: 'wrong' })).toEqual([401, 'invalid_client']);
    expect(await ask({ client_id: confidential.clientId })).toEqual([401, 'invalid_client']);
    expect(await ask({ client_id: 'app_unknown' })).toEqual([401, 'invalid_client']);
    expect(await ask({ ...credentialsOf(confidential), scope: 'read:profile read:minds' })).toEqual([
      400,
      'invalid_scope',
    ]);
    expect(await ask({ ...credentialsOf(confidential), scope: 'write:projects' })).toEqual([400, 'invalid_scope']);
  });

  it('405 and 415: accepts only a form by POST', async ({ app }) => {
    const url = `${app.api.baseUrl}/oauth/device_authorization`;
    const get = await fetch(url);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const json = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    expect(json.status).toBe(415);
  });

  it('stores neither code readably or guessably', async ({ app, console: node }) => {
    const { user } = await start(app, node);
    const rows = await execute<{ text: string }>(app.database, 'select a::text as text from oauth_artifacts a');
    expect(rows.some(({ text }) => text.includes(user) || text.includes(user.replace('-', '')))).toBe(false);
    const plain = createHash('sha256').update(user.replace('-', '')).digest('hex');
    expect(rows.some(({ text }) => text.includes(plain))).toBe(false);
  });
});

describe('the tokens of a device', () => {
  it('are issued once the user has allowed them, are ordinary ones, and end with the grant', async ({
    app,
    console: node,
  }) => {
    const grace = await app.register('Grace');
    const codes = await start(app, node);
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'authorization_pending']);
    const done = await allow(app, codes, grace);
    expect([done.status, done.url.pathname.startsWith('/oauth/device/')]).toEqual([200, true]);
    expect(done.text).toContain('Device connected');
    const { status, body } = await poll(app, node, codes);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: SCOPE });
    expect(body.access_token).toMatch(/^svc_oat_/);
    const me = await app.api.get('/v1/me', body.access_token);
    expect(me.body.data).toMatchObject({ id: grace.userId, organization: { id: grace.organizationId } });
    expect((await app.api.get('/v1/licenses', body.access_token)).body.error.code).toBe('insufficient_scope');
    const refreshed = await refresh(app, node, body.refresh_token);
    expect(refreshed.status).toBe(200);
    const grants = await app.api.get('/v1/auth/grants', grace.accessToken);
    expect(grants.body.data).toMatchObject([{ app: { name: 'Render node' } }]);
    await app.api.call('DELETE', `/v1/auth/grants/${grants.body.data[0].id}`, { token: grace.accessToken });
    expect((await app.api.get('/v1/me', refreshed.body.access_token)).status).toBe(401);
  });

  it('are recorded in the audit log of the organization by the consent', async ({ app, console: node }) => {
    const grace = await app.register('Grace');
    await allow(app, await start(app, node), grace);
    const [entry] = await execute<{ after: object }>(
      app.database,
      `select after from audit_entries where organization_id = $1 and action = 'oauth_grant.created'`,
      [grace.organizationId],
    );
    expect(entry?.after).toMatchObject({ app_id: node.clientId, scopes: SCOPE.split(' ') });
  });

  it('are given to only one of 50 simultaneous requests', async ({ app, confidential }) => {
    const grace = await app.register('Grace');
    const codes = await start(app, confidential);
    await allow(app, codes, grace);
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(app, confidential, codes, false)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(
      new Set(['invalid_grant']),
    );
  });

  it('end if the device code is used again', async ({ app, console: node }) => {
    const codes = await start(app, node);
    await allow(app, codes, await app.register('Grace'));
    const { body } = await poll(app, node, codes);
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'invalid_grant']);
    expect((await app.api.get('/v1/me', body.access_token)).status).toBe(401);
  });

  it('are not given to another app', async ({ app, console: node, confidential }) => {
    const codes = await start(app, node);
    await allow(app, codes, await app.register('Grace'));
    expect(errorOf(await poll(app, confidential, codes))).toEqual([400, 'invalid_grant']);
    expect((await poll(app, node, codes)).status).toBe(200);
  });

  it('are not issued after the grant has ended, or if the app may no longer use the flow', async ({ app, admin }) => {
    const node = await makeOauthApp(app, admin, { device_flow: true });
    const grace = await app.register('Grace');
    const [revoked, later] = [await start(app, node), await start(app, node)];
    await allow(app, revoked, grace);
    const [grant] = (await app.api.get('/v1/auth/grants', grace.accessToken)).body.data;
    await app.api.call('DELETE', `/v1/auth/grants/${grant.id}`, { token: grace.accessToken });
    expect(errorOf(await poll(app, node, revoked))).toEqual([400, 'invalid_grant']);
    await app.api.call('PATCH', `/v1/oauth-apps/${node.clientId}`, {
      token: admin.accessToken,
      body: { device_flow: false },
    });
    expect(errorOf(await poll(app, node, later))).toEqual([400, 'unauthorized_client']);
    const page = await enter(new PageBrowser(app), later.user);
    expect(page.text).not.toContain('Device connected');
  });

  it('slow_down: makes a device that polls too soon wait longer', async ({ app, console: node }) => {
    const codes = await start(app, node);
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'authorization_pending']);
    expect(errorOf(await poll(app, node, codes, false))).toEqual([400, 'slow_down']);
    const waited = (seconds: number) =>
      execute(
        app.database,
        `update oauth_artifacts set polled_at = clock_timestamp() - $1 * interval '1 second' where polled_at is not null`,
        [seconds],
      );
    await waited(8);
    expect(errorOf(await poll(app, node, codes, false))).toEqual([400, 'slow_down']);
    await waited(15);
    expect(errorOf(await poll(app, node, codes, false))).toEqual([400, 'authorization_pending']);
  });

  it('access_denied: stays denied, whatever the user enters afterwards', async ({ app, console: node }) => {
    const grace = await app.register('Grace');
    const codes = await start(app, node);
    const browser = new PageBrowser(app);
    const denied = await browser.submit(await logIn(browser, codes.user, grace), '/deny');
    expect([denied.status, denied.text.includes('Access denied')]).toEqual([200, true]);
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'access_denied']);
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'access_denied']);
    const again = await enter(browser, codes.user);
    expect([again.status, again.text.includes('already used')]).toEqual([400, true]);
  });

  it('expired_token: after ten minutes, as the page states', async ({ app, console: node }) => {
    const grace = await app.register('Grace');
    const codes = await start(app, node);
    const browser = new PageBrowser(app);
    const consent = await logIn(browser, codes.user, grace);
    await execute(
      app.database,
      `update oauth_artifacts set code_expires_at = clock_timestamp() - interval '1 second'
      where model = 'DeviceCode'`,
    );
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'expired_token']);
    const late = await browser.submit(consent, '/allow');
    expect([late.status, late.text.includes('expired')]).toEqual([400, true]);
    const again = await enter(browser, codes.user);
    expect([again.status, again.text.includes('The code has expired')]).toEqual([400, true]);
  });

  it('are allowed or denied once, even by simultaneous decisions', async ({ app, console: node }) => {
    const codes = await start(app, node);
    const pages = await Promise.all(
      Array.from({ length: 4 }, async (_, place) => {
        const browser = new PageBrowser(app);
        return { browser, consent: await logIn(browser, codes.user, await app.register(`Grace ${place}`)) };
      }),
    );
    const answers = await Promise.all(
      pages.map(({ browser, consent }, place) => browser.submit(consent, place % 2 === 0 ? '/allow' : '/deny')),
    );
    expect(answers.filter(({ text }) => text.includes('Device connected')).length).toBeLessThanOrEqual(1);
    const { body } = await poll(app, node, codes);
    const allowed = answers.some(({ text }) => text.includes('Device connected'));
    expect(body.error).toBe(allowed ? undefined : 'access_denied');
  });
});

describe('an independent client', () => {
  it('openid-client gets the codes, polls, and refreshes', async ({ app, console: node }) => {
    const grace = await app.register('Grace');
    const config = await client.discovery(new URL(ISSUER), node.clientId, undefined, client.None(), {
      algorithm: 'oauth2',
      [client.customFetch]: (url: string, init: object) =>
        fetch(url.replace('https://api.test', app.api.baseUrl), init),
    });
    const codes = await client.initiateDeviceAuthorization(config, { scope: SCOPE });
    app.api.secrets.noteBody(codes);
    await allow(app, { device: codes.device_code, user: codes.user_code }, grace);
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0.1 });
    app.api.secrets.noteBody(tokens);
    expect((await app.api.get('/v1/me', tokens.access_token)).status).toBe(200);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    app.api.secrets.noteBody(refreshed);
    expect(refreshed.scope).toBe(SCOPE);
  });
});
