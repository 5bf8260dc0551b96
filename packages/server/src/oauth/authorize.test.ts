import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import {
  authorizeUrl,
  logInAt,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  obtainTokens,
  PKCE,
  redeem,
} from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';

let test: TestApp;
let ada: Member;
let server: OauthApp;
let phone: OauthApp;
beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register('Ada Lovelace');
  server = await makeOauthApp(test, ada, { name: '<b>Bold</b> & "quoted"' });
  phone = await makeOauthApp(test, ada, { confidential: false, redirect_uris: ['com.example.console:/callback'] });
});
afterAll(() => test.close());

/** Where the browser ends up when an authorization is opened that shows no page of ours. */
const sentBack = async (
  app: OauthApp,
  changes: Record<string, string | undefined>,
  browser = new PageBrowser(test),
) => {
  const { url, text } = await browser.open(authorizeUrl(app, changes));
  expect(text).toBe('');
  expect(url.href.startsWith(app.redirectUri)).toBe(true);
  return Object.fromEntries(url.searchParams);
};

describe('the way through the pages', () => {
  it('leads from the login over the consent to the app, with code, state and issuer', async () => {
    const browser = new PageBrowser(test);
    const login = await browser.open(authorizeUrl(server, { login_hint: 'ada@"example.com' }));
    expect(login.status).toBe(200);
    expect(login.text).toContain('<title>Log in – Seathold</title>');
    expect(login.text).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;quoted&quot;');
    expect(login.text).toContain('value="ada@&quot;example.com"');
    expect(login.text).not.toContain('<b>');
    const consent = await browser.submit(login, '/login', { email: ada.email, password: ada.password });
    expect(consent.status).toBe(200);
    for (const part of ['&lt;b&gt;Bold&lt;/b&gt;', 'Ada Lovelace', ada.email, 'console.example', 'Read user profile']) {
      expect(consent.text).toContain(part);
    }
    const back = await browser.submit(consent, '/allow');
    expect(back.url.href.startsWith(`${server.redirectUri}?`)).toBe(true);
    expect([...back.url.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(back.url.searchParams.get('state')).toBe('a state');
    expect(back.url.searchParams.get('iss')).toBe(ISSUER);
    test.api.secrets.note('code', back.url.searchParams.get('code') ?? '');
  });

  it('writes the login and the grant into the audit log of the organization', async () => {
    const grace = await test.register('Grace');
    await obtainCode(test, server, grace, { scope: 'read:org read:profile' });
    const rows = await execute<{ action: string; after: object }>(
      test.database,
      'select action, after from audit_entries where organization_id = $1 and actor_user_id = $2 order by id',
      [grace.organizationId, grace.userId],
    );
    const afterOf = (action: string) => rows.findLast((row) => row.action === action)?.after;
    expect(afterOf('oauth_grant.created')).toMatchObject({
      app_id: server.clientId,
      scopes: ['read:org', 'read:profile'],
    });
    expect(afterOf('login.succeeded')).toEqual({ method: 'password', via: 'oauth' });
  });

  it('asks a second time neither for the login nor for what was agreed to', async () => {
    const browser = new PageBrowser(test);
    await obtainCode(test, server, ada, { scope: 'read:profile read:org' }, browser);
    expect(await sentBack(server, { scope: 'read:org' }, browser)).toMatchObject({ state: 'a state' });
    expect(await sentBack(server, { prompt: 'none' }, browser)).toHaveProperty('code');
    const wider = await browser.open(authorizeUrl(server, { scope: 'read:org admin:org' }));
    expect(wider.text).toContain('Full organization management');
    const asked = await browser.open(authorizeUrl(server, { prompt: 'consent' }));
    expect(asked.text).toContain('Allow');
    const again = await browser.open(authorizeUrl(server, { prompt: 'login' }));
    expect(again.text).toContain('Log in');
    const other = new PageBrowser(test);
    expect((await logInAt(other, server, ada)).url.searchParams.has('code')).toBe(true);
  });

  it('asks each time for a public app at an address that any program can claim, and only for such', async () => {
    const browser = new PageBrowser(test);
    await obtainCode(test, phone, ada, {}, browser);
    expect((await browser.open(authorizeUrl(phone))).text).toContain('Allow');
    expect(await sentBack(phone, { prompt: 'none' }, browser)).toMatchObject({ error: 'consent_required' });
    const site = await makeOauthApp(test, ada, { confidential: false });
    await obtainCode(test, site, ada, {}, browser);
    expect(await sentBack(site, {}, browser)).toHaveProperty('code');
  });

  it('gives the app its own scopes when it asks for none', async () => {
    const { scope } = await obtainTokens(test, server, ada, { scope: undefined });
    expect(scope.split(' ').sort()).toEqual(['admin:org', 'read:org', 'read:profile']);
  });

  it('ignores what is OpenID Connect alone, as it ignores any unknown parameter', async () => {
    const code = await obtainCode(test, server, ada, { nonce: 'x', max_age: '10', claims: '{}', unheard_of: 'y' });
    expect((await redeem(test, server, code)).body).not.toHaveProperty('id_token');
  });
});

describe('what is refused without going back to the app', () => {
  it.each([
    ['an unknown app', { client_id: 'app_unknown' }],
    ['no app', { client_id: undefined }],
    ['an address that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: 'https://console.example/callback/' }],
    ['a query besides', { redirect_uri: 'https://console.example/callback?x=1' }],
    ['another port', { redirect_uri: 'https://console.example:8443/callback' }],
    ['no address, though one alone is registered', { redirect_uri: undefined }],
    ['an unregistered address beside another fault', { redirect_uri: 'https://evil.example/', scope: 'no:such' }],
  ])('400, a page: %s', async (_what, changes) => {
    const page = await new PageBrowser(test).open(authorizeUrl(server, changes));
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe('https://api.test');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('role="alert"');
    expect(page.text).toMatch(/req_[0-9a-z]{26}/);
    expect(page.text).not.toContain('evil.example');
  });

  it('compares loopback ports, too', async () => {
    const desktop = await makeOauthApp(test, ada, { confidential: false, redirect_uris: ['http://127.0.0.1:3000/cb'] });
    const page = await new PageBrowser(test).open(authorizeUrl(desktop, { redirect_uri: 'http://127.0.0.1:4000/cb' }));
    expect(page.status).toBe(400);
  });
});

describe('what the app is told by a redirect', () => {
  const cases: Array<[string, Record<string, string | undefined>, string]> = [
    ['an unknown scope', { scope: 'read:profile no:such' }, 'invalid_scope'],
    ['a scope of OpenID Connect', { scope: 'openid' }, 'invalid_scope'],
    ['a scope that the app may not have', { scope: 'read:licenses' }, 'invalid_scope'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a response mode with a script', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['PKCE with plain', { code_challenge: PKCE.code_challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge: PKCE.code_challenge }, 'invalid_request'],
    ['a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['a request URI', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
    ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['no login where none may be asked for', { prompt: 'none' }, 'login_required'],
  ];
  it.each(cases)('%s', async (_what, changes, error) => {
    const { url, text } = await new PageBrowser(test).open(authorizeUrl(server, changes));
    expect(text).toBe('');
    expect(url.origin).toBe('https://console.example');
    const answer = new URLSearchParams(url.search || url.hash.slice(1));
    expect([answer.get('error'), answer.get('iss')]).toEqual([error, ISSUER]);
    expect(answer.get('state')).toBe('a state');
    expect(answer.get('error_description')).not.toBe('');
  });

  it('a public app without PKCE', async () => {
    const sent = await sentBack(phone, { code_challenge: undefined, code_challenge_method: undefined });
    expect(sent.error).toBe('invalid_request');
  });

  it('no consent where none may be asked for', async () => {
    const browser = new PageBrowser(test);
    await logInAt(browser, phone, ada);
    expect(await sentBack(phone, { prompt: 'none' }, browser)).toMatchObject({ error: 'consent_required' });
  });

  it('access_denied, from the consent and from the login', async () => {
    for (const isLoggedIn of [true, false]) {
      const browser = new PageBrowser(test);
      const grace = await test.register('Grace');
      const page = isLoggedIn ? await logInAt(browser, server, grace) : await browser.open(authorizeUrl(server));
      const back = await browser.submit(page, '/deny');
      expect(Object.fromEntries(back.url.searchParams)).toMatchObject({
        error: 'access_denied',
        state: 'a state',
        iss: ISSUER,
      });
    }
  });
});
