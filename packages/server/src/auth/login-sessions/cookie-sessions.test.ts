import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, onTestFinished } from 'vitest';
import { ApiBrowser, BY_COOKIE } from '../../../test/harness/api-browser.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeStaff } from '../../../test/harness/staff.ts';
import { codeAt, MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ clock });

const loggedIn = async (app: TestApp, member: Member) => {
  const browser = new ApiBrowser();
  expect((await browser.logIn(app.api, member)).status).toBe(200);
  return browser;
};
/** The status of a request over plain HTTP. */
const sendPlain = async (app: TestApp, cookie: string) => {
  const server = createServer(app.service.handlePlain).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return (await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { cookie } })).status;
};
const me = async (app: TestApp, browser: ApiBrowser) => (await browser.get(app.api, '/v1/me')).status;

describe('a login with X-Session-Transport: cookie', () => {
  it('sets a cookie that works like a token, and returns no secret in the body', async ({ app, ada }) => {
    const browser = new ApiBrowser();
    const answer = await browser.logIn(app.api, ada);
    expect(answer.body.data).toEqual({
      status: 'logged_in_with_cookie',
      user: { id: ada.userId, email: ada.email, name: 'Ada Test' },
      expires_at: expect.any(String),
    });
    expect(browser.lastSet).toMatch(
      /^__Host-seathold=svc_scl_[0-9A-Za-z]{42}; Path=\/; Max-Age=7776000; HttpOnly; Secure; SameSite=Strict$/,
    );
    const shown = await browser.get(app.api, '/v1/me');
    expect(shown.body.data.id).toBe(ada.userId);
    expect((await browser.post(app.api, '/v1/projects', { name: 'Looms' })).status).toBe(201);
  });

  it('works for a registration and a second factor, too', async ({ app }) => {
    const newcomer = new ApiBrowser();
    const person = { email: 'newcomer@example.com', password: 'an engine that weaves patterns', name: 'New' };
    const registered = await newcomer.post(app.api, '/v1/auth/register', person, BY_COOKIE);
    expect([registered.status, registered.body.data.status]).toEqual([201, 'logged_in_with_cookie']);
    expect(await me(app, newcomer)).toBe(200);

    const member = await registerWithTwoFactor(app, clock);
    const browser = new ApiBrowser();
    const { challenge_token } = (await browser.logIn(app.api, member)).body.data;
    expect(browser.cookie).toBe('');
    const code = codeAt(clock, member.secret);
    const verified = await browser.post(app.api, '/v1/auth/2fa/verify', { challenge_token, code }, BY_COOKIE);
    expect(verified.body.data).not.toHaveProperty('access_token');
    expect(await me(app, browser)).toBe(200);
  });

  it('lets staff act for an organization after two-factor, and only then', async ({ app, admin, ada }) => {
    const staff = await registerWithTwoFactor(app, clock);
    await makeStaff(app, staff, 'support');
    const browser = new ApiBrowser();
    const { challenge_token } = (await browser.logIn(app.api, staff)).body.data;
    const code = codeAt(clock, staff.secret);
    await browser.post(app.api, '/v1/auth/2fa/verify', { challenge_token, code }, BY_COOKIE);
    const acting = { 'x-organization-id': admin.organizationId };
    expect((await browser.get(app.api, '/v1/licenses', acting)).status).toBe(200);
    await makeStaff(app, ada, 'support');
    const withoutFactor = await (await loggedIn(app, ada)).get(app.api, '/v1/licenses', acting);
    expect(withoutFactor.body.error.code).toBe('two_factor_required');
  });

  it('acts in the organization of X-Organization-Id, and in no foreign one', async ({ app, admin, ada }) => {
    const inOther = { 'x-organization-id': admin.organizationId };
    expect((await (await loggedIn(app, ada)).get(app.api, '/v1/me', inOther)).status).toBe(404);
    const browser = await loggedIn(app, await joinOrganization(app, admin, 'member'));
    const shown = await browser.get(app.api, '/v1/me', inOther);
    expect(shown.body.data.organization).toMatchObject({ id: admin.organizationId, role: 'member' });
  });

  it('always sets a new value, whatever cookie was sent', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    const first = browser.cookie;
    await browser.logIn(app.api, ada);
    expect(browser.cookie).not.toBe(first);
    const planted = new ApiBrowser();
    planted.cookie = `svc_scl_${'A'.repeat(42)}`;
    await planted.logIn(app.api, ada);
    expect(planted.cookie).not.toContain('AAAA');
  });

  it('400: an unknown transport', async ({ app, ada: { email, password } }) => {
    const headers = { 'x-session-transport': 'header' };
    const answer = await app.api.post('/v1/auth/login', undefined, { email, password }, headers);
    expect(answer.body.error.details).toEqual({ field: 'X-Session-Transport', reason: 'enum' });
  });
});

const OWN = 'https://api.test';

describe('a request from another site', () => {
  it.for([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://blog.api.test' }],
    ['another port', { 'sec-fetch-site': 'same-site', origin: 'https://api.test:8444' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an old browser', { origin: OWN }],
    ['a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['a page that only claims to be ours', { 'sec-fetch-site': 'same-origin', origin: 'https://api.test.evil.test' }],
    ['a page without an origin', { 'sec-fetch-site': 'same-origin' }],
  ] as const)('401: the cookie is not accepted for a change from %s', async ([, page], { app, ada }) => {
    const browser = await loggedIn(app, ada);
    const answer = await browser.call(app.api, 'POST', '/v1/projects', { body: { name: 'Forged' }, page });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_token']);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect((await app.api.get('/v1/projects', ada.accessToken)).body.data).toEqual([]);
  });

  it.for([['cross-site'], ['same-site'], ['none'], ['']] as const)(
    '401: the cookie is not accepted for a read with Sec-Fetch-Site "%s"',
    async ([site], { app, ada }) => {
      const browser = await loggedIn(app, ada);
      const page = { 'sec-fetch-site': site };
      expect((await browser.call(app.api, 'GET', '/v1/me', { page })).status).toBe(401);
    },
  );

  it.for([
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' },
    { 'sec-fetch-site': 'same-site', origin: 'https://blog.api.test' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' },
    { origin: 'https://evil.test' },
  ])('403: a page from %j cannot log its visitor in', async (page, { app, ada }) => {
    const browser = new ApiBrowser();
    const { email, password } = ada;
    const options = { body: { email, password }, headers: BY_COOKIE, page };
    const answer = await browser.call(app.api, 'POST', '/v1/auth/login', options);
    expect([answer.status, answer.body.error.code, browser.lastSet]).toEqual([403, 'forbidden', '']);
  });

  it('is not allowed to send the header for cookie logins', async ({ app }) => {
    const preflight = await app.api.call('OPTIONS', '/v1/auth/login', {
      headers: {
        origin: 'https://evil.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-session-transport',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const listed = await app.api.call('OPTIONS', '/v1/plans', {
      headers: { origin: 'https://evil.test', 'access-control-request-method': 'GET' },
    });
    expect(listed.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('x-session-transport');
  });
});

describe('the cookie', () => {
  it('is ignored when the request has an Authorization header, even an invalid one', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    const other = await app.register();
    const asOther = await browser.get(app.api, '/v1/me', { authorization: `Bearer ${other.accessToken}` });
    expect(asOther.body.data.id).toBe(other.userId);
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', '']) {
      expect((await browser.get(app.api, '/v1/me', { authorization })).status).toBe(401);
    }
  });

  it('is not a bearer token, not even right after use', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    expect(await me(app, browser)).toBe(200);
    expect((await app.api.get('/v1/me', browser.cookie)).status).toBe(401);
    expect((await app.api.get('/v1/projects', browser.cookie)).status).toBe(401);
  });

  it('cannot be an access token or an API token', async ({ app, ada }) => {
    const browser = new ApiBrowser();
    browser.cookie = ada.accessToken;
    expect(await me(app, browser)).toBe(401);
  });

  it('is accepted only if exactly one cookie has the name, spelled exactly', async ({ app, ada }) => {
    const { cookie } = await loggedIn(app, ada);
    const send = async (text: string) => (await new ApiBrowser().get(app.api, '/v1/me', { cookie: text })).status;
    expect(await send(`__Host-seathold=${cookie}`)).toBe(200);
    expect(await send(`a=b;\t__Host-seathold=${cookie} ;c`)).toBe(200);
    expect(await send(`__Host-seathold=x; __Host-seathold=${cookie}`)).toBe(401);
    expect(await send(`__host-seathold=${cookie}`)).toBe(401);
    expect(await send(`\u00a0__Host-seathold=${cookie}`)).toBe(401);
    expect(await send(`seathold=${cookie}`)).toBe(401);
  });

  it('counts against the limits like the tokens of its user', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    const left = async (answer: Promise<{ headers: Headers }>) =>
      Number((await answer).headers.get('x-ratelimit-remaining'));
    const first = await left(app.api.get('/v1/projects', ada.accessToken));
    expect(await left(browser.get(app.api, '/v1/projects'))).toBe(first - 1);
  });
});

describe('a cookie session', () => {
  it('ends at the next request after a logout, which removes the cookie', async ({ app, second, ada }) => {
    const browser = await loggedIn(app, ada);
    const { cookie } = browser;
    expect((await browser.post(app.api, '/v1/auth/logout', undefined)).status).toBe(200);
    expect(browser.lastSet).toBe('__Host-seathold=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict');
    browser.cookie = cookie;
    expect([await me(app, browser), await me(second, browser)]).toEqual([401, 401]);
  });

  it('is listed, and ends with DELETE /v1/auth/sessions/{id}', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    const listed = await browser.get(app.api, '/v1/auth/sessions');
    expect(listed.body.data).toContainEqual(expect.objectContaining({ kind: 'dashboard', is_current: true }));
    expect(listed.body.data).toContainEqual(expect.objectContaining({ kind: 'api', is_current: false }));
    const { id } = listed.body.data.find((login: { kind: string }) => login.kind === 'dashboard');
    expect((await app.api.call('DELETE', `/v1/auth/sessions/${id}`, { token: ada.accessToken })).status).toBe(204);
    expect(await me(app, browser)).toBe(401);
  });

  it('ends with a new password, except the session that sets it, which continues with a new secret', async ({
    app,
    ada,
  }) => {
    const [own, other] = [await loggedIn(app, ada), await loggedIn(app, ada)];
    const stolen = new ApiBrowser();
    stolen.cookie = own.cookie;
    const body = { current_password: ada.password, password: 'another engine that weaves' };
    expect((await own.call(app.api, 'PATCH', '/v1/me', { body })).status).toBe(200);
    expect(own.cookie).not.toBe(stolen.cookie);
    expect([await me(app, own), await me(app, stolen), await me(app, other)]).toEqual([200, 401, 401]);
  });

  it('ends after 30 days without use; use renews it, up to 90 days after the login', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    const age = (days: number) =>
      execute(
        app.database,
        `update bearer_tokens set expires_at = expires_at - $2 * interval '1 day' where user_id = $1`,
        [ada.userId, days],
      );
    const daysLeft = async () => {
      const [row] = await execute<{ days: number }>(
        app.database,
        `select extract(epoch from b.expires_at - clock_timestamp())::float / 86400 as days from bearer_tokens b
        join login_sessions l on l.id = b.source_id and l.by_cookie where b.user_id = $1`,
        [ada.userId],
      );
      return row?.days ?? 0;
    };
    await age(29);
    expect(await me(app, browser)).toBe(200);
    await app.runJob('auth.renew-browser-sessions');
    expect(await daysLeft()).toBeCloseTo(30, 1);
    await execute(app.database, `update login_sessions set ends_at = ends_at - interval '80 days' where user_id = $1`, [
      ada.userId,
    ]);
    // An hour later the use is recorded again.
    clock.nextStep(121);
    expect(await me(app, browser)).toBe(200);
    await app.runJob('auth.renew-browser-sessions');
    expect(await daysLeft()).toBeCloseTo(10, 1);
    await age(11);
    const expired = await browser.get(app.api, '/v1/me');
    expect([expired.status, expired.body.error.code]).toEqual([401, 'token_expired']);
  });

  it('ends when its cookie is sent unencrypted', async ({ app, ada }) => {
    const browser = await loggedIn(app, ada);
    const refused = await sendPlain(app, `__Host-seathold=${browser.cookie}`);
    expect(refused).toBe(403);
    expect(await me(app, browser)).toBe(401);
  });
});
