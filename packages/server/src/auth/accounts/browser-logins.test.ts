import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { authorizeUrl, logInAt, makeOauthApp, obtainTokens } from '../../../test/harness/oauth-world.ts';
import { PageBrowser } from '../../../test/harness/page-browser.ts';

const it = createTest().extend('oauthApp', { scope: 'file' }, async ({ app }) =>
  makeOauthApp(app, await app.register('Vendor')),
);

interface Listed {
  id: string;
  kind: 'api' | 'browser';
}

const list = async (app: TestApp, member: Member, query = ''): Promise<Listed[]> =>
  (await app.api.get(`/v1/auth/sessions${query}`, member.accessToken)).body.data;

const browserLoginsOf = async (app: TestApp, member: Member) =>
  (await list(app, member)).filter((login) => login.kind === 'browser');

const end = (second: TestApp, member: Member, id = '') =>
  second.api.call('DELETE', `/v1/auth/sessions/${id}`, { token: member.accessToken });

const keptOf = (app: TestApp, member: Member) =>
  execute<{ model: string }>(
    app.database,
    `select model from oauth_artifacts where user_id = $1 and model in ('Session', 'Interaction')`,
    [member.userId],
  );

describe('a login on the authorization server’s pages', () => {
  it('is listed with the others, and stays one entry while it is used', async ({ app, ada, oauthApp }) => {
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, oauthApp, ada);
    const [login] = await list(app, ada);
    expect(login).toMatchObject({
      kind: 'browser',
      client_address: '127.0.0.1',
      user_agent: 'node',
      organization_id: null,
      is_current: false,
    });
    expect(login?.id).toMatch(/^login_/);
    await browser.submit(consent, '/allow');
    await browser.open(authorizeUrl(oauthApp));
    const [after] = await list(app, ada);
    expect(after).toMatchObject({ id: login?.id, kind: 'browser' });
    expect((await list(app, ada)).map((each) => each.kind)).toEqual(['browser', 'api']);
    expect(JSON.stringify(after)).not.toContain('svc_');
  });

  it('is paged with the others in one order', async ({ app, ada, oauthApp }) => {
    const ids = (await list(app, ada)).map((login) => login.id);
    for (let n = 0; n < 3; n += 1) {
      await logInAt(new PageBrowser(app), oauthApp, ada);
      const { email, password } = ada;
      await app.api.post('/v1/auth/login', undefined, { email, password });
    }
    const all = (await list(app, ada)).map((login) => login.id);
    expect([all.length, all.at(-1)]).toEqual([7, ids[0]]);
    for (const [sort, expected] of [
      ['-created_at', all],
      ['created_at', all.toReversed()],
    ] as const) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await app.api.get(`/v1/auth/sessions?limit=2&sort=${sort}${cursor}`, ada.accessToken);
        found.push(...body.data.map((login: Listed) => login.id));
        if (!body.pagination.has_more) {
          break;
        }
        cursor = `&cursor=${body.pagination.next_cursor}`;
      }
      expect(found).toEqual(expected);
    }
    expect(await list(app, ada, '?created_before=2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('can be ended by ID: an open consent page can no longer authorize an app, grants stay, and the audit log has an entry', async ({
    app,
    second,
    ada,
    oauthApp,
  }) => {
    const { accessToken } = await obtainTokens(app, oauthApp, ada);
    const other = await makeOauthApp(app, ada);
    const browser = new PageBrowser(app);
    const consent = await logInAt(browser, other, ada);
    const [login] = await browserLoginsOf(app, ada);
    expect((await end(second, ada, login?.id)).status).toBe(204);
    expect((await browser.submit(consent, '/allow')).status).toBe(400);
    expect((await browser.open(authorizeUrl(oauthApp))).text).toContain('name="password"');
    expect((await app.api.get('/v1/me', accessToken)).status).toBe(200);
    expect(await browserLoginsOf(app, ada)).toHaveLength(1);
    expect((await end(second, ada, login?.id)).status).toBe(404);
    const audit = await execute(
      app.database,
      `select actor_user_id, target_id from audit_entries where organization_id = $1 and action = 'login_session.ended'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, target_id: login?.id }]);
  });

  it('cannot be seen or ended by other users', async ({ app, second, oauthApp }) => {
    const [ada, eve] = [await app.register(), await app.register()];
    await logInAt(new PageBrowser(app), oauthApp, ada);
    const [login] = await browserLoginsOf(app, ada);
    expect(await browserLoginsOf(app, eve)).toEqual([]);
    expect((await end(second, eve, login?.id)).body.error).toMatchObject({
      code: 'not_found',
      details: { resource: 'session' },
    });
    expect(await browserLoginsOf(app, ada)).toHaveLength(1);
  });

  it('stays ended while requests from its browser are in flight', async ({ app, second, ada, oauthApp }) => {
    for (let round = 0; round < 10; round += 1) {
      const browser = new PageBrowser(app);
      await logInAt(browser, oauthApp, ada);
      const [login] = await browserLoginsOf(app, ada);
      const headers = { cookie: browser.cookiesFor('/oauth/authorize'), accept: 'text/html' };
      const url = new URL(authorizeUrl(oauthApp));
      let isOver = false;
      const loops = Array.from({ length: 8 }, async (_, n) => {
        while (!isOver) {
          const { api } = n % 2 === 0 ? app : second;
          await (await fetch(api.baseUrl + url.pathname + url.search, { headers, redirect: 'manual' })).arrayBuffer();
        }
      });
      const ended = await end(second, ada, login?.id);
      isOver = true;
      await Promise.all(loops);
      expect(ended.status).toBe(204);
      expect((await keptOf(app, ada)).filter(({ model }) => model === 'Session')).toEqual([]);
    }
  });
});
