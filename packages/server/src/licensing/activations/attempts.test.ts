import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { newLicenseKey } from '../licenses/license-key.ts';
import { countedKey } from './counted-key.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'on', SEATHOLD_TRUST_PROXY: '127.0.0.1/32' } });

const machine = () => `hw_${randomBytes(16).toString('hex')}`;

it('an address may try ten license keys a minute', async ({ app }) => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const body = { license_key: newLicenseKey(), hardware_id: machine() };
    statuses.push((await app.api.call('POST', '/v1/licenses/activate', { body })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
});

it('a license key may be tried ten times a minute, from any address and in any spelling', async ({ app }) => {
  const key = newLicenseKey();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const raw = JSON.stringify({ license_key: key, hardware_id: machine() });
    const escaped = raw.replace(key, `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`);
    const sent = attempt % 2 === 0 ? raw : escaped;
    const headers = { 'x-forwarded-for': `192.0.2.${attempt}`, 'content-type': 'application/json' };
    statuses.push((await app.api.call('POST', '/v1/licenses/activate', { body: sent, headers })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
});

it('attempts are counted by key, however it is typed, and by address only if there is no key', () => {
  const key = newLicenseKey();
  const of = (text: string) => countedKey(Buffer.from(text));
  expect(of(`{"license_key":"${key}"}`)).toBe(`license-key:${key}`);
  expect(of(`{"hardware_id":"x", "license_key" : "${key.toLowerCase()}"}`)).toBe(`license-key:${key}`);
  // The same string, written so that a text search would not find it.
  expect(of(`{"license_key":"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}"}`)).toBe(`license-key:${key}`);
  expect(of(`{"license_key":"${key}"}${' '.repeat(5_000)}`)).toBe(`license-key:${key}`);
  expect(of('{"license_key":" OLD-11112222-33334444 "}')).toBe('license-key:OLD-11112222-33334444');
  expect([of('null'), of(`{"license_key":"${'A'.repeat(257)}"}`)]).toEqual([undefined, undefined]);
  expect([of('{}'), of('{"license_key":"wrong"}'), countedKey(undefined)]).toEqual([undefined, undefined, undefined]);
});
