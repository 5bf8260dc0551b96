import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { authorizeUrl, logInAt, makeOauthApp } from '../../../test/harness/oauth-world.ts';
import { PageBrowser } from '../../../test/harness/page-browser.ts';

const it = createTest().extend('oauthApp', { scope: 'file' }, async ({ app }) =>
  makeOauthApp(app, await app.register('Vendor')),
);

const NEW_PASSWORD = 'another engine that weaves patterns';

async function changePassword(app: TestApp, member: Member): Promise<void> {
  const body = { password: NEW_PASSWORD, current_password: member.password };
  const answer = await app.api.call('PATCH', '/v1/me', { token: member.accessToken, body });
  expect(answer.status).toBe(200);
}

const liveGrants = (app: TestApp, member: Member) =>
  execute<{ id: string }>(app.database, 'select id from oauth_grants where user_id = $1 and ended_at is null', [
    member.userId,
  ]);

const sessionsOf = (app: TestApp, member: Member) =>
  execute(app.database, `select 1 from oauth_artifacts where model = 'Session' and user_id = $1`, [member.userId]);

describe('a password change during an authorization', () => {
  it('ends the browser login: an open consent page can no longer authorize an app', async ({ app, oauthApp }) => {
    const member = await app.register();
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, oauthApp, member);
    expect(consent.text).toContain('Allow');
    await changePassword(app, member);
    const after = await browser.submit(consent, '/allow');

    expect(after.status).toBe(400);
    expect(await liveGrants(app, member)).toEqual([]);
    const again = await browser.open(authorizeUrl(oauthApp));
    expect(again.text).toContain('name="password"');
  });

  it('ends a login that was proved before it and is written after it', async ({ app, oauthApp }) => {
    const member = await app.register();
    // As if the login form had been submitted before the change.
    await execute(
      app.database,
      `update users set password_changed_at = clock_timestamp() + interval '1 minute' where id = $1`,
      [member.userId],
    );
    const browser = new PageBrowser(app);
    const page = await logInAt(browser, oauthApp, member);

    expect(page.text).not.toContain('Allow');
    expect(await sessionsOf(app, member)).toEqual([]);
  });

  it('ends the browser login permanently, even during requests of that browser', async ({ app, oauthApp }) => {
    const member = await app.register();
    const url = new URL(authorizeUrl(oauthApp));
    for (let round = 0; round < 10; round += 1) {
      const browser = new PageBrowser(app);
      expect((await logInAt(browser, oauthApp, member)).text).toContain('Allow');
      const headers = { cookie: browser.cookiesFor(url.pathname), accept: 'text/html' };
      let isOver = false;
      const loops = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          await (
            await fetch(app.api.baseUrl + url.pathname + url.search, { headers, redirect: 'manual' })
          ).arrayBuffer();
        }
      });
      const body = { password: `${NEW_PASSWORD} ${round}`, current_password: member.password };
      const changed = await app.api.call('PATCH', '/v1/me', { token: member.accessToken, body });
      isOver = true;
      await Promise.all(loops);
      member.password = body.password;

      expect(changed.status).toBe(200);
      expect((await browser.open(url)).text).not.toContain('Allow');
      expect(await sessionsOf(app, member)).toEqual([]);
    }
  });

  it('lets a user log in with the new password immediately', async ({ app, oauthApp }) => {
    const member = await app.register();
    await changePassword(app, member);
    const consent = await logInAt(new PageBrowser(app), oauthApp, { email: member.email, password: NEW_PASSWORD });

    expect(consent.text).toContain('Allow');
  });
});
