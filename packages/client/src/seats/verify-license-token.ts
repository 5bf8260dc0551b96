/** A public key in the service's key set (RFC 7517). */
export interface Jwk {
  readonly kid?: string;
  readonly kty?: string;
  readonly n?: string;
  readonly e?: string;
  readonly alg?: string;
}

/** Checks an RS256 signature. */
export type CheckSignature = (
  key: Jwk,
  content: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
) => Promise<boolean>;

/** Why a token is invalid. */
export type TokenFault =
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'unknown_key'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'hardware'
  | 'session'
  | 'not_yet_valid'
  | 'expired'
  | 'revoked';

/** The required claims of a license token. */
export interface TokenExpectations {
  readonly issuer: string;
  readonly audience: string;
  readonly hardwareId: string;
  /** The session that it is for, if known. */
  readonly sessionId?: string | undefined;
  /** The service's time. */
  readonly nowMs: number;
  /** Sessions and licenses on the revocation list. */
  readonly revoked: ReadonlySet<string>;
}

/** The claims that the keeper uses. */
export interface LicenseClaims {
  readonly jti: string;
  readonly lic: string;
  readonly exp: number;
  readonly iat: number;
  readonly features: Readonly<Record<string, boolean | number | string>>;
}

export interface RevocationClaims {
  readonly iat: number;
  readonly revoked: ReadonlySet<string>;
}

/** The parts of a token. Nothing is verified yet. */
export interface ParsedToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** A new token may come from a service whose clock runs a little ahead. */
const TOLERANCE_SECONDS = 60;

/** Verifies a license token. Returns its claims, or the first fault in the order of the list. */
export async function verifyLicenseToken(
  text: string,
  keys: readonly Jwk[],
  expected: TokenExpectations,
  checkSignature: CheckSignature,
): Promise<LicenseClaims | TokenFault> {
  const token = await verifyJwt(text, keys, 'JWT', checkSignature);
  return typeof token === 'string' ? token : (faultOf(token.claims, expected) ?? readClaims(token.claims));
}

/** Verifies a revocation list. One that has expired is still better than none. */
export async function verifyRevocations(
  text: string,
  keys: readonly Jwk[],
  issuer: string,
  checkSignature: CheckSignature,
): Promise<RevocationClaims | TokenFault> {
  const token = await verifyJwt(text, keys, 'revocations+jwt', checkSignature);
  if (typeof token === 'string') {
    return token;
  }
  const { iss, iat, revoked } = token.claims;
  if (iss !== issuer) {
    return 'issuer';
  }
  if (typeof iat !== 'number' || !Array.isArray(revoked)) {
    return 'malformed';
  }
  return { iat, revoked: new Set(revoked.filter((id) => typeof id === 'string')) };
}

/** The keys of a key set (RFC 7517 §5). */
export function parseKeySet(data: unknown): readonly Jwk[] {
  const { keys }: { keys?: unknown } = Object(data);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'object' && key !== null) : [];
}

/** The parts of a JWS in compact form (RFC 7515 §7.1), or undefined. */
export function parseJwt(text: string): ParsedToken | undefined {
  const [header = '', claims = '', signature = '', ...more] = text.split('.');
  try {
    const parts = { header: parseObject(header), claims: parseObject(claims), signature: fromBase64Url(signature) };
    const content = new TextEncoder().encode(`${header}.${claims}`);
    return more.length > 0 || parts.header === undefined || parts.claims === undefined
      ? undefined
      : { header: parts.header, claims: parts.claims, signature: parts.signature, content };
  } catch {
    return undefined;
  }
}

async function verifyJwt(
  text: string,
  keys: readonly Jwk[],
  type: string,
  checkSignature: CheckSignature,
): Promise<ParsedToken | TokenFault> {
  const token = parseJwt(text);
  if (token === undefined) {
    return 'malformed';
  }
  if (token.header.alg !== 'RS256') {
    return 'algorithm';
  }
  if (token.header.typ !== type) {
    return 'type';
  }
  const key = keys.find(({ kid, kty }) => kid === token.header.kid && kty === 'RSA');
  if (key === undefined) {
    return 'unknown_key';
  }
  const isSigned = await checkSignature(key, token.content, token.signature).catch(() => false);
  return isSigned ? token : 'signature';
}

function faultOf(claims: Readonly<Record<string, unknown>>, expected: TokenExpectations): TokenFault | undefined {
  const { iss, aud, hw, jti, lic, nbf, exp } = claims;
  const now = expected.nowMs / 1000;
  const faults: ReadonlyArray<readonly [TokenFault, boolean]> = [
    ['malformed', typeof jti !== 'string' || typeof lic !== 'string' || typeof exp !== 'number'],
    ['issuer', iss !== expected.issuer],
    ['audience', aud !== expected.audience],
    ['hardware', hw !== expected.hardwareId],
    ['session', expected.sessionId !== undefined && jti !== expected.sessionId],
    ['not_yet_valid', typeof nbf === 'number' && nbf > now + TOLERANCE_SECONDS],
    ['expired', typeof exp === 'number' && exp <= now],
    ['revoked', expected.revoked.has(String(jti)) || expected.revoked.has(String(lic))],
  ];
  return faults.find(([, isFault]) => isFault)?.[0];
}

function readClaims({ jti, lic, exp, iat, features }: Readonly<Record<string, unknown>>): LicenseClaims {
  const own: Record<string, boolean | number | string> = {};
  for (const [name, value] of Object.entries(Object(features))) {
    if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') {
      own[name] = value;
    }
  }
  return { jti: String(jti), lic: String(lic), exp: Number(exp), iat: Number(iat), features: own };
}

function parseObject(part: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(part)));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(text)) {
    throw new SyntaxError('not base64url');
  }
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
