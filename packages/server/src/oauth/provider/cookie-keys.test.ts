import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { cookieKeys } from './cookie-keys.ts';

// The key ring that the library builds from a list of keys.
const fromLibrary = createRequire(createRequire(import.meta.url).resolve('oidc-provider'));
const Keygrip: new (keys: string[]) => ReturnType<typeof cookieKeys> = fromLibrary('keygrip');

it('cookies are signed as the library does, so that logins survive an upgrade', () => {
  const key = randomBytes(32);
  const ring = new Keygrip([key.toString('base64url')]);
  const ours = cookieKeys(() => key);
  for (const data of ['', '__Host-login=abc', 'cookie=ÿ?>~'.repeat(20)]) {
    expect(ours.sign(data)).toBe(ring.sign(data));
    expect(ours.index(data, ring.sign(data))).toBe(0);
    expect(ring.verify(data, ours.sign(data))).toBe(true);
  }
});

it('a digest of other data, of another key, or cut short is refused', () => {
  const [key, other] = [randomBytes(32), randomBytes(32)];
  const ours = cookieKeys(() => key);
  const digest = ours.sign('a=1');
  expect(ours.verify('a=2', digest)).toBe(false);
  expect(cookieKeys(() => other).index('a=1', digest)).toBe(-1);
  expect(ours.verify('a=1', digest.slice(0, -1))).toBe(false);
  expect(ours.verify('a=1', '')).toBe(false);
});
