import { generateKeyPairSync } from 'node:crypto';
import type { AdapterFactory, Configuration, KoaContextWithOIDC, RefreshToken } from 'oidc-provider';
import { ALL_SCOPES } from '../../http/index.ts';
import type { OauthTools } from '../oauth-tools.ts';
import { createBrowserAdapter } from './browser-adapter.ts';
import { CLIENT_PROPERTIES, createClientAdapter } from './client-adapter.ts';
import { cookieKeys } from './cookie-keys.ts';
import { createDeviceAdapter } from './device-adapter.ts';
import { deviceFlow } from './device-flow.ts';
import { createGrantAdapter } from './grant-adapter.ts';
import { whenToAsk } from './interaction-policy.ts';
import { renderLibraryError } from './library-faults.ts';
import {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZATION_CODE_SECONDS,
  BROWSER_LOGIN_SECONDS,
  DEVICE_CODE_SECONDS,
  INTERACTION_SECONDS,
  LONGEST_REFRESH_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from './lifetimes.ts';
import { createGrantLoader } from './load-grant.ts';
import { requireKnownScopes } from './scope-rules.ts';
import { createTokenAdapter } from './token-adapter.ts';

/** All settings of the library. Offers RFC 6749, 7636, 7009, 7662, 8628 and 9207, and nothing else. */
export function providerSettings(tools: OauthTools): Configuration {
  const off = { enabled: false };
  return {
    adapter: adapterFactory(tools),
    routes: {
      authorization: '/authorize',
      token: '/token',
      revocation: '/revoke',
      introspection: '/introspect',
      device_authorization: '/device_authorization',
      code_verification: '/device',
    },
    features: {
      devInteractions: off,
      pushedAuthorizationRequests: off,
      dPoP: off,
      userinfo: off,
      rpInitiatedLogout: off,
      resourceIndicators: off,
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      introspection: { enabled: true, allowedPolicy: isOwnToken },
      deviceFlow: deviceFlow(tools.site),
    },
    scopes: [...ALL_SCOPES],
    extraParams: { scope: requireKnownScopes },
    responseTypes: ['code'],
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: isOriginOfApp,
    pkce: { required: (_ctx, client) => client.tokenEndpointAuthMethod === 'none' },
    issueRefreshToken: async () => true,
    // An app's tokens do not end with the browser's login.
    expiresWithSession: async () => false,
    rotateRefreshToken: (ctx) => ctx.oidc.client?.tokenEndpointAuthMethod === 'none',
    // The API ends grants, not the reuse or revocation of a token.
    revokeGrantPolicy: () => false,
    loadExistingGrant: createGrantLoader(tools.database),
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    renderError: (ctx, out) => renderLibraryError(tools.site, ctx, out),
    interactions: {
      policy: whenToAsk(),
      url: (_ctx, interaction) => `${tools.authUrl}/interaction/${interaction.uid}`,
    },
    clockTolerance: 0,
    ttl: lifetimes(),
    cookies: cookieSettings(tools),
    ...unusedSignatures(),
    extraClientMetadata: { properties: CLIENT_PROPERTIES },
  };
}

function adapterFactory(tools: OauthTools): AdapterFactory {
  return (model) => {
    switch (model) {
      case 'Client':
        return createClientAdapter(tools.database);
      case 'Grant':
        return createGrantAdapter(tools.database);
      case 'AccessToken':
      case 'AuthorizationCode':
      case 'RefreshToken':
        return createTokenAdapter(tools, model);
      case 'DeviceCode':
        return createDeviceAdapter(tools);
      default:
        return createBrowserAdapter(tools, model);
    }
  };
}

function lifetimes(): NonNullable<Configuration['ttl']> {
  return {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
    DeviceCode: DEVICE_CODE_SECONDS,
    RefreshToken: refreshTokenSeconds,
    Interaction: INTERACTION_SECONDS,
    Session: BROWSER_LOGIN_SECONDS,
    // Required, but never used: our grants have no expiry.
    Grant: LONGEST_REFRESH_SECONDS,
    IdToken: ACCESS_TOKEN_SECONDS,
  };
}

/** A successor has the same lifetime as its predecessor, but a chain never lasts longer than a year. */
function refreshTokenSeconds(_ctx: KoaContextWithOIDC, token: RefreshToken): number {
  return Math.max(1, Math.min(REFRESH_TOKEN_SECONDS, LONGEST_REFRESH_SECONDS - token.totalLifetime()));
}

/**
 * Production and sandbox share the browser's cookies if they differ only in the port, so the names distinguish them.
 * The library sets paths for two of the cookies, which `__Host-` does not allow.
 */
function cookieSettings({ masterKey, apiTokenPrefix }: OauthTools): NonNullable<Configuration['cookies']> {
  const suffix = apiTokenPrefix === 'svc_live_' ? 'live' : 'test';
  const shared = { httpOnly: true, sameSite: 'lax', secure: true, signed: true } as const;
  return {
    names: {
      session: `__Host-seathold-login-${suffix}`,
      interaction: `__Secure-seathold-interaction-${suffix}`,
      resume: `__Secure-seathold-resume-${suffix}`,
    },
    long: { ...shared, path: '/' },
    short: shared,
    keys: cookieKeys(() => masterKey.deriveKey('oauth-cookies')),
  };
}

/**
 * Nothing is ever signed, because there is no OpenID Connect. The library still requires a key; this one only exists in
 * this process.
 */
function unusedSignatures(): Pick<Configuration, 'jwks' | 'enabledJWA' | 'clientDefaults'> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'EC', use: 'sig', alg: 'ES256' }] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
  };
}

/** An app learns nothing about another app's tokens and cannot end them. */
function isOwnToken(
  _ctx: KoaContextWithOIDC,
  client: { clientId: string },
  token: { clientId?: string | undefined },
): boolean {
  return token.clientId === client.clientId;
}

/** Apps in browsers may send requests from the origins of their redirect URIs. */
function isOriginOfApp(
  _ctx: KoaContextWithOIDC,
  origin: string,
  client: { readonly redirectUris?: readonly string[] | undefined },
): boolean {
  // The origin of a private-use scheme is the text null, as is that of any page in a sandboxed frame.
  return origin !== 'null' && (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin);
}
