import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { newLicenseKey } from '../licenses/license-key.ts';
import { countedKey } from './counted-key.ts';

const it = createTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });

const machine = () => `hw_${randomBytes(16).toString('hex')}`;

it('an address may try ten license keys a minute', async ({ app }) => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const body = { license_key: newLicenseKey(), hardware_id: machine() };
    statuses.push((await app.api.call('POST', '/v1/licenses/activate', { body })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429]);
});

it('attempts are counted by key, however it is typed, and by address alone where there is none', () => {
  const key = newLicenseKey();
  const of = (text: string) => countedKey(Buffer.from(text));
  expect(of(`{"license_key":"${key}"}`)).toBe(`license-key:${key}`);
  expect(of(`{"hardware_id":"x", "license_key" : "${key.toLowerCase()}"}`)).toBe(`license-key:${key}`);
  expect([of('{}'), of('{"license_key":"wrong"}'), countedKey(undefined)]).toEqual([undefined, undefined, undefined]);
});
