import { createHmac, randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';

/** The code that a user typed, classified by its format. */
export type TypedCode =
  | { kind: 'totp'; digits: string }
  | { kind: 'recovery_code'; code: string }
  | { kind: 'neither' };

/** Six digits are a one-time code, ten characters a recovery code. Spaces, hyphens and case make no difference. */
export function parseCode(text: string): TypedCode {
  const bare = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^[0-9]{6}$/.test(bare)) {
    return { kind: 'totp', digits: bare };
  }
  const code = bare.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return RECOVERY_CODE.test(code) ? { kind: 'recovery_code', code } : { kind: 'neither' };
}

/** A new secret of 160 bits in base32, as RFC 4226 section 4 recommends. */
export function newTotpSecret(): string {
  return generateSecret({ length: SECRET_BYTES });
}

/** The first 160 bits of the given bytes as a secret in base32. */
export function encodeTotpSecret(bytes: Buffer): string {
  const bits = [...bytes.subarray(0, SECRET_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
}

/** The URL that an authenticator app reads from a QR code. A colon would end the issuer, so it becomes a space. */
export function otpauthUrl(issuer: string, email: string, secret: string): string {
  return generateURI({ issuer: issuer.replaceAll(/\s*:\s*/g, ' '), label: email, secret });
}

/**
 * The time step of a code: the current one or one of its two neighbors; undefined if it matches none. Whether the step
 * was already spent is decided by the update that spends it.
 */
export function findTimeStep(secret: string, digits: string, nowMs: number): number | undefined {
  const result = verifySync({
    secret,
    token: digits,
    epoch: Math.floor(nowMs / 1000),
    epochTolerance: STEP_SECONDS,
    period: STEP_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

/** Ten new recovery codes, as they are shown once. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) {
    const characters = Array.from({ length: RECOVERY_CODE_CHARACTERS }, () => CROCKFORD[randomInt(CROCKFORD.length)]);
    codes.add(`${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`);
  }
  return [...codes];
}

/**
 * The stored form of a recovery code: 50 bits alone could be brute-forced, so checking one requires the server's key.
 */
export function hashRecoveryCode(key: Buffer, userId: string, code: string): Buffer {
  return createHmac('sha256', key)
    .update(`${userId} ${code.replaceAll('-', '')}`)
    .digest();
}

const SECRET_BYTES = 20;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_SECONDS = 30;
const RECOVERY_CODES = 10;
const RECOVERY_CODE_CHARACTERS = 10;
/** Without letters that look like digits, and without U. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_CODE = new RegExp(`^[${CROCKFORD}]{${RECOVERY_CODE_CHARACTERS}}$`);
