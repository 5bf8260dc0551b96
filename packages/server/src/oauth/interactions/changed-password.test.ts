import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { authorizeUrl, logInAt, makeOauthApp, type OauthApp } from '../../../test/harness/oauth-world.ts';
import { PageBrowser } from '../../../test/harness/page-browser.ts';

let test: TestApp;
let app: OauthApp;

beforeAll(async () => {
  test = await openTestApp();
  app = await makeOauthApp(test, await test.register('Vendor'));
});
afterAll(() => test.close());

const NEW_PASSWORD = 'another engine that weaves patterns';

async function changePassword(member: Member): Promise<void> {
  const body = { password: NEW_PASSWORD, current_password: member.password };
  const answer = await test.api.call('PATCH', '/v1/me', { token: member.accessToken, body });
  expect(answer.status).toBe(200);
}

const liveGrants = (member: Member) =>
  execute<{ id: string }>(test.database, 'select id from oauth_grants where user_id = $1 and ended_at is null', [
    member.userId,
  ]);

const sessionsOf = (member: Member) =>
  execute(test.database, `select 1 from oauth_artifacts where model = 'Session' and user_id = $1`, [member.userId]);

describe('a password that is changed while an authorization is under way', () => {
  it('ends the browser login: the consent page that is still open lets no app in', async () => {
    const member = await test.register();
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, app, member);
    expect(consent.text).toContain('Allow');
    await changePassword(member);
    const after = await browser.submit(consent, '/allow');

    expect(after.status).toBe(400);
    expect(await liveGrants(member)).toEqual([]);
    const again = await browser.open(authorizeUrl(app));
    expect(again.text).toContain('name="password"');
  });

  it('ends a login that was proved before it and is written after it', async () => {
    const member = await test.register();
    // As if the answer to the login form had been on its way since before the change.
    await execute(
      test.database,
      `update users set password_changed_at = clock_timestamp() + interval '1 minute' where id = $1`,
      [member.userId],
    );
    const browser = new PageBrowser(test);
    const page = await logInAt(browser, app, member);

    expect(page.text).not.toContain('Allow');
    expect(await sessionsOf(member)).toEqual([]);
  });

  it('ends the browser login for good, though requests of that browser go on all the while', async () => {
    const member = await test.register();
    const url = new URL(authorizeUrl(app));
    for (let round = 0; round < 10; round += 1) {
      const browser = new PageBrowser(test);
      expect((await logInAt(browser, app, member)).text).toContain('Allow');
      const headers = { cookie: browser.cookiesFor(url.pathname), accept: 'text/html' };
      let isOver = false;
      const loops = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          await (
            await fetch(test.api.baseUrl + url.pathname + url.search, { headers, redirect: 'manual' })
          ).arrayBuffer();
        }
      });
      const body = { password: `${NEW_PASSWORD} ${round}`, current_password: member.password };
      const changed = await test.api.call('PATCH', '/v1/me', { token: member.accessToken, body });
      isOver = true;
      await Promise.all(loops);
      member.password = body.password;

      expect(changed.status).toBe(200);
      expect((await browser.open(url)).text).not.toContain('Allow');
      expect(await sessionsOf(member)).toEqual([]);
    }
  });

  it('lets a user log in with the new one at once', async () => {
    const member = await test.register();
    await changePassword(member);
    const consent = await logInAt(new PageBrowser(test), app, { email: member.email, password: NEW_PASSWORD });

    expect(consent.text).toContain('Allow');
  });
});
