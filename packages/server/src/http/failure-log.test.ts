import { expect } from 'vitest';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute } from '../../test/harness/index.ts';
import { authorizeUrl, credentialsOf, makeOauthApp, type OauthApp } from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';

const FAILING = ['projects', 'oauth_apps', 'oauth_artifacts'];
const PROJECT = `proj_${'0'.repeat(26)}`;

interface Asked {
  baseUrl: string;
  token: string;
  oauthApp: OauthApp;
  browser: PageBrowser;
  /** The secret part of an authorization in progress. */
  uid: string;
}

const it = createTest().extend('asked', { scope: 'file' }, async ({ app, admin }, { onCleanup }): Promise<Asked> => {
  const oauthApp = await makeOauthApp(app, admin);
  const browser = new PageBrowser(app);
  const uid = (await browser.open(authorizeUrl(oauthApp))).url.pathname.split('/').at(-1) ?? '';
  for (const table of FAILING) {
    await execute(app.database, `alter table ${table} rename to ${table}_gone`);
  }
  onCleanup(async () => {
    for (const table of FAILING) {
      await execute(app.database, `alter table ${table}_gone rename to ${table}`);
    }
  });
  return { baseUrl: app.api.baseUrl, token: admin.accessToken, oauthApp, browser, uid };
});

type Ask = (asked: Asked) => Promise<{ status: number }>;

it.for<[name: string, ask: Ask, route: string]>([
  ['a route of the API', askForProject, '/v1/projects/{project_id}'],
  ['a page', ({ browser, uid }) => browser.open(`${ISSUER}/interaction/${uid}`), '/oauth/interaction/{uid}'],
  ['the authorization endpoint', ({ browser, oauthApp }) => browser.open(authorizeUrl(oauthApp)), '/oauth/authorize'],
  [
    'an authorization in progress',
    ({ browser, uid }) => browser.open(`${ISSUER}/authorize/${uid}`),
    '/oauth/authorize',
  ],
  ['the token endpoint', askForToken, '/oauth/token'],
])('the log names the endpoint if %s failed, and nothing that was sent', async ([, ask, route], { app, asked }) => {
  const before = app.logLines.length;
  expect((await ask(asked)).status).toBe(500);
  const lines = app.logLines.slice(before).filter((line) => line.includes('request_id'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ method: expect.any(String), route, level: 50 }]);
  for (const secret of [PROJECT, asked.uid, asked.oauthApp.clientId, asked.oauthApp.clientSecret]) {
    expect(lines.join('')).not.toContain(secret);
  }
});

function askForProject({ baseUrl, token }: Asked): Promise<Response> {
  return fetch(`${baseUrl}/v1/projects/${PROJECT}`, { headers: { authorization: `Bearer ${token}` } });
}

function askForToken({ baseUrl, oauthApp }: Asked): Promise<Response> {
  const form = { grant_type: 'refresh_token', refresh_token: 'x', ...credentialsOf(oauthApp) };
  return fetch(`${baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
}
