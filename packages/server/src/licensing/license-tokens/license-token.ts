import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { FeatureValue } from '../../billing/index.ts';

/** The claims of a license token (contract §7). Times are NumericDate, seconds since 1970 on the real clock (RFC 7519 §2). */
export interface LicenseClaims {
  iss: string;
  aud: string;
  sub: string;
  jti: string;
  iat: number;
  nbf: number;
  exp: number;
  org: string;
  lic: string;
  hw: string;
  product: string;
  features: Readonly<Record<string, FeatureValue>>;
  max_seats: number;
}

/** A token before it is signed. Stored instead of the token, because RS256 gives the same bytes for the same claims. */
export interface UnsignedToken {
  keyId: string;
  claims: LicenseClaims;
}

/** The claims of a token for one session. `issued` and `expiry` are NumericDate. */
export function createClaims(
  settings: { baseUrl: string; licenseAudience: string },
  organizationId: string,
  session: { id: string; userId: string; hardwareId: string; issued: number; expiry: number },
  license: { id: string; product: string; features: Readonly<Record<string, FeatureValue>>; max_seats: number },
): LicenseClaims {
  return {
    iss: settings.baseUrl,
    aud: settings.licenseAudience,
    sub: session.userId,
    jti: session.id,
    iat: session.issued,
    nbf: session.issued,
    exp: session.expiry,
    org: organizationId,
    lic: license.id,
    hw: session.hardwareId,
    product: license.product,
    features: license.features,
    max_seats: license.max_seats,
  };
}

/** When a token created now expires, in whole seconds: after its lifetime, but not after the license itself. */
export function tokenExpirySeconds(nowMs: number, lifeSeconds: number, licenseExpiresAtMs: number): number {
  return Math.floor(Math.min(nowMs + lifeSeconds * 1000, licenseExpiresAtMs) / 1000);
}

/**
 * Signs with RS256 (RFC 7518 §3.3) as a JWS in compact form (RFC 7515 §7.1). The signature takes about 0.2 ms of CPU
 * time, so it is created in the thread pool and after the commit.
 */
export function signLicenseToken(key: KeyObject, token: UnsignedToken): Promise<string> {
  return signJwt(key, { typ: 'JWT', ...token });
}

/** The same for a token of any type. */
export async function signJwt(
  key: KeyObject,
  { typ, keyId, claims }: { typ: string; keyId: string; claims: object },
): Promise<string> {
  const header = encode({ alg: 'RS256', typ, kid: keyId });
  const content = `${header}.${encode(claims)}`;
  const signature = await signInPool('sha256', Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}

const signInPool = promisify(
  (algorithm: string, data: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
    sign(algorithm, data, key, done),
);

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
