import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Configuration } from 'oidc-provider';

type CookieKeys = Exclude<NonNullable<NonNullable<Configuration['cookies']>['keys']>, ReadonlyArray<string | Buffer>>;

/**
 * Signs the cookies of the login pages like the library's own key ring: HMAC-SHA1 in base64url. The key is derived at
 * each use, because the library is configured before an environment that waits for its database has its keys.
 */
export function cookieKeys(deriveKey: () => Buffer): CookieKeys {
  const digestOf = (data: string) => createHmac('sha1', deriveKey().toString('base64url')).update(data).digest();
  const sign = (data: string) => digestOf(data).toString('base64url');
  const verify = (data: string, digest: string) => {
    const [given, wanted] = [Buffer.from(digest), Buffer.from(sign(data))];
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  return { sign, verify, index: (data, digest) => (verify(data, digest) ? 0 : -1) };
}
