import { describe, expect } from 'vitest';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';
import { MovedClock, registerWithTwoFactor } from '../../test/harness/two-factor.ts';
import { allow, createDeviceTest, enter, errorOf, logIn, poll, start } from '../../test/oauth/device-world.ts';

const it = createDeviceTest();

describe('the device code page', () => {
  it('accepts the code in any case, without the hyphen, and fills in the one from the URL', async ({
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

  it('400: for an unknown or missing code, with the form still there', async ({ app }) => {
    for (const code of ['BCDF-GHJK', '', '\u0000', 'x'.repeat(5_000)]) {
      const page = await enter(new PageBrowser(app), code);
      expect([page.status, page.text.includes('The code is incorrect')]).toEqual([400, true]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('400: for a form from another page', async ({ app, console: node }) => {
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

  it('lets another account log in, and starts again in another browser', async ({ app, console: node }) => {
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

  it('405: accepts the code only at its own address', async ({ app }) => {
    const answer = await fetch(`${app.api.baseUrl}/oauth/device/unknown`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const page = await new PageBrowser(app).open(`${ISSUER}/device/unknown`);
    expect([page.status, page.text.includes('The page has expired')]).toEqual([400, true]);
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
