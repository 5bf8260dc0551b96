import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuthWorld, codeOf, type Visitor } from './auth-world.ts';
import { startChromium } from './chromium.ts';
import { type RedirectReceiver, startRedirectReceiver } from './redirect-receiver.ts';

let world: AuthWorld;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let receiver: RedirectReceiver;
let trustingFetch: (url: string, options: object) => Promise<Response>;

beforeAll(async () => {
  [world, browser, receiver] = await Promise.all([AuthWorld.start(), startChromium(), startRedirectReceiver()]);
  const dispatcher = new Agent({ connect: { ca: world.authority } });
  // The libraries call it like the global fetch. undici's own fetch also trusts the local certificate authority.
  trustingFetch = (url, options) => undiciFetch(url, { ...options, dispatcher }) as unknown as Promise<Response>;
});
afterAll(async () => {
  receiver.close();
  await browser.close();
  const { faults } = world;
  await world.close();
  expect(faults).toEqual([]);
});
beforeEach(async () => {
  // A browser without JavaScript: every page has to work in it.
  context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled: false });
  page = await context.newPage();
});
afterEach(() => context.close());

async function logIn(visitor: Visitor): Promise<void> {
  await page.getByLabel('Email address').fill(visitor.email);
  await page.getByLabel('Password').fill(visitor.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  if (visitor.totpSecret !== undefined) {
    // Enabling two-factor spent the current step. The next one is within the tolerance.
    await page.getByLabel('Code').fill(codeOf(visitor.totpSecret, 1));
    await page.getByRole('button', { name: 'Continue' }).click();
  }
}

describe('an app of another user, in a real browser', () => {
  it('openid-client: discovery, PKCE, two-factor, consent, code, refresh, introspection, revocation', async () => {
    const visitor = await world.registerWithTwoFactor('Grace Hopper');
    const app = await world.registerApp(visitor, receiver.redirectUri, true);
    const config = await openid.discovery(
      new URL(world.issuer),
      app.clientId,
      undefined,
      openid.ClientSecretBasic(app.clientSecret ?? ''),
      { algorithm: 'oauth2', [openid.customFetch]: trustingFetch },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: receiver.redirectUri,
      scope: 'read:profile read:org',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });

    await page.goto(url.href);
    await logIn(visitor);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Console');
    expect(await page.getByRole('listitem').allTextContents()).toHaveLength(2);
    await page.getByRole('button', { name: 'Allow' }).click();
    const redirect = await receiver.next();
    const tokens = await openid.authorizationCodeGrant(config, redirect, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });

    expect(tokens.scope?.split(' ').toSorted()).toEqual(['read:org', 'read:profile']);
    expect(await world.call('GET', '/v1/me', tokens.access_token)).toMatchObject({ email: visitor.email });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(config, refreshed.access_token);
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
    expect(await world.statusOf('/v1/me', refreshed.access_token)).toBe(401);
    // Reusing a code revokes the tokens that were issued for it.
    await expect(
      openid.authorizationCodeGrant(config, redirect, { pkceCodeVerifier: verifier, expectedState: state }),
    ).rejects.toThrow();
  });

  it('oauth4webapi: without PKCE, and without consent the second time', async () => {
    const visitor = await world.register('Ada Lovelace');
    const app = await world.registerApp(visitor, receiver.redirectUri, true, 'Ledger');
    const options = { [oauth.customFetch]: trustingFetch };
    const issuer = new URL(world.issuer);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
    );
    const client: oauth.Client = { client_id: app.clientId };
    const authorize = async (): Promise<oauth.TokenEndpointResponse> => {
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: receiver.redirectUri,
        response_type: 'code',
        scope: 'read:licenses',
        state,
      }).toString();
      await page.goto(url.href);
      if (await page.getByLabel('Email address').isVisible()) {
        await logIn(visitor);
        await page.getByRole('button', { name: 'Allow' }).click();
      }
      const parameters = oauth.validateAuthResponse(server, client, await receiver.next(), state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.ClientSecretPost(app.clientSecret ?? ''),
        parameters,
        receiver.redirectUri,
        oauth.nopkce,
        options,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    };

    const first = await authorize();
    const second = await authorize();
    expect([first.token_type, first.scope]).toEqual(['bearer', 'read:licenses']);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await world.statusOf('/v1/licenses', second.access_token)).toBe(200);

    // The user sees what the app may do, and revokes the grant: every token is refused immediately.
    const [grant] = await world.call('GET', '/v1/auth/grants', visitor.accessToken);
    expect(grant).toMatchObject({ app: { name: 'Ledger' }, scopes: ['read:licenses'] });
    await endGrant(grant.id, visitor);
    expect(await world.statusOf('/v1/licenses', first.access_token)).toBe(401);
    expect(await world.statusOf('/v1/licenses', second.access_token)).toBe(401);
  });

  it('a user who denies access is sent back with access_denied', async () => {
    const visitor = await world.register('Alan Turing');
    const app = await world.registerApp(visitor, receiver.redirectUri, true);
    await page.goto(authorizeUrl(app.clientId, { state: 'kept' }));
    await logIn(visitor);
    await page.getByRole('button', { name: 'Deny' }).click();
    const redirect = await receiver.next();

    expect(Object.fromEntries(redirect.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'kept',
      iss: world.issuer,
    });
  });

  it('an unregistered redirect address shows an error page of ours, and redirects nobody', async () => {
    const visitor = await world.register('Mary Somerville');
    const app = await world.registerApp(visitor, receiver.redirectUri, true);
    const evil = new URL(authorizeUrl(app.clientId, {}));
    evil.searchParams.set('redirect_uri', `${receiver.redirectUri}/elsewhere`);
    const response = await page.goto(evil.href);

    expect(response?.status()).toBe(400);
    expect(new URL(page.url()).origin).toBe(new URL(world.issuer).origin);
    expect(await page.getByRole('alert').textContent()).toContain('not registered');
  });
});

function authorizeUrl(clientId: string, more: Record<string, string>): string {
  const query = { client_id: clientId, redirect_uri: receiver.redirectUri, response_type: 'code', ...more };
  return `${world.issuer}/authorize?${new URLSearchParams(query)}`;
}

async function endGrant(id: string, visitor: Visitor): Promise<void> {
  const response = await trustingFetch(`${world.baseUrl}/v1/auth/grants/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${visitor.accessToken}` },
  });
  expect(response.status).toBe(204);
}
