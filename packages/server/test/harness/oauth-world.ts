import { expect } from 'vitest';
import { createTest } from './fixtures.ts';
import type { Member, TestApp, TestOptions } from './index.ts';
import { type BrowserPage, ISSUER, PageBrowser } from './page-browser.ts';

/** An OAuth app as its developers know it. */
export interface OauthApp {
  clientId: string;
  clientSecret: string | undefined;
  redirectUri: string;
}

/** A response from an endpoint for programs. */
export interface OauthAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
  body: any;
}

export const VERIFIER = 'a-code-verifier-of-at-least-forty-three-characters';
/** Its SHA-256, base64url (RFC 7636 section 4.2). */
const CHALLENGE = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(VERIFIER))).toString(
  'base64url',
);
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

/** Vitest's `it` with two apps of the admin, who is Ada Lovelace: one runs on a server and keeps a secret, one on a phone. */
export function createOauthTest(options?: TestOptions) {
  return createTest(options)
    .override('admin', ({ app }) => app.register('Ada Lovelace'))
    .extend('server', { scope: 'file' }, ({ app, admin }) =>
      makeOauthApp(app, admin, { name: '<b>Bold</b> & "quoted"' }),
    )
    .extend('phone', { scope: 'file' }, ({ app, admin }) =>
      makeOauthApp(app, admin, { confidential: false, redirect_uris: ['com.example.console:/callback'] }),
    );
}

/** Registers an app in the owner's organization. */
export async function makeOauthApp(
  test: TestApp,
  owner: Member,
  changes: {
    confidential?: boolean;
    scopes?: string[];
    name?: string;
    redirect_uris?: string[];
    device_flow?: boolean;
  } = {},
): Promise<OauthApp> {
  const input = {
    name: 'Render console',
    redirect_uris: ['https://console.example/callback'],
    scopes: ['read:profile', 'read:org', 'admin:org'],
    confidential: true,
    ...changes,
  };
  const made = await test.api.post('/v1/oauth-apps', owner.accessToken, input);
  if (made.status !== 201) {
    throw new Error(`the app was answered ${made.status} ${JSON.stringify(made.body)}`);
  }
  const { client_id: clientId, client_secret: clientSecret } = made.body.data;
  return { clientId, clientSecret: clientSecret ?? undefined, redirectUri: input.redirect_uris[0] ?? '' };
}

/** The address that an app sends a browser to. Undefined parameters are left out. */
export function authorizeUrl(app: OauthApp, changes: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  const parameters = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: 'read:profile',
    state: 'a state',
    ...(app.clientSecret === undefined ? PKCE : {}),
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return `${ISSUER}/authorize?${query}`;
}

/** Opens the authorization and logs in. Returns the page after the login. */
export async function logInAt(
  browser: PageBrowser,
  app: OauthApp,
  member: Pick<Member, 'email' | 'password'>,
  changes: Record<string, string | undefined> = {},
): Promise<BrowserPage> {
  const page = await browser.open(authorizeUrl(app, changes));
  return browser.submit(page, '/login', { email: member.email, password: member.password });
}

/**
 * Opens an authorization that shows no page of ours. Returns where the browser ends up, and what the app learns from
 * it.
 */
export async function sentBack(
  app: TestApp,
  oauthApp: OauthApp,
  changes: Record<string, string | undefined>,
  browser: PageBrowser = new PageBrowser(app),
): Promise<Record<string, string>> {
  const { url, text } = await browser.open(authorizeUrl(oauthApp, changes));
  expect(text).toBe('');
  expect(url.href.startsWith(oauthApp.redirectUri)).toBe(true);
  return Object.fromEntries(url.searchParams);
}

/** Goes through all pages with a new browser. Returns the code that the app receives. */
export async function obtainCode(
  test: TestApp,
  app: OauthApp,
  member: Pick<Member, 'email' | 'password'>,
  changes: Record<string, string | undefined> = {},
  browser: PageBrowser = new PageBrowser(test),
): Promise<string> {
  let page = await browser.open(authorizeUrl(app, changes));
  if (page.text.includes('name="password"')) {
    page = await browser.submit(page, '/login', { email: member.email, password: member.password });
  }
  if (page.url.origin === new URL(ISSUER).origin) {
    page = await browser.submit(page, '/allow');
  }
  const code = page.url.searchParams.get('code');
  if (code === null) {
    throw new Error(`there is no code in ${page.url.href} ${page.text}`);
  }
  test.api.secrets.note('code', code);
  return code;
}

/** Sends a form to an endpoint for programs. */
export async function postForm(
  test: TestApp,
  endpoint: 'token' | 'revoke' | 'introspect' | 'device_authorization',
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<OauthAnswer> {
  const response = await fetch(`${test.api.baseUrl}/oauth/${endpoint}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
  });
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  test.api.secrets.noteBody(body);
  return { status: response.status, headers: response.headers, body };
}

/** How an app authenticates itself in the body. */
export function credentialsOf(app: OauthApp): Record<string, string> {
  return { client_id: app.clientId, ...(app.clientSecret === undefined ? {} : { client_secret: app.clientSecret }) };
}

/** Exchanges a code. */
export function redeem(
  test: TestApp,
  app: OauthApp,
  code: string,
  changes: Record<string, string> = {},
): Promise<OauthAnswer> {
  return postForm(test, 'token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    ...(app.clientSecret === undefined ? { code_verifier: VERIFIER } : {}),
    ...credentialsOf(app),
    ...changes,
  });
}

/** Exchanges a refresh token. */
export function refresh(
  test: TestApp,
  app: OauthApp,
  refreshToken: string,
  changes: Record<string, string> = {},
): Promise<OauthAnswer> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...credentialsOf(app), ...changes };
  return postForm(test, 'token', form);
}

/** Goes through the whole flow. Returns a user's tokens for an app. */
export async function obtainTokens(
  test: TestApp,
  app: OauthApp,
  member: Pick<Member, 'email' | 'password'>,
  changes: Record<string, string | undefined> = {},
): Promise<{ accessToken: string; refreshToken: string; scope: string }> {
  const { status, body } = await redeem(test, app, await obtainCode(test, app, member, changes));
  if (status !== 200) {
    throw new Error(`the code was answered ${status} ${JSON.stringify(body)}`);
  }
  return { accessToken: body.access_token, refreshToken: body.refresh_token, scope: body.scope };
}
