import { timingSafeEqual } from 'node:crypto';
import type Provider from 'oidc-provider';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';

/*
 * All uses of the library's undocumented internals. The version of oidc-provider is pinned exactly; the tests of tokens
 * (format, two live secrets) and of authorize (redirect URIs, schemes of native apps) fail if one is gone.
 */

/** Gives tokens our own format, and makes clients know their secrets only as hashes. */
export function overrideLibrary(provider: Provider): void {
  nameTokens(provider.AccessToken.prototype, TOKEN_PREFIXES.oauthAccess);
  nameTokens(provider.RefreshToken.prototype, TOKEN_PREFIXES.oauthRefresh);
  nameTokens(provider.AuthorizationCode.prototype, TOKEN_PREFIXES.oauthCode);
  nameTokens(provider.DeviceCode.prototype, TOKEN_PREFIXES.oauthDevice);
  provider.Client.prototype.compareClientSecret = compareClientSecret;
  provider.Client.prototype.redirectUriAllowed = isRegisteredRedirectUri;
  const schema = Reflect.get(provider.Client, 'Schema');
  // Which redirect URIs an app may have is decided when it is registered; custom schemes of native apps are among them.
  Reflect.set(schema.prototype, 'redirectUris', () => undefined);
}

/** The library's own function is called first, because it also records the token's format. */
function nameTokens(prototype: object, prefix: Parameters<typeof newToken>[0]): void {
  const generateTokenId = Reflect.get(prototype, 'generateTokenId');
  if (typeof generateTokenId !== 'function') {
    throw new Error('oidc-provider no longer has generateTokenId');
  }
  Reflect.set(prototype, 'generateTokenId', function name(this: object): string {
    Reflect.apply(generateTokenId, this, []);
    return newToken(prefix);
  });
}

/** Compares with every live hash, even after a match, so that timing reveals nothing. */
function compareClientSecret(this: object, actual: string): boolean {
  const hashes: unknown = Reflect.get(this, 'secret_hashes');
  const actualHash = hashToken(actual);
  let matches = false;
  for (const hash of Array.isArray(hashes) ? hashes : []) {
    const expected = Buffer.from(String(hash), 'hex');
    matches = (expected.length === actualHash.length && timingSafeEqual(expected, actualHash)) || matches;
  }
  return matches;
}

/** Character by character (RFC 9700 section 2.1): no other port, trailing slash, or additional query. */
function isRegisteredRedirectUri(
  this: { readonly redirectUris?: readonly string[] | undefined },
  uri: string,
): boolean {
  return this.redirectUris?.includes(uri) === true;
}
