import { describe, expect } from 'vitest';
import { execute, startAppForTest } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import {
  authorizeUrl,
  createOauthTest,
  logInAt,
  makeOauthApp,
  redeem,
  sentBack,
} from '../../../test/harness/oauth-world.ts';
import { formsOf, ISSUER, PageBrowser } from '../../../test/harness/page-browser.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createOauthTest({ clock });

describe('the login page', () => {
  it('400: shows a wrong password beside the form, announces it to screen readers, and keeps the address', async ({
    app,
    admin,
    server,
  }) => {
    const browser = new PageBrowser(app);
    const login = await browser.open(authorizeUrl(server));
    for (const email of [admin.email, 'nobody@example.com']) {
      const again = await browser.submit(login, '/login', { email, password: 'a wrong password' });
      expect(again.status).toBe(400);
      expect(again.text).toContain('<p class="alert" role="alert" id="alert">');
      expect(again.text).toContain('aria-describedby="alert" aria-invalid="true"');
      expect(again.text).toContain(`value="${email}"`);
      expect(again.text).not.toContain('a wrong password');
    }
    const consent = await browser.submit(login, '/login', { email: admin.email, password: admin.password });
    expect(consent.url.pathname).not.toMatch(/login$/);
  });

  it('asks for the second factor, accepts each code once, and accepts a recovery code instead', async ({
    app,
    server,
  }) => {
    const member = await registerWithTwoFactor(app, clock);
    const browser = new PageBrowser(app);
    const page = await logInAt(browser, server, member);
    expect(page.text).toContain('autocomplete="one-time-code"');
    expect(page.url.search).toBe('');
    const wrong = await browser.submit(page, '/code', { code: wrongCode(clock, member.secret) });
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
    const code = codeAt(clock, member.secret);
    const consent = await browser.submit(wrong, '/code', { code: ` ${code}` });
    expect(consent.text).toContain('Allow');
    const other = new PageBrowser(app);
    const second = await logInAt(other, server, member);
    expect((await other.submit(second, '/code', { code })).status).toBe(400);
    const recovered = await other.submit(second, '/code', { code: member.recoveryCodes[0] ?? '' });
    expect(recovered.text).toContain('Allow');
    const spent = await other.submit(second, '/code', { code: member.recoveryCodes[1] ?? '' });
    expect(spent.status).toBe(400);
  });

  it('requires the second factor in addition to the password', async ({ app, server }) => {
    const member = await registerWithTwoFactor(app, clock);
    const browser = new PageBrowser(app);
    const page = await logInAt(browser, server, member);
    const action = new URL(formsOf(page)[0]?.action ?? '', page.url);
    const start = await browser.open(new URL(action.pathname.replace(/\/code$/, ''), ISSUER));
    expect(start.text).toContain('Log in');
    expect((await browser.open(authorizeUrl(server))).text).toContain('Log in');
  });

  it('429: shares its counters with POST /v1/auth/login, by address and by account', async () => {
    const limited = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: '{"tiers":{"free":{"minute":500}}}' } });
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
  it('lets the user choose an organization, and offers what the role there allows', async ({ app, admin, server }) => {
    const grace = await joinOrganization(app, admin, 'member', 'Grace Hopper');
    const browser = new PageBrowser(app);
    const choice = await logInAt(browser, server, grace, { scope: 'read:profile admin:org' });
    expect(choice.text).toContain('<legend>Which organization should');
    expect(choice.text).toContain(`value="${admin.organizationId}"`);
    const consent = await browser.submit(choice, new URL(choice.url).pathname, {
      organization_id: admin.organizationId,
    });
    expect(consent.text).toContain('which your role does not allow');
    expect(consent.text).toContain('name="scope" value="read:profile"');
    const back = await browser.submit(consent, '/allow');
    const { body } = await redeem(app, server, back.url.searchParams.get('code') ?? '');
    expect(body.scope).toBe('read:profile');
    const me = await app.api.get('/v1/me', body.access_token);
    expect(me.body.data.organization).toMatchObject({ id: admin.organizationId, role: 'member' });
    expect(await sentBack(app, server, { scope: 'read:profile admin:org' }, browser)).toHaveProperty('code');
    const asked = await browser.open(authorizeUrl(server, { prompt: 'consent' }));
    const own = await browser.submit(asked, new URL(asked.url).pathname, { organization_id: grace.organizationId });
    const ownBack = await browser.submit(own, '/allow');
    const tokens = await redeem(app, server, ownBack.url.searchParams.get('code') ?? '');
    const ownMe = await app.api.get('/v1/me', tokens.body.access_token);
    expect(ownMe.body.data.organization).toMatchObject({ id: grace.organizationId, role: 'admin' });
  });

  it('grants nothing in someone else’s organization, and no more than was shown', async ({ app, admin, server }) => {
    const grace = await app.register('Grace');
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, server, grace, { scope: 'read:profile' });
    const foreign = await browser.submit(consent, '/allow', { organization_id: admin.organizationId });
    expect(foreign.text).toContain('Allow');
    const wider = await browser.submit(consent, '/allow', { scope: 'read:profile admin:org read:licenses' });
    const { body } = await redeem(app, server, wider.url.searchParams.get('code') ?? '');
    expect(body.scope).toBe('read:profile');
    const elsewhere = await new PageBrowser(app).open(`${consent.url.href}?organization_id=${admin.organizationId}`);
    expect(elsewhere.status).toBe(400);
  });

  it('offers only to deny if the role allows none of the scopes', async ({ app, server }) => {
    const grace = await app.register('Grace');
    await execute(app.database, `update memberships set role = 'member' where user_id = $1`, [grace.userId]);
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, server, grace, { scope: 'admin:org' });
    expect(formsOf(consent).map((form) => form.action.split('/').at(-1))).toEqual(['deny', 'switch-account']);
  });

  it('lets another user log in instead', async ({ app, admin, server }) => {
    const grace = await app.register('Grace Hopper');
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, server, admin, { prompt: 'consent' });
    const login = await browser.submit(consent, '/switch-account');
    expect(login.text).toContain('Log in');
    const other = await browser.submit(login, '/login', { email: grace.email, password: grace.password });
    expect(other.text).toContain(grace.email);
    const again = await browser.open(authorizeUrl(server, { prompt: 'login' }));
    const back = await browser.submit(again, '/login', { email: admin.email, password: admin.password });
    expect(back.text).toContain(admin.email);
  });
});

describe('an interaction', () => {
  it('400: belongs only to its browser, and ends with the authorization', async ({ app, server }) => {
    const browser = new PageBrowser(app);
    const login = await browser.open(authorizeUrl(server));
    const stranger = await new PageBrowser(app).open(login.url);
    expect([stranger.status, stranger.text.includes('expired')]).toEqual([400, true]);
    await browser.submit(login, '/deny');
    expect((await browser.open(login.url)).status).toBe(400);
    expect((await browser.open(`${ISSUER}/authorize/${login.url.pathname.split('/').at(-1)}`)).status).toBe(400);
  });

  it('400: accepts no form from another site', async ({ app, admin, server }) => {
    const browser = new PageBrowser(app);
    const login = await browser.open(authorizeUrl(server));
    const action = new URL(formsOf(login)[0]?.action ?? '', login.url);
    const body = new URLSearchParams({ email: admin.email, password: admin.password });
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

  it('does not continue with a login proved before the password was changed', async ({ app, server }) => {
    const grace = await app.register('Grace');
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, server, grace);
    const changed = await app.api.call('PATCH', '/v1/me', {
      token: grace.accessToken,
      body: { password: 'another engine weaves', current_password: grace.password },
    });
    expect(changed.status).toBe(200);
    expect((await browser.open(consent.url)).status).toBe(400);
    expect((await browser.open(authorizeUrl(server))).text).toContain('Log in');
  });
});
