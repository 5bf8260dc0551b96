import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../test/harness/index.ts';
import { authorizeUrl, credentialsOf, makeOauthApp, type OauthApp } from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';

const FAILING = ['projects', 'oauth_apps', 'oauth_artifacts'];

let test: TestApp;
let ada: Member;
let app: OauthApp;
let browser: PageBrowser;
/** The secret part of an authorization that is under way. */
let uid: string;

beforeAll(async () => {
  test = await startTestApp();
  ada = await test.register('Ada Lovelace');
  app = await makeOauthApp(test, ada);
  browser = new PageBrowser(test);
  uid = (await browser.open(authorizeUrl(app))).url.pathname.split('/').at(-1) ?? '';
  for (const table of FAILING) {
    await execute(test.database, `alter table ${table} rename to ${table}_gone`);
  }
});

afterAll(async () => {
  for (const table of FAILING) {
    await execute(test.database, `alter table ${table}_gone rename to ${table}`);
  }
  await test.close();
});

const PROJECT = `proj_${'0'.repeat(26)}`;

it.each([
  ['a route of the API', () => test.api.get(`/v1/projects/${PROJECT}`, ada.accessToken), '/v1/projects/{project_id}'],
  ['a page', () => browser.open(`${ISSUER}/interaction/${uid}`), '/oauth/interaction/{uid}'],
  ['the authorization endpoint', () => browser.open(authorizeUrl(app)), '/oauth/authorize'],
  ['an authorization under way', () => browser.open(`${ISSUER}/authorize/${uid}`), '/oauth/authorize'],
  ['the token endpoint', () => askForToken(), '/oauth/token'],
])('the log names the endpoint where %s failed, and nothing that was sent', async (_, ask, route) => {
  const before = test.logLines.length;
  expect((await ask()).status).toBe(500);
  const lines = test.logLines.slice(before).filter((line) => line.includes('request_id'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ method: expect.any(String), route, level: 50 }]);
  for (const asked of [PROJECT, uid, app.clientId, app.clientSecret]) {
    expect(lines.join('')).not.toContain(asked);
  }
});

function askForToken(): Promise<Response> {
  const form = { grant_type: 'refresh_token', refresh_token: 'x', ...credentialsOf(app) };
  return fetch(`${test.api.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
}
