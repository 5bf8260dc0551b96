import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { describe, expect } from 'vitest';
import type { TestApp } from '../../test/harness/index.ts';
import { createOauthTest, logInAt, makeOauthApp } from '../../test/harness/oauth-world.ts';
import { ISSUER, PageBrowser } from '../../test/harness/page-browser.ts';

const it = createOauthTest();

/** The libraries request the issuer's address, but the test's app listens elsewhere. */
const rewritten = (app: TestApp, url: string, init: object): Promise<Response> =>
  fetch(url.replace('https://api.test', app.api.baseUrl), init);

describe('the authorization server metadata', () => {
  it('is the same at both addresses, lists only what is offered, and can be cached', async ({ app }) => {
    const addresses = ['/.well-known/oauth-authorization-server/oauth', '/.well-known/oauth-authorization-server'];
    const answers = await Promise.all(addresses.map((address) => fetch(app.api.baseUrl + address)));
    const [first, second] = await Promise.all(answers.map((answer) => answer.json()));
    expect(first).toEqual(second);
    expect(first).toEqual({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      revocation_endpoint: `${ISSUER}/revoke`,
      introspection_endpoint: `${ISSUER}/introspect`,
      device_authorization_endpoint: `${ISSUER}/device_authorization`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: [
        'read:profile',
        'write:profile',
        'read:projects',
        'write:projects',
        'read:org',
        'admin:org',
        'read:licenses',
        'manage:licenses',
      ],
    });
    expect(answers[0]?.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(answers[0]?.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.for([
    '/oauth/jwks',
    '/oauth/me',
    '/oauth/request',
    '/oauth/session/end',
    '/oauth/session/end/confirm',
    '/oauth/reg',
    '/oauth/.well-known/openid-configuration',
    '/oauth/TOKEN',
    '/oauth/authorize/',
    '/oauth/interaction/x/y/z',
    '/oauth/',
    '/oauth',
  ])('has no endpoint at %s', async (path, { app }) => {
    for (const method of ['GET', 'POST']) {
      expect((await app.api.call(method, path)).body.error.code).toBe('not_found');
    }
  });

  it('refers to a style sheet that is served to browsers, without a body for HEAD', async ({ app }) => {
    const style = await fetch(`${app.api.baseUrl}/oauth/assets/style.css`);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(await style.text()).toContain('prefers-color-scheme: dark');
    const head = await fetch(`${app.api.baseUrl}/oauth/assets/style.css`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('third-party libraries', () => {
  it.for([true, false])('openid-client completes the flow; PKCE: %s', async (hasPkce, { app, admin }) => {
    const oauthApp = await makeOauthApp(app, admin);
    const config = await client.discovery(
      new URL(ISSUER),
      oauthApp.clientId,
      oauthApp.clientSecret,
      hasPkce ? client.ClientSecretBasic(oauthApp.clientSecret) : client.ClientSecretPost(oauthApp.clientSecret),
      { algorithm: 'oauth2', [client.customFetch]: (url, init) => rewritten(app, url, init) },
    );
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const parameters: Record<string, string> = {
      redirect_uri: oauthApp.redirectUri,
      scope: 'read:profile read:org',
      state,
    };
    if (hasPkce) {
      parameters.code_challenge = await client.calculatePKCECodeChallenge(verifier);
      parameters.code_challenge_method = 'S256';
    }
    const address = client.buildAuthorizationUrl(config, parameters);
    const browser = new PageBrowser(app);
    const login = await browser.open(address);
    let back = await browser.submit(login, '/login', { email: admin.email, password: admin.password });
    back = back.url.searchParams.has('code') ? back : await browser.submit(back, '/allow');
    const tokens = await client.authorizationCodeGrant(config, back.url, {
      expectedState: state,
      ...(hasPkce ? { pkceCodeVerifier: verifier } : {}),
    });
    expect(tokens.scope).toBe('read:profile read:org');
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await app.api.get('/v1/me', refreshed.access_token)).status).toBe(200);
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({ active: true });
    await client.tokenRevocation(config, refreshed.access_token);
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
    expect((await app.api.get('/v1/me', refreshed.access_token)).status).toBe(401);
  });

  it('oauth4webapi completes the flow as a public app, and checks the issuer of the response', async ({
    app,
    admin,
  }) => {
    const oauthApp = await makeOauthApp(app, admin, {
      confidential: false,
      redirect_uris: ['http://127.0.0.1:3999/cb'],
    });
    const options = { [oauth.customFetch]: (url: string, init: object) => rewritten(app, url, init) };
    const found = await oauth.discoveryRequest(new URL(ISSUER), { algorithm: 'oauth2', ...options });
    const server = await oauth.processDiscoveryResponse(new URL(ISSUER), found);
    const verifier = oauth.generateRandomCodeVerifier();
    const back = await (async () => {
      const browser = new PageBrowser(app);
      const consent = await logInAt(browser, oauthApp, admin, {
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      });
      return browser.submit(consent, '/allow');
    })();
    const self: oauth.Client = { client_id: oauthApp.clientId };
    const parameters = oauth.validateAuthResponse(server, self, back.url, 'a state');
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      self,
      oauth.None(),
      parameters,
      oauthApp.redirectUri,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, self, answer);
    const refreshing = await oauth.refreshTokenGrantRequest(
      server,
      self,
      oauth.None(),
      tokens.refresh_token ?? '',
      options,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, self, refreshing);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await app.api.get('/v1/me', refreshed.access_token)).status).toBe(200);
    const revoking = await oauth.revocationRequest(server, self, oauth.None(), refreshed.refresh_token ?? '', options);
    await oauth.processRevocationResponse(revoking);
    expect((await app.api.get('/v1/me', refreshed.access_token)).status).toBe(401);
  });
});
