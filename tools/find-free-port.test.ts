import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort } from './find-free-port.ts';

it('ports requested at the same time are distinct, and none is one that outgoing connections are given', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, findFreePort));

  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('a port on which another server listens is left out', async () => {
  const first = await findFreePort();
  const taken = createServer().listen(first + 1, '127.0.0.1');
  await Promise.race([once(taken, 'listening'), once(taken, 'error')]);
  try {
    expect(await findFreePort()).not.toBe(first + 1);
  } finally {
    taken.close();
  }
});
