import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { authorizeUrl, logInAt, makeOauthApp, type OauthApp, obtainTokens } from '../../../test/harness/oauth-world.ts';
import { PageBrowser } from '../../../test/harness/page-browser.ts';

let test: TestApp;
let second: TestApp;
let app: OauthApp;

beforeAll(async () => {
  test = await openTestApp();
  second = await openTestApp({ beside: test });
  app = await makeOauthApp(test, await test.register('Vendor'));
});
afterAll(async () => {
  await second.close();
  await test.close();
});

interface Listed {
  id: string;
  kind: 'api' | 'browser';
}

const list = async (member: Member, query = ''): Promise<Listed[]> =>
  (await test.api.get(`/v1/auth/sessions${query}`, member.accessToken)).body.data;

const browserLoginsOf = async (member: Member) => (await list(member)).filter((login) => login.kind === 'browser');

const end = (member: Member, id = '') =>
  second.api.call('DELETE', `/v1/auth/sessions/${id}`, { token: member.accessToken });

const keptOf = (member: Member) =>
  execute<{ model: string }>(
    test.database,
    `select model from oauth_artifacts where user_id = $1 and model in ('Session', 'Interaction')`,
    [member.userId],
  );

describe('a login at the pages of the authorization server', () => {
  it('is listed beside the others, and stays one while it is used', async () => {
    const ada = await test.register();
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, app, ada);
    const [login] = await list(ada);
    expect(login).toMatchObject({
      kind: 'browser',
      client_address: '127.0.0.1',
      user_agent: 'node',
      organization_id: null,
      is_current: false,
    });
    expect(login?.id).toMatch(/^login_/);
    await browser.submit(consent, '/allow');
    await browser.open(authorizeUrl(app));
    const [after] = await list(ada);
    expect(after).toMatchObject({ id: login?.id, kind: 'browser' });
    expect((await list(ada)).map((each) => each.kind)).toEqual(['browser', 'api']);
    expect(JSON.stringify(after)).not.toContain('svc_');
  });

  it('is paged with the others in one order', async () => {
    const ada = await test.register();
    const ids = (await list(ada)).map((login) => login.id);
    for (let n = 0; n < 3; n += 1) {
      await logInAt(new PageBrowser(test), app, ada);
      const { email, password } = ada;
      await test.api.post('/v1/auth/login', undefined, { email, password });
    }
    const all = (await list(ada)).map((login) => login.id);
    expect([all.length, all.at(-1)]).toEqual([7, ids[0]]);
    for (const [sort, expected] of [
      ['-created_at', all],
      ['created_at', all.toReversed()],
    ] as const) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await test.api.get(`/v1/auth/sessions?limit=2&sort=${sort}${cursor}`, ada.accessToken);
        found.push(...body.data.map((login: Listed) => login.id));
        if (!body.pagination.has_more) {
          break;
        }
        cursor = `&cursor=${body.pagination.next_cursor}`;
      }
      expect(found).toEqual(expected);
    }
    expect(await list(ada, '?created_before=2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('ends by its id: the open consent page lets no app in, what apps may do goes on, and the audit log tells', async () => {
    const ada = await test.register();
    const { accessToken } = await obtainTokens(test, app, ada);
    const other = await makeOauthApp(test, ada);
    const browser = new PageBrowser(test);
    const consent = await logInAt(browser, other, ada);
    const [login] = await browserLoginsOf(ada);
    expect((await end(ada, login?.id)).status).toBe(204);
    expect((await browser.submit(consent, '/allow')).status).toBe(400);
    expect((await browser.open(authorizeUrl(app))).text).toContain('name="password"');
    expect((await test.api.get('/v1/me', accessToken)).status).toBe(200);
    expect(await browserLoginsOf(ada)).toHaveLength(1);
    expect((await end(ada, login?.id)).status).toBe(404);
    const audit = await execute(
      test.database,
      `select actor_user_id, target_id from audit_entries where organization_id = $1 and action = 'login_session.ended'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, target_id: login?.id }]);
  });

  it('is seen and ended by nobody else', async () => {
    const [ada, eve] = [await test.register(), await test.register()];
    await logInAt(new PageBrowser(test), app, ada);
    const [login] = await browserLoginsOf(ada);
    expect(await browserLoginsOf(eve)).toEqual([]);
    expect((await end(eve, login?.id)).body.error).toMatchObject({
      code: 'not_found',
      details: { resource: 'session' },
    });
    expect(await browserLoginsOf(ada)).toHaveLength(1);
  });

  it('that is ended stays so, though requests of its browser are under way', async () => {
    const ada = await test.register();
    for (let round = 0; round < 10; round += 1) {
      const browser = new PageBrowser(test);
      await logInAt(browser, app, ada);
      const [login] = await browserLoginsOf(ada);
      const headers = { cookie: browser.cookiesFor('/oauth/authorize'), accept: 'text/html' };
      const url = new URL(authorizeUrl(app));
      let isOver = false;
      const loops = Array.from({ length: 8 }, async (_, n) => {
        while (!isOver) {
          const { api } = n % 2 === 0 ? test : second;
          await (await fetch(api.baseUrl + url.pathname + url.search, { headers, redirect: 'manual' })).arrayBuffer();
        }
      });
      const ended = await end(ada, login?.id);
      isOver = true;
      await Promise.all(loops);
      expect(ended.status).toBe(204);
      expect((await keptOf(ada)).filter(({ model }) => model === 'Session')).toEqual([]);
    }
  });
});
