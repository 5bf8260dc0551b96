import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { newId } from '../../ids/index.ts';

const it = createTest({
  settings: { SEATHOLD_RATE_LIMITS: '{"tiers": {"free": {"minute": 20}}, "endpoints": {"wait": 12}}' },
});

const machine = () => `hw_${randomBytes(16).toString('hex')}`;

async function poll(app: TestApp, token: string, waitId: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    statuses.push((await app.api.get(`/v1/licenses/waits/${waitId}`, token)).status);
  }
  return statuses;
}

it('polls are counted per wait and not against the user, whose limit is for everything else', async ({ app, ada }) => {
  const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 1, tier: 'free' });
  const join = () =>
    app.api.post('/v1/licenses/acquire', ada.accessToken, {
      license_key: key,
      hardware_id: machine(),
      wait_seconds: 600,
    });
  expect((await join()).status).toBe(201);
  const waits: string[] = [];
  for (const position of [1, 2, 3]) {
    const { body } = await join();
    expect(body.data.position).toBe(position);
    waits.push(body.data.wait_id);
  }
  const all = await Promise.all(waits.map((waitId) => poll(app, ada.accessToken, waitId, 12)));
  expect(new Set(all.flat())).toEqual(new Set([200]));
  const tooMany = await app.api.get(`/v1/licenses/waits/${waits[0]}`, ada.accessToken);
  expect([tooMany.status, tooMany.headers.get('x-ratelimit-limit')]).toEqual([429, '12']);
  // A made-up ID counts against the user.
  const madeUp: number[] = [];
  for (let number = 0; number < 20; number += 1) {
    madeUp.push(...(await poll(app, ada.accessToken, newId('seatWait'), 1)));
  }
  expect(madeUp.slice(0, 5)).toEqual([404, 404, 404, 404, 404]);
  expect(madeUp.at(-1)).toBe(429);
});
