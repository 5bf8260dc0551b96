import { describe, expect } from 'vitest';
import { execute } from '../../test/harness/index.ts';
import {
  authorizeUrl,
  createOauthTest,
  logInAt,
  makeOauthApp,
  obtainCode,
  obtainTokens,
  PKCE,
  redeem,
  sentBack,
} from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';

const it = createOauthTest();

describe('the authorization flow', () => {
  it('leads from the login and the consent to the app, with code, state and issuer', async ({ app, admin, server }) => {
    const browser = new PageBrowser(app);
    const login = await browser.open(authorizeUrl(server, { login_hint: 'ada@"example.com' }));
    expect(login.status).toBe(200);
    expect(login.text).toContain('<title>Log in – Seathold</title>');
    expect(login.text).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;quoted&quot;');
    expect(login.text).toContain('value="ada@&quot;example.com"');
    expect(login.text).not.toContain('<b>');
    const consent = await browser.submit(login, '/login', { email: admin.email, password: admin.password });
    expect(consent.status).toBe(200);
    for (const part of [
      '&lt;b&gt;Bold&lt;/b&gt;',
      'Ada Lovelace',
      admin.email,
      'console.example',
      'Read user profile',
    ]) {
      expect(consent.text).toContain(part);
    }
    const back = await browser.submit(consent, '/allow');
    expect(back.url.href.startsWith(`${server.redirectUri}?`)).toBe(true);
    expect([...back.url.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(back.url.searchParams.get('state')).toBe('a state');
    expect(back.url.searchParams.get('iss')).toBe(ISSUER);
    app.api.secrets.note('code', back.url.searchParams.get('code') ?? '');
  });

  it('records the login and the grant in the audit log of the organization', async ({ app, server }) => {
    const grace = await app.register('Grace');
    await obtainCode(app, server, grace, { scope: 'read:org read:profile' });
    const rows = await execute<{ action: string; after: object }>(
      app.database,
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

  it('asks for the login and the consent only once', async ({ app, admin, server }) => {
    const browser = new PageBrowser(app);
    await obtainCode(app, server, admin, { scope: 'read:profile read:org' }, browser);
    expect(await sentBack(app, server, { scope: 'read:org' }, browser)).toMatchObject({ state: 'a state' });
    expect(await sentBack(app, server, { prompt: 'none' }, browser)).toHaveProperty('code');
    const wider = await browser.open(authorizeUrl(server, { scope: 'read:org admin:org' }));
    expect(wider.text).toContain('Full organization management');
    const asked = await browser.open(authorizeUrl(server, { prompt: 'consent' }));
    expect(asked.text).toContain('Allow');
    const again = await browser.open(authorizeUrl(server, { prompt: 'login' }));
    expect(again.text).toContain('Log in');
    const other = new PageBrowser(app);
    expect((await logInAt(other, server, admin)).url.searchParams.has('code')).toBe(true);
  });

  it('asks every time for a public app at an address that any program can claim, and only then', async ({
    app,
    admin,
    phone,
  }) => {
    const browser = new PageBrowser(app);
    await obtainCode(app, phone, admin, {}, browser);
    expect((await browser.open(authorizeUrl(phone))).text).toContain('Allow');
    expect(await sentBack(app, phone, { prompt: 'none' }, browser)).toMatchObject({ error: 'consent_required' });
    const site = await makeOauthApp(app, admin, { confidential: false });
    await obtainCode(app, site, admin, {}, browser);
    expect(await sentBack(app, site, {}, browser)).toHaveProperty('code');
  });

  it('gives the app its own scopes if it asks for none', async ({ app, admin, server }) => {
    const { scope } = await obtainTokens(app, server, admin, { scope: undefined });
    expect(scope.split(' ').sort()).toEqual(['admin:org', 'read:org', 'read:profile']);
  });

  it('ignores parameters of OpenID Connect, like all unknown parameters', async ({ app, admin, server }) => {
    const code = await obtainCode(app, server, admin, { nonce: 'x', max_age: '10', claims: '{}', unheard_of: 'y' });
    expect((await redeem(app, server, code)).body).not.toHaveProperty('id_token');
  });
});

describe('an authorization request refused without a redirect', () => {
  it.for([
    ['an unknown app', { client_id: 'app_unknown' }],
    ['no app', { client_id: undefined }],
    ['an unregistered address', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: 'https://console.example/callback/' }],
    ['an extra query', { redirect_uri: 'https://console.example/callback?x=1' }],
    ['another port', { redirect_uri: 'https://console.example:8443/callback' }],
    ['no address, although only one is registered', { redirect_uri: undefined }],
    ['an unregistered address with another fault', { redirect_uri: 'https://evil.example/', scope: 'no:such' }],
  ] as const)('returns a page with 400: %s', async ([_what, changes], { app, server }) => {
    const page = await new PageBrowser(app).open(authorizeUrl(server, changes));
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe('https://api.test');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('role="alert"');
    expect(page.text).toMatch(/req_[0-9a-z]{26}/);
    expect(page.text).not.toContain('evil.example');
  });

  it('includes a request with another loopback port', async ({ app, admin }) => {
    const desktop = await makeOauthApp(app, admin, {
      confidential: false,
      redirect_uris: ['http://127.0.0.1:3000/cb'],
    });
    const page = await new PageBrowser(app).open(authorizeUrl(desktop, { redirect_uri: 'http://127.0.0.1:4000/cb' }));
    expect(page.status).toBe(400);
  });
});

describe('the app gets an error by redirect for', () => {
  const cases: Array<[string, Record<string, string | undefined>, string]> = [
    ['an unknown scope', { scope: 'read:profile no:such' }, 'invalid_scope'],
    ['an OpenID Connect scope', { scope: 'openid' }, 'invalid_scope'],
    ['a scope that is not allowed to the app', { scope: 'read:licenses' }, 'invalid_scope'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a response mode with a script', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['PKCE with plain', { code_challenge: PKCE.code_challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge: PKCE.code_challenge }, 'invalid_request'],
    ['a request object', { request: 'x.y.z' }, 'request_not_supported'],
    ['a request URI', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
    ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['a missing login if none may be requested', { prompt: 'none' }, 'login_required'],
  ];
  it.for(cases)('%s', async ([_what, changes, error], { app, server }) => {
    const { url, text } = await new PageBrowser(app).open(authorizeUrl(server, changes));
    expect(text).toBe('');
    expect(url.origin).toBe('https://console.example');
    const answer = new URLSearchParams(url.search || url.hash.slice(1));
    expect([answer.get('error'), answer.get('iss')]).toEqual([error, ISSUER]);
    expect(answer.get('state')).toBe('a state');
    expect(answer.get('error_description')).not.toBe('');
  });

  it('a public app without PKCE', async ({ app, phone }) => {
    const sent = await sentBack(app, phone, { code_challenge: undefined, code_challenge_method: undefined });
    expect(sent.error).toBe('invalid_request');
  });

  it('a missing consent if none may be requested', async ({ app, admin, phone }) => {
    const browser = new PageBrowser(app);
    await logInAt(browser, phone, admin);
    expect(await sentBack(app, phone, { prompt: 'none' }, browser)).toMatchObject({ error: 'consent_required' });
  });

  it('a denial (access_denied), from the consent and from the login', async ({ app, server }) => {
    for (const isLoggedIn of [true, false]) {
      const browser = new PageBrowser(app);
      const grace = await app.register('Grace');
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
