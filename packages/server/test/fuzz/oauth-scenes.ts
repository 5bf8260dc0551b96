import type { Member, TestApp } from '../harness/index.ts';
import { inviteToOrganization } from '../harness/join-organization.ts';
import {
  authorizeUrl,
  credentialsOf,
  logInAt,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  obtainTokens,
  VERIFIER,
} from '../harness/oauth-world.ts';
import { type BrowserPage, ISSUER, PageBrowser } from '../harness/page-browser.ts';
import type { RawAnswer } from './raw-connection.ts';
import { codeOfMail, registerWithCodes } from './supplies.ts';

export type Pair = readonly [name: string, value: string];

/** A request of a good flow, at the point where it would succeed. */
export interface Scene {
  method: string;
  path: string;
  query: readonly Pair[];
  /** The body of a POST. */
  form?: readonly Pair[];
  headers: readonly Pair[];
  /** Whether it succeeded. */
  succeeds(answer: RawAnswer): boolean;
  /** Whether it can succeed more than once. */
  lasts?: boolean;
}

/** The apps of the flows. */
export interface OauthWorld {
  test: TestApp;
  /** Confidential. */
  server: OauthApp;
  /** Public, with an address in a custom scheme. */
  phone: OauthApp;
  /** An app whose tokens belong to neither. */
  foreign: OauthApp;
}

/** Registers the apps. */
export async function createOauthWorld(test: TestApp): Promise<OauthWorld> {
  const ada = await test.register('Ada');
  return {
    test,
    server: await makeOauthApp(test, ada),
    phone: await makeOauthApp(test, ada, { confidential: false, redirect_uris: ['com.example.console:/callback'] }),
    foreign: await makeOauthApp(test, await test.register('Eve')),
  };
}

/** By name: how each scene is reached. People are new each time, so that nobody is locked out. */
export const SCENES: Readonly<Record<string, (world: OauthWorld) => Promise<Scene>>> = {
  authorize: async ({ server }) => ({
    ...get(authorizeUrl(server), goesTo('/oauth/interaction/')),
    lasts: true,
  }),
  'authorize as a public app': async ({ phone }) => ({
    ...get(authorizeUrl(phone), goesTo('/oauth/interaction/')),
    lasts: true,
  }),
  'authorize again': async ({ test, server }) => {
    const browser = new PageBrowser(test);
    await obtainCode(test, server, await test.register(), {}, browser);
    return { ...get(authorizeUrl(server), goesTo(`${server.redirectUri}?code=`), browser), lasts: true };
  },
  'login page': async (world) => {
    const { browser, page } = await atLogin(world);
    return { ...get(page.url.href, shows('/login"'), browser), lasts: true };
  },
  'login form': async (world) => {
    const { email, password } = await world.test.register();
    const { browser, page } = await atLogin(world);
    return post(browser, page, '/login', { email, password }, goesTo('/oauth/authorize/'));
  },
  'login form of a user with two-factor': async (world) => {
    const { email, password } = (await registerWithCodes(world.test)).member;
    const { browser, page } = await atLogin(world);
    return post(browser, page, '/login', { email, password }, shows('name="challenge_token"'));
  },
  'code form': async (world) => {
    const { member, recoveryCode } = await registerWithCodes(world.test);
    const browser = new PageBrowser(world.test);
    const page = await logInAt(browser, world.server, member);
    const challenge = /name="challenge_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const action = { ...page, url: new URL(page.url.href.replace(/\/login$/, '')) };
    const form = { challenge_token: challenge, code: recoveryCode };
    return post(browser, action, '/code', form, goesTo('/oauth/authorize/'));
  },
  'after the login': async (world) => {
    const { email, password } = await world.test.register();
    const { browser, page } = await atLogin(world);
    return submitAndStop(world, browser, page, '/login', { email, password }, goesTo('/oauth/interaction/'));
  },
  'consent page': async (world) => {
    const { browser, page } = await atConsent(world);
    return { ...get(page.url.href, shows('/allow"'), browser), lasts: true };
  },
  'choice of an organization': async (world) => {
    const { browser, page, member } = await atConsent(world, true);
    const url = `${page.url.href}?organization_id=${member.organizationId}`;
    return { ...get(url, shows('/allow"'), browser), lasts: true };
  },
  allow: async (world) => {
    const { browser, page, member } = await atConsent(world);
    return post(browser, page, '/allow', consentOf(member), goesTo('/oauth/authorize/'));
  },
  'after the consent': async (world) => {
    const { browser, page, member } = await atConsent(world);
    return submitAndStop(
      world,
      browser,
      page,
      '/allow',
      consentOf(member),
      goesTo(`${world.server.redirectUri}?code=`),
    );
  },
  deny: async (world) => {
    const { browser, page } = await atConsent(world);
    return post(browser, page, '/deny', {}, goesTo('/oauth/authorize/'));
  },
  'after the denial': async (world) => {
    const { browser, page } = await atConsent(world);
    return submitAndStop(world, browser, page, '/deny', {}, goesTo(`${world.server.redirectUri}?error=access_denied`));
  },
  'switch account': async (world) => {
    const { browser, page } = await atConsent(world);
    return post(browser, page, '/switch-account', {}, goesTo('/oauth/authorize?'));
  },
  'code for tokens': async ({ test, server }) =>
    machine('token', await codeForm(test, server, server.redirectUri), hasToken),
  'code for tokens, the secret in Basic': async ({ test, server }) => {
    const form = await codeForm(test, server, server.redirectUri);
    const { client_id: _id, client_secret: _secret, ...rest } = form;
    return machine('token', rest, hasToken, basicOf(server));
  },
  'code for tokens of a public app': async ({ test, phone }) =>
    machine('token', { ...(await codeForm(test, phone, phone.redirectUri)), code_verifier: VERIFIER }, hasToken),
  refresh: async ({ test, server }) => {
    const { refreshToken } = await obtainTokens(test, server, await test.register());
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentialsOf(server) };
    return { ...machine('token', form, hasToken), lasts: true };
  },
  'refresh of a public app': async ({ test, phone }) => {
    const { refreshToken } = await obtainTokens(test, phone, await test.register());
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentialsOf(phone) };
    return machine('token', form, hasToken);
  },
  revoke: async ({ test, server }) => {
    const { accessToken } = await obtainTokens(test, server, await test.register());
    return machine('revoke', { token: accessToken, ...credentialsOf(server) }, (answer) => answer.status === 200);
  },
  introspect: async ({ test, server }) => {
    const { accessToken } = await obtainTokens(test, server, await test.register());
    const isActive = ({ status, body }: RawAnswer) => status === 200 && JSON.parse(body).active === true;
    return { ...machine('introspect', { token: accessToken }, isActive, basicOf(server)), lasts: true };
  },
  'preflight of a script': async ({ server }) => ({
    method: 'OPTIONS',
    path: '/oauth/token',
    query: [],
    headers: [
      ['Origin', new URL(server.redirectUri).origin],
      ['Access-Control-Request-Method', 'POST'],
    ],
    succeeds: ({ status }) => status < 300,
    lasts: true,
  }),
  'forgot-password page': async () => page('forgot-password'),
  'reset-password page': async () => page('reset-password'),
  'verify-email page': async () => page('verify-email'),
  'forgot-password form': async ({ test }) => account('forgot-password', { email: (await test.register()).email }),
  'reset-password form': async ({ test }) => {
    const { email } = await test.register();
    await test.api.post('/v1/auth/password/forgot', undefined, { email });
    await test.service.jobs.find((job) => job.name === 'auth.answer-reset-requests')?.run();
    const password = `${email} in other words`;
    return account('reset-password', { token: await codeOfMail(test, email, 'reset-password'), password });
  },
  'verify-email form': async ({ test }) =>
    account('verify-email', { token: await codeOfMail(test, (await test.register()).email, 'verify-email') }),
  'accept-invitation page': async () => page('accept-invitation'),
  'accept-invitation form': async ({ test }) => {
    const { email, password } = await test.register();
    const token = await inviteToOrganization(test, await test.register(), 'member', email);
    return account('accept-invitation', { token, email, password });
  },
  metadata: async () => document('/.well-known/oauth-authorization-server/oauth'),
  'metadata without the suffix': async () => document('/.well-known/oauth-authorization-server'),
  'style sheet': async () => document('/oauth/assets/style.css'),
};

const FORM_HEADERS: readonly Pair[] = [
  ['Origin', 'null'],
  ['Sec-Fetch-Site', 'same-origin'],
];

const goesTo = (start: string) => (answer: RawAnswer) => {
  const location = answer.headers.get('location') ?? '';
  return location.startsWith(start) || location.startsWith(new URL(start, ISSUER).href);
};
const shows = (text: string) => (answer: RawAnswer) => answer.status === 200 && answer.body.includes(text);
const hasToken = ({ status, body }: RawAnswer) => status === 200 && typeof JSON.parse(body).access_token === 'string';
const isGood = ({ status }: RawAnswer) => status === 200;

function get(address: string, succeeds: Scene['succeeds'], browser?: PageBrowser): Scene {
  const url = new URL(address);
  const cookie = browser?.cookiesFor(url.pathname) ?? '';
  const headers: Pair[] = cookie === '' ? [] : [['Cookie', cookie]];
  return { method: 'GET', path: url.pathname, query: [...url.searchParams], headers, succeeds };
}

/** The form on a page of an authorization, by the end of its address. */
function post(
  browser: PageBrowser,
  at: BrowserPage,
  ending: string,
  form: Readonly<Record<string, string>>,
  succeeds: Scene['succeeds'],
): Scene {
  const path = at.url.pathname + ending;
  const headers: Pair[] = [...FORM_HEADERS, ['Cookie', browser.cookiesFor(path)]];
  return { method: 'POST', path, query: [], form: Object.entries(form), headers, succeeds };
}

/** Submits a page's form, and stops before the browser would follow the redirect. */
async function submitAndStop(
  { test }: OauthWorld,
  browser: PageBrowser,
  at: BrowserPage,
  ending: string,
  form: Readonly<Record<string, string>>,
  succeeds: Scene['succeeds'],
): Promise<Scene> {
  const { path } = post(browser, at, ending, form, succeeds);
  const answer = await fetch(test.api.baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
    headers: { cookie: browser.cookiesFor(path), 'sec-fetch-site': 'same-origin' },
  });
  await answer.arrayBuffer();
  return get(new URL(answer.headers.get('location') ?? '', ISSUER).href, succeeds, browser);
}

async function atLogin({ test, server }: OauthWorld): Promise<{ browser: PageBrowser; page: BrowserPage }> {
  const browser = new PageBrowser(test);
  return { browser, page: await browser.open(authorizeUrl(server)) };
}

async function atConsent(
  { test, server }: OauthWorld,
  hasTwoOrganizations = false,
): Promise<{ browser: PageBrowser; page: BrowserPage; member: Member }> {
  const member = await test.register();
  if (hasTwoOrganizations) {
    await test.api.post('/v1/orgs', member.accessToken, { name: 'Second home' });
  }
  const browser = new PageBrowser(test);
  return { browser, page: await logInAt(browser, server, member), member };
}

const consentOf = ({ organizationId }: Member) => ({ organization_id: organizationId, scope: 'read:profile' });

async function codeForm(test: TestApp, app: OauthApp, redirectUri: string): Promise<Record<string, string>> {
  const code = await obtainCode(test, app, await test.register());
  return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...credentialsOf(app) };
}

function basicOf({ clientId, clientSecret }: OauthApp): readonly Pair[] {
  return [['Authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`]];
}

function machine(
  endpoint: string,
  form: Readonly<Record<string, string>>,
  succeeds: Scene['succeeds'],
  headers: readonly Pair[] = [],
): Scene {
  return { method: 'POST', path: `/oauth/${endpoint}`, query: [], form: Object.entries(form), headers, succeeds };
}

function page(name: string): Scene {
  return { method: 'GET', path: `/oauth/${name}`, query: [], headers: [], succeeds: isGood, lasts: true };
}

function account(name: string, form: Readonly<Record<string, string>>): Scene {
  const path = `/oauth/${name}`;
  return { method: 'POST', path, query: [], form: Object.entries(form), headers: FORM_HEADERS, succeeds: isGood };
}

function document(path: string): Scene {
  return { method: 'GET', path, query: [], headers: [], succeeds: isGood, lasts: true };
}
