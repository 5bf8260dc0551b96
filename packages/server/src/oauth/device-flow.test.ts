import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { describe, expect } from 'vitest';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import {
  createOauthTest,
  credentialsOf,
  makeOauthApp,
  type OauthAnswer,
  type OauthApp,
  postForm,
  refresh,
} from '../../test/harness/oauth-world.ts';
import { type BrowserPage, ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';
import { MovedClock, registerWithTwoFactor } from '../../test/harness/two-factor.ts';
import { DEVICE_GRANT } from './device-grant.ts';

const it = createOauthTest()
  .extend('console', { scope: 'file' }, ({ app, admin }) =>
    makeOauthApp(app, admin, { name: 'Render node', confidential: false, redirect_uris: [], device_flow: true }),
  )
  .extend('confidential', { scope: 'file' }, ({ app, admin }) => makeOauthApp(app, admin, { device_flow: true }));

const SCOPE = 'read:profile read:org';

interface Codes {
  device: string;
  user: string;
}

async function start(test: TestApp, app: OauthApp, form: Record<string, string> = { scope: SCOPE }): Promise<Codes> {
  const { status, body } = await postForm(test, 'device_authorization', { ...credentialsOf(app), ...form });
  expect([status, body.error]).toEqual([200, undefined]);
  return { device: body.device_code, user: body.user_code };
}

/** Asks for tokens. The device has waited long enough, unless the test is about one that has not. */
async function poll(test: TestApp, app: OauthApp, { device }: Codes, patient = true): Promise<OauthAnswer> {
  if (patient) {
    await execute(
      test.database,
      `update oauth_artifacts set polled_at = polled_at - interval '1 hour' where model = $1`,
      ['DeviceCode'],
    );
  }
  return postForm(test, 'token', { grant_type: DEVICE_GRANT, device_code: device, ...credentialsOf(app) });
}

async function enter(browser: PageBrowser, userCode: string): Promise<BrowserPage> {
  return browser.submit(await browser.open(`${ISSUER}/device`), '/device', { user_code: userCode });
}

type Person = Pick<Member, 'email' | 'password'>;

/** To the page that asks for consent. */
async function logIn(browser: PageBrowser, userCode: string, { email, password }: Person): Promise<BrowserPage> {
  return browser.submit(await enter(browser, userCode), '/login', { email, password });
}

async function allow(test: TestApp, { user }: Codes, person: Person): Promise<BrowserPage> {
  const browser = new PageBrowser(test);
  return browser.submit(await logIn(browser, user, person), '/allow');
}

const errorOf = ({ status, body }: OauthAnswer) => [status, body.error];

describe('POST /device_authorization', () => {
  it('200: answers the codes and where to enter them', async ({ app, console: node }) => {
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

  it('refuses an app without the flow, a wrong secret, and scopes that are unknown or not of the app', async ({
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

  it('405 and 415: takes a form by POST alone', async ({ app }) => {
    const url = `${app.api.baseUrl}/oauth/device_authorization`;
    const get = await fetch(url);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    const json = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
    expect(json.status).toBe(415);
  });

  it('keeps neither code in a form that could be read or guessed', async ({ app, console: node }) => {
    const { user } = await start(app, node);
    const rows = await execute<{ text: string }>(app.database, 'select a::text as text from oauth_artifacts a');
    expect(rows.some(({ text }) => text.includes(user) || text.includes(user.replace('-', '')))).toBe(false);
    const plain = createHash('sha256').update(user.replace('-', '')).digest('hex');
    expect(rows.some(({ text }) => text.includes(plain))).toBe(false);
  });
});

describe('the tokens of a device', () => {
  it('come once the user has allowed them, are ordinary ones, and end with the grant', async ({
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

  it('are written into the audit log of the organization by the consent', async ({ app, console: node }) => {
    const grace = await app.register('Grace');
    await allow(app, await start(app, node), grace);
    const [entry] = await execute<{ after: object }>(
      app.database,
      `select after from audit_entries where organization_id = $1 and action = 'oauth_grant.created'`,
      [grace.organizationId],
    );
    expect(entry?.after).toMatchObject({ app_id: node.clientId, scopes: SCOPE.split(' ') });
  });

  it('come to one of 50 that ask at once', async ({ app, confidential }) => {
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

  it('end when the device code is used again', async ({ app, console: node }) => {
    const codes = await start(app, node);
    await allow(app, codes, await app.register('Grace'));
    const { body } = await poll(app, node, codes);
    expect(errorOf(await poll(app, node, codes))).toEqual([400, 'invalid_grant']);
    expect((await app.api.get('/v1/me', body.access_token)).status).toBe(401);
  });

  it('do not come to another app', async ({ app, console: node, confidential }) => {
    const codes = await start(app, node);
    await allow(app, codes, await app.register('Grace'));
    expect(errorOf(await poll(app, confidential, codes))).toEqual([400, 'invalid_grant']);
    expect((await poll(app, node, codes)).status).toBe(200);
  });

  it('do not come after the grant has ended, or when the app may not use the flow any more', async ({ app, admin }) => {
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

  it('slow_down: makes a device that asks too early wait longer', async ({ app, console: node }) => {
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

  it('expired_token: after ten minutes, and the page says so', async ({ app, console: node }) => {
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

  it('are allowed or denied once, whatever comes at once', async ({ app, console: node }) => {
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

describe('the page for the code', () => {
  it('takes the code in any case, without the hyphen, and fills in the one of the address', async ({
    app,
    console: node,
  }) => {
    const { user } = await start(app, node);
    const browser = new PageBrowser(app);
    const filled = await browser.open(`${ISSUER}/device?user_code=${user}`);
    expect(filled.text).toContain(`value="${user}"`);
    expect(filled.text).not.toContain('<script');
    const typed = await browser.submit(filled, '/device', { user_code: ` ${user.replace('-', '').toLowerCase()} ` });
    expect(typed.text).toContain('<strong>Render node</strong> wants you to log in');
    const odd = await browser.open(`${ISSUER}/device?user_code=%22%3E%3Cscript%3E`);
    expect(odd.text).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  it('400: for an unknown code or none, with the form still there', async ({ app }) => {
    for (const code of ['BCDF-GHJK', '', '\u0000', 'x'.repeat(5_000)]) {
      const page = await enter(new PageBrowser(app), code);
      expect([page.status, page.text.includes('The code is incorrect')]).toEqual([400, true]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('400: for a form that is not of this page', async ({ app, console: node }) => {
    const { user } = await start(app, node);
    const browser = new PageBrowser(app);
    const page = await browser.open(`${ISSUER}/device`);
    const forged = await browser.submit(page, '/device', { user_code: user, xsrf: 'another' });
    expect([forged.status, forged.text.includes('The page has expired')]).toEqual([400, true]);
    const stranger = new PageBrowser(app);
    expect((await stranger.submit(page, '/device', { user_code: user })).status).toBe(400);
  });

  it('asks for consent each time, and shows the code with it', async ({ app, confidential }) => {
    const grace = await app.register('Grace');
    const browser = new PageBrowser(app);
    const first = await start(app, confidential);
    await browser.submit(await logIn(browser, first.user, grace), '/allow');
    const second = await start(app, confidential);
    const consent = await enter(browser, second.user);
    expect(consent.text).toContain(`<code class="device-code">${second.user}</code>`);
    expect(consent.text).toContain('Read user profile');
    expect(errorOf(await poll(app, confidential, second))).toEqual([400, 'authorization_pending']);
  });

  it('lets another account log in, and begins again in another browser', async ({ app, console: node }) => {
    const [grace, mary] = [await app.register('Grace'), await app.register('Mary')];
    const codes = await start(app, node);
    const browser = new PageBrowser(app);
    const consent = await logIn(browser, codes.user, grace);
    const switched = await browser.submit(consent, '/switch-account');
    expect(switched.text).toContain(`value="${codes.user}"`);
    const login = await browser.submit(switched, '/device', { user_code: codes.user });
    expect(login.text).toContain('name="password"');
    await allow(app, codes, mary);
    const { body } = await poll(app, node, codes);
    expect((await app.api.get('/v1/me', body.access_token)).body.data.id).toBe(mary.userId);
  });

  it('asks for the second factor', async ({ app, console: node }) => {
    const clock = new MovedClock();
    const grace = await registerWithTwoFactor(app, clock);
    const codes = await start(app, node);
    const browser = new PageBrowser(app);
    const factor = await logIn(browser, codes.user, grace);
    expect(factor.text).toContain('Enter your code');
    const consent = await browser.submit(factor, '/code', { code: grace.recoveryCodes[0] ?? '' });
    expect((await browser.submit(consent, '/allow')).text).toContain('Device connected');
    expect((await poll(app, node, codes)).status).toBe(200);
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
