import { describe, expect, it } from 'vitest';
import {
  findTimeStep,
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  parseCode,
} from './code-rules.ts';

/** "12345678901234567890" of RFC 6238 appendix B, in base32. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('findTimeStep', () => {
  // Appendix B has eight digits; a code is the last six of them.
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('agrees with RFC 6238 at %i s', (seconds, eightDigits) => {
    const step = Math.floor(seconds / 30);
    expect(findTimeStep(RFC_SECRET, eightDigits.slice(2), seconds * 1000)).toBe(step);
  });

  it('accepts the step before and the step after, and returns which it was', () => {
    const [code, step] = ['081804', Math.floor(1111111109 / 30)];
    const at = (offset: number) => findTimeStep(RFC_SECRET, code, (step + offset) * 30_000 + 1_000);
    expect([-2, -1, 0, 1, 2].map(at)).toEqual([undefined, step, step, step, undefined]);
  });

  it('rejects a wrong code', () => {
    expect(findTimeStep(RFC_SECRET, '000000', 59_000)).toBeUndefined();
  });
});

describe('parseCode', () => {
  it.each([
    ['287082', { kind: 'totp', digits: '287082' }],
    [' 287 082 ', { kind: 'totp', digits: '287082' }],
    ['7K3M0-QX9TZ', { kind: 'recovery_code', code: '7K3M0QX9TZ' }],
    ['7k3moqx9tz', { kind: 'recovery_code', code: '7K3M0QX9TZ' }],
    ['01234-56789', { kind: 'recovery_code', code: '0123456789' }],
    ['28708', { kind: 'neither' }],
    ['2870822', { kind: 'neither' }],
    ['٢٨٧٠٨٢', { kind: 'neither' }],
    ['7K3M0-QX9TU', { kind: 'neither' }],
    ['', { kind: 'neither' }],
  ])('parses %j', (text, code) => {
    expect(parseCode(text)).toEqual(code);
  });
});

describe('new secrets', () => {
  it('have 160 bits, and a URL with the account and the issuer', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(otpauthUrl('Acme: Studio', 'ada+seats@example.com', secret));
    expect(decodeURIComponent(url.pathname)).toBe('/Acme Studio:ada+seats@example.com');
    expect(url.protocol + url.host).toBe('otpauth:totp');
    expect(Object.fromEntries(url.searchParams)).toEqual({ secret, issuer: 'Acme Studio' });
  });

  it('include ten different recovery codes, each parsed as one', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
      expect(parseCode(code)).toEqual({ kind: 'recovery_code', code: code.replace('-', '') });
    }
  });

  it('include a recovery code hash that depends on the user and the key', () => {
    const hash = (key: string, user: string) => hashRecoveryCode(Buffer.from(key), user, '7K3M0-QX9TZ').toString('hex');
    expect(new Set([hash('a', 'ada'), hash('b', 'ada'), hash('a', 'grace')]).size).toBe(3);
  });
});
