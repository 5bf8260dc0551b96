import { createPublicKey, verify } from 'node:crypto';

/**
 * Returns the claims of a license token, or the fault that makes it invalid. `keys` are the public keys that came with the
 * program, never keys that came with the license, because then anyone could sign their own license.
 */
export function verifyLicense(token, { keys, issuer, hardwareId, revoked, nowSeconds }) {
  const jwt = verifyJwt(token, keys, 'JWT');
  if (jwt.fault !== undefined) {
    return jwt;
  }
  const { iss, aud, hw, exp, jti, lic } = jwt.claims;
  if (iss !== issuer || aud !== 'seathold-client') {
    return { fault: 'issuer' };
  }
  if (hw !== hardwareId) {
    return { fault: 'hardware' };
  }
  if (!(exp > nowSeconds)) {
    return { fault: 'expired' };
  }
  return revoked.has(jti) || revoked.has(lic) ? { fault: 'revoked' } : jwt;
}

/** Returns the sessions and licenses on a revocation list, and the time when it was issued. */
export function readRevocations(list, { keys, issuer }) {
  const { claims, fault } = verifyJwt(list, keys, 'revocations+jwt');
  return fault === undefined && claims.iss === issuer
    ? { revoked: new Set(claims.revoked), iat: claims.iat }
    : { fault: fault ?? 'issuer' };
}

/** Checks the type and the RS256 signature of a JWT (RFC 7519). */
function verifyJwt(text, keys, type) {
  try {
    const [header, claims, signature] = text.split('.');
    const { alg, typ, kid } = parse(header);
    const key = keys.find((each) => each.kid === kid);
    if (alg !== 'RS256' || typ !== type || key === undefined) {
      return { fault: key === undefined ? 'unknown_key' : 'type' };
    }
    const publicKey = createPublicKey({ key, format: 'jwk' });
    return verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'))
      ? { claims: parse(claims) }
      : { fault: 'signature' };
  } catch {
    return { fault: 'malformed' };
  }
}

function parse(part) {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}
