import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import {
  authorizeUrl,
  logInAt,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  obtainTokens,
  PKCE,
  redeem,
} from '../../../test/harness/oauth-world.ts';
import { formsOf, ISSUER, PageBrowser } from '../../../test/harness/page-browser.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

let test: TestApp;
const clock = new MovedClock();
let ada: Member;
let server: OauthApp;
let phone: OauthApp;
beforeAll(async () => {
  test = await openTestApp({ clock });
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
    expect(afterOf('login.succeeded')).toEqual({ method: 'oauth', proof: 'password' });
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

describe('the login page', () => {
  it('400: a wrong password is told beside the form, to a screen reader too, and the address is kept', async () => {
    const browser = new PageBrowser(test);
    const login = await browser.open(authorizeUrl(server));
    for (const email of [ada.email, 'nobody@example.com']) {
      const again = await browser.submit(login, '/login', { email, password: 'a wrong password' });
      expect(again.status).toBe(400);
      expect(again.text).toContain('<p class="alert" role="alert" id="alert">');
      expect(again.text).toContain('aria-describedby="alert" aria-invalid="true"');
      expect(again.text).toContain(`value="${email}"`);
      expect(again.text).not.toContain('a wrong password');
    }
    const consent = await browser.submit(login, '/login', { email: ada.email, password: ada.password });
    expect(consent.url.pathname).not.toMatch(/login$/);
  });

  it('asks for the second factor, takes each code once, and a recovery code in its place', async () => {
    const member = await registerWithTwoFactor(test, clock);
    const browser = new PageBrowser(test);
    const page = await logInAt(browser, server, member);
    expect(page.text).toContain('autocomplete="one-time-code"');
    expect(page.url.search).toBe('');
    const wrong = await browser.submit(page, '/code', { code: wrongCode(clock, member.secret) });
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
    const code = codeAt(clock, member.secret);
    const consent = await browser.submit(wrong, '/code', { code: ` ${code}` });
    expect(consent.text).toContain('Allow');
    const other = new PageBrowser(test);
    const second = await logInAt(other, server, member);
    expect((await other.submit(second, '/code', { code })).status).toBe(400);
    const recovered = await other.submit(second, '/code', { code: member.recoveryCodes[0] ?? '' });
    expect(recovered.text).toContain('Allow');
    const spent = await other.submit(second, '/code', { code: member.recoveryCodes[1] ?? '' });
    expect(spent.status).toBe(400);
  });

  it('lets nobody past with the password alone where there is a second factor', async () => {
    const member = await registerWithTwoFactor(test, clock);
    const browser = new PageBrowser(test);
    const page = await logInAt(browser, server, member);
    const action = new URL(formsOf(page)[0]?.action ?? '', page.url);
    const start = await browser.open(new URL(action.pathname.replace(/\/code$/, ''), ISSUER));
    expect(start.text).toContain('Log in');
    expect((await browser.open(authorizeUrl(server))).text).toContain('Log in');
  });

  it('429: shares its counters with POST /v1/auth/login, by address and by account', async () => {
    const limited = await openAppForTest({ settings: { SEATHOLD_RATE_LIMITS: '{"tiers":{"free":{"minute":500}}}' } });
    const owner = await limited.register();
    const app = await makeOauthApp(limited, owner);
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await limited.api.post('/v1/auth/login', undefined, { email: owner.email, password: 'wrong password' });
    }
    const browser = new PageBrowser(limited);
    const login = await browser.open(authorizeUrl(app));
    const tenth = await browser.submit(login, '/login', { email: owner.email, password: 'wrong password' });
    expect(tenth.headers.get('ratelimit-policy')).toContain('"login-account"');
    expect(tenth.status).toBe(400);
    const refused = await browser.submit(login, '/login', { email: owner.email, password: owner.password });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(refused.text).toContain('Too many attempts');
  });
});

describe('the consent page', () => {
  it('lets the user choose among organizations, and offers what the role there allows', async () => {
    const grace = await joinOrganization(test, ada, 'member', 'Grace Hopper');
    const browser = new PageBrowser(test);
    const choice = await logInAt(browser, server, grace, { scope: 'read:profile admin:org' });
    expect(choice.text).toContain('<legend>Where shall');
    expect(choice.text).toContain(`value="${ada.organizationId}"`);
    const consent = await browser.submit(choice, new URL(choice.url).pathname, { organization_id: ada.organizationId });
    expect(consent.text).toContain('your role there does not allow');
    expect(consent.text).toContain('name="scope" value="read:profile"');
    const back = await browser.submit(consent, '/allow');
    const { body } = await redeem(test, server, back.url.searchParams.get('code') ?? '');
    expect(body.scope).toBe('read:profile');
    const me = await test.api.get('/v1/me', body.access_token);
    expect(me.body.data.organization).toMatchObject({ id: ada.organizationId, role: 'member' });
    expect(await sentBack(server, { scope: 'read:profile admin:org' }, browser)).toHaveProperty('code');
    const asked = await browser.open(authorizeUrl(server, { prompt: 'consent' }));
    const own = await browser.submit(asked, new URL(asked.url).pathname, { organization_id: grace.organizationId });
    const ownBack = await browser.submit(own, '/allow');
    const tokens = await redeem(test, server, ownBack.url.searchParams.get('code') ?? '');
    const ownMe = await test.api.get('/v1/me', tokens.body.access_token);
    expect(ownMe.body.data.organization).toMatchObject({ id: grace.organizationId, role: 'admin' });
  });

  it('gives nothing in an organization of others, and no more than was shown', async () => {
    const grace = await test.register('Grace');
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, server, grace, { scope: 'read:profile' });
    const foreign = await browser.submit(consent, '/allow', { organization_id: ada.organizationId });
    expect(foreign.text).toContain('Allow');
    const wider = await browser.submit(consent, '/allow', { scope: 'read:profile admin:org read:licenses' });
    const { body } = await redeem(test, server, wider.url.searchParams.get('code') ?? '');
    expect(body.scope).toBe('read:profile');
    const elsewhere = await new PageBrowser(test).open(`${consent.url.href}?organization_id=${ada.organizationId}`);
    expect(elsewhere.status).toBe(400);
  });

  it('offers only to deny where the role allows nothing of it', async () => {
    const grace = await test.register('Grace');
    await execute(test.database, `update memberships set role = 'member' where user_id = $1`, [grace.userId]);
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, server, grace, { scope: 'admin:org' });
    expect(formsOf(consent).map((form) => form.action.split('/').at(-1))).toEqual(['deny', 'switch-account']);
  });

  it('lets somebody else log in instead', async () => {
    const grace = await test.register('Grace Hopper');
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, server, ada, { prompt: 'consent' });
    const login = await browser.submit(consent, '/switch-account');
    expect(login.text).toContain('Log in');
    const other = await browser.submit(login, '/login', { email: grace.email, password: grace.password });
    expect(other.text).toContain(grace.email);
    const again = await browser.open(authorizeUrl(server, { prompt: 'login' }));
    const back = await browser.submit(again, '/login', { email: ada.email, password: ada.password });
    expect(back.url.searchParams.has('code')).toBe(true);
  });
});

describe('an interaction', () => {
  it('400: belongs to its browser alone, and ends with the authorization', async () => {
    const browser = new PageBrowser(test);
    const login = await browser.open(authorizeUrl(server));
    const stranger = await new PageBrowser(test).open(login.url);
    expect([stranger.status, stranger.text.includes('expired')]).toEqual([400, true]);
    await browser.submit(login, '/deny');
    expect((await browser.open(login.url)).status).toBe(400);
    expect((await browser.open(`${ISSUER}/authorize/${login.url.pathname.split('/').at(-1)}`)).status).toBe(400);
  });

  it('400: takes no form from another site', async () => {
    const browser = new PageBrowser(test);
    const login = await browser.open(authorizeUrl(server));
    const action = new URL(formsOf(login)[0]?.action ?? '', login.url);
    const body = new URLSearchParams({ email: ada.email, password: ada.password });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      expect((await browser.open(action, { method: 'POST', body, headers })).status).toBe(400);
    }
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    expect((await browser.open(action, json)).status).toBe(415);
    const large = { method: 'POST', body: new URLSearchParams({ email: 'x'.repeat(20_000) }) };
    expect((await browser.open(action, large)).status).toBe(413);
    expect((await browser.open(action)).url.href).toBe(login.url.href);
    expect((await browser.open(action, { method: 'DELETE' })).status).toBe(405);
  });

  it('a login proved before the password was changed goes no further', async () => {
    const grace = await test.register('Grace');
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, server, grace);
    const changed = await test.api.call('PATCH', '/v1/me', {
      token: grace.accessToken,
      body: { password: 'another engine weaves', current_password: grace.password },
    });
    expect(changed.status).toBe(200);
    expect((await browser.open(consent.url)).status).toBe(400);
    expect((await browser.open(authorizeUrl(server))).text).toContain('Log in');
  });
});

describe('every answer', () => {
  it('carries the headers of all answers, pages those of pages, and cookies are locked to the host', async () => {
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, server, ada, { prompt: 'consent' });
    await browser.submit(consent, '/allow');
    for (const { url, headers } of browser.answers) {
      for (const name of [
        'x-request-id',
        'x-ratelimit-limit',
        'x-ratelimit-reset',
        'strict-transport-security',
        'x-content-type-options',
      ]) {
        expect([url, name, headers.get(name)]).not.toContain(null);
      }
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    expect(consent.headers.get('content-security-policy')).toContain("form-action 'self' https://console.example;");
    for (const cookie of browser.setCookies) {
      expect(cookie).toMatch(/^__(?:Host-seathold-login|Secure-seathold-(?:interaction|resume))-live(?:\.sig)?=/);
      expect(cookie).toMatch(/; samesite=lax; secure; httponly/);
      expect(cookie.startsWith('__Host-')).toBe(/; path=\/;/.test(cookie));
    }
  });

  it('is at the address of the issuer, whatever the client says of hosts', async () => {
    const response = await fetch(`${test.api.baseUrl}${authorizeUrl(server).slice('https://api.test'.length)}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
    });
    expect(response.headers.get('location')).toMatch(/^https:\/\/api\.test\/oauth\/interaction\//);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('503 with nothing of the fault in it while the database is away, as a page and in the shape of RFC 6749', async () => {
    const away = await openTestApp();
    const owner = await away.register();
    const app = await makeOauthApp(away, owner);
    const browser = new PageBrowser(away);
    const login = await browser.open(authorizeUrl(app));
    await execute(away.database, 'alter table oauth_apps rename to oauth_apps_gone');
    const broken = await browser.open(authorizeUrl(app));
    expect([broken.status, broken.text.includes('oauth_apps'), broken.text.includes('went wrong')]).toEqual([
      500,
      false,
      true,
    ]);
    await away.database.close();
    const page = await browser.open(authorizeUrl(app));
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '2']);
    expect(page.text).toContain('away for the moment');
    expect((await browser.open(login.url)).status).toBe(503);
    const token = await fetch(`${away.api.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: app.clientId, client_secret: 'x' }),
    });
    expect([token.status, await token.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
    expect(token.headers.get('x-request-id')).toMatch(/^req_/);
    await away.close().catch(() => undefined);
  });
});
