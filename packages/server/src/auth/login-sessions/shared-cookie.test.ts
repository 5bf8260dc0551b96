import { describe, expect } from 'vitest';
import { ApiBrowser } from '../../../test/harness/api-browser.ts';
import { it } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';

const loggedIn = async (app: TestApp, member: Member) => {
  const browser = new ApiBrowser();
  expect((await browser.logIn(app.api, member)).status).toBe(200);
  return browser;
};
const me = async (app: TestApp, browser: ApiBrowser) => (await browser.get(app.api, '/v1/me')).status;

describe('production and the sandbox on one host', () => {
  it('share the cookie, and each changes only its own part', async ({ app, sandbox }) => {
    const [ada, tester] = [await app.register(), await sandbox.register()];
    const browser = await loggedIn(app, ada);
    expect(await me(sandbox, browser)).toBe(401);
    await browser.logIn(sandbox.api, tester);
    expect(browser.cookie).toMatch(/^svc_sct_\w{42}\.svc_scl_\w{42}$/);
    sandbox.api.secrets.note('the other cookie', browser.cookie.split('.')[1] ?? '');
    expect([await me(app, browser), await me(sandbox, browser)]).toEqual([200, 200]);
    await browser.post(app.api, '/v1/auth/logout', undefined);
    expect(browser.cookie).toMatch(/^svc_sct_\w{42}$/);
    expect([await me(app, browser), await me(sandbox, browser)]).toEqual([401, 200]);
  });

  it('pass on only a well-formed secret of the other', async ({ app, ada }) => {
    const browser = new ApiBrowser();
    browser.cookie = `svc_sct_${'x'.repeat(42)}.anything`;
    await browser.logIn(app.api, ada);
    expect(browser.cookie).toMatch(/^svc_scl_\w{42}$/);
  });
});
