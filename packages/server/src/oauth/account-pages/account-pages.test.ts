import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { ISSUER, PageBrowser } from '../../../test/harness/page-browser.ts';

describe('the pages linked in mails', () => {
  it('set a new password with a mailed code, and respond the same to an unknown address', async ({ app, ada }) => {
    const browser = new PageBrowser(app);
    const forgot = await browser.open(`${ISSUER}/forgot-password`);
    const sent = await browser.submit(forgot, '/forgot-password', { email: ada.email });
    const unknown = await browser.submit(forgot, '/forgot-password', { email: 'nobody@example.com' });
    expect([sent.status, sent.text]).toEqual([200, unknown.text]);
    await app.runJobs();
    const mail = (await app.mailsTo(ada.email)).findLast((each) => each.code !== undefined);
    const reset = await browser.open(`${ISSUER}/reset-password`);
    const password = 'a loom that weaves algebra';
    const short = await browser.submit(reset, '/reset-password', { token: mail?.code ?? '', password: 'short' });
    expect([short.status, short.text.includes('role="alert"')]).toEqual([400, true]);
    const common = await browser.submit(reset, '/reset-password', { token: mail?.code ?? '', password: 'password123' });
    expect(common.status).toBe(400);
    const done = await browser.submit(reset, '/reset-password', { token: ` ${mail?.code}\n`, password });
    expect([done.status, done.text.includes('Password changed')]).toEqual([200, true]);
    expect((await app.api.post('/v1/auth/login', undefined, { email: ada.email, password })).status).toBe(200);
    const again = await browser.submit(reset, '/reset-password', { token: mail?.code ?? '', password });
    expect([again.status, again.text.includes(mail?.code ?? 'none')]).toEqual([400, false]);
  });

  it('verify an address with the button of the page that has the code, and never by just opening it', async ({
    app,
    ada,
  }) => {
    const mail = (await app.mailsTo(ada.email)).findLast((each) => each.kind === 'verify-email');
    const browser = new PageBrowser(app);
    const link = `${ISSUER}/verify-email?token=${mail?.code}`;
    await browser.open(link);
    await browser.open(link, { method: 'HEAD' });
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.email_verified).toBe(false);
    const page = await browser.open(link);
    expect(page.text).toContain(`<input type="hidden" name="token" value="${mail?.code}">`);
    expect(page.text).not.toContain('type="text"');
    const done = await browser.submit(page, '/verify-email', { token: mail?.code ?? '' });
    expect([done.status, done.text.includes('verified')]).toEqual([200, true]);
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.email_verified).toBe(true);
    const again = await browser.submit(page, '/verify-email', { token: mail?.code ?? '' });
    expect([again.status, again.text.includes('type="text"'), again.text.includes(mail?.code ?? 'none')]).toEqual([
      400,
      true,
      false,
    ]);
  });

  it('ask for the code if the link has none, or an invalid one', async ({ app }) => {
    const browser = new PageBrowser(app);
    for (const query of ['', '?token=', '?token=%22%3E%3Cscript%3E', `?token=${'a'.repeat(200)}`]) {
      const page = await browser.open(`${ISSUER}/verify-email${query}`);
      expect([page.status, page.text.includes('type="text"'), page.text.includes('<script')]).toEqual([
        200,
        true,
        false,
      ]);
    }
  });

  it('verify an address with a typed code', async ({ app, ada }) => {
    const mail = (await app.mailsTo(ada.email)).findLast((each) => each.kind === 'verify-email');
    const browser = new PageBrowser(app);
    const page = await browser.open(`${ISSUER}/verify-email`);
    expect((await browser.submit(page, '/verify-email', { token: 'nonsense\0' })).status).toBe(400);
    const done = await browser.submit(page, '/verify-email', { token: mail?.code ?? '' });
    expect([done.status, done.text.includes('verified')]).toEqual([200, true]);
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.email_verified).toBe(true);
  });

  it('400 for an invalid address, 403 for a form from another site, 405 for another method', async ({ app }) => {
    const browser = new PageBrowser(app);
    const page = await browser.open(`${ISSUER}/forgot-password`);
    const wrong = await browser.submit(page, '/forgot-password', { email: '<script>' });
    expect([wrong.status, wrong.text.includes('<script>')]).toEqual([400, false]);
    const foreign = {
      method: 'POST',
      body: new URLSearchParams({ email: 'a@example.com' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    };
    expect((await browser.open(`${ISSUER}/forgot-password`, foreign)).status).toBe(403);
    expect((await browser.open(`${ISSUER}/forgot-password`, { method: 'PUT' })).status).toBe(405);
  });
});
