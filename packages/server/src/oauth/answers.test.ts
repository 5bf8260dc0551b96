import { connect } from 'node:http2';
import { describe, expect } from 'vitest';
import { startListeningApp } from '../../test/fuzz/listening-app.ts';
import { execute, startAppForTest, startTestApp } from '../../test/harness/index.ts';
import {
  authorizeUrl,
  createOauthTest,
  credentialsOf,
  logInAt,
  makeOauthApp,
  obtainTokens,
} from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';

const it = createOauthTest();

describe('every response', () => {
  it('has the general headers, pages those of pages, and cookies are locked to the host', async ({
    app,
    admin,
    server,
  }) => {
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, server, admin, { prompt: 'consent' });
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

  it('redirects to the address of the issuer, whatever host the client names', async ({ app, server }) => {
    const response = await fetch(`${app.api.baseUrl}${authorizeUrl(server).slice('https://api.test'.length)}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
    });
    expect(response.headers.get('location')).toMatch(/^https:\/\/api\.test\/oauth\/interaction\//);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('503: reveals nothing about the fault while the database is unavailable, as a page and in the form of RFC 6749', async () => {
    const away = await startTestApp();
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
    expect(page.text).toContain('temporarily unavailable');
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

describe('the authorization server over TLS and HTTP/2', () => {
  it('behaves the same, and a form that is too long does not end the connection', async () => {
    const { test: served, listener, certificate, close } = await startListeningApp({ trustsPlain: false });
    const owner = await served.register();
    const app = await makeOauthApp(served, owner);
    const { refreshToken } = await obtainTokens(served, app, owner);
    const session = connect(`https://localhost:${listener.port}`, { ca: certificate.caPem });
    const ask = (headers: Record<string, string>, body = ''): Promise<{ status: number; text: string }> =>
      new Promise((resolve, reject) => {
        const stream = session.request(headers).setEncoding('utf8').on('error', reject);
        let status = 0;
        let text = '';
        stream.on('response', (answer) => {
          status = answer[':status'] ?? 0;
          expect(answer['x-request-id']).toMatch(/^req_/);
        });
        stream.on('data', (chunk: string) => {
          text += chunk;
        });
        stream.on('end', () => resolve({ status, text }));
        // A GET has already ended.
        if (headers[':method'] === 'POST') {
          stream.end(body);
        }
      });
    const post = (path: string, form: Record<string, string>) =>
      ask(
        { ':method': 'POST', ':path': path, 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(form).toString(),
      );
    const page = await ask({ ':method': 'GET', ':path': authorizeUrl(app).slice('https://api.test'.length) });
    expect(page.status).toBe(303);
    const refreshed = await post('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      ...credentialsOf(app),
    });
    expect(refreshed.status).toBe(200);
    served.api.secrets.noteBody(JSON.parse(refreshed.text));
    expect((await post('/oauth/forgot-password', { email: 'x'.repeat(200_000) })).status).toBe(413);
    expect((await post('/oauth/token', { code: 'x'.repeat(200_000) })).status).toBe(413);
    expect((await ask({ ':method': 'GET', ':path': '/oauth/reset-password' })).status).toBe(200);
    session.destroy();
    await close();
  });
});

describe('a client that sends too many requests', () => {
  it('429: gets the form of RFC 6749 and the general headers', async () => {
    const settings = { SEATHOLD_RATE_LIMITS: '{"tiers":{"free":{"minute":3}}}' };
    const limited = await startAppForTest({ settings });
    const ask = () => fetch(`${limited.api.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams() });
    for (let request = 0; request < 3; request += 1) {
      expect((await ask()).status).toBe(401);
    }
    const refused = await ask();
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'rate_limit_exceeded', error_description: expect.any(String) });
    const page = await new PageBrowser(limited).open(`${ISSUER}/authorize`);
    expect([page.status, page.text.includes('Too many attempts')]).toEqual([429, true]);
  });
});
