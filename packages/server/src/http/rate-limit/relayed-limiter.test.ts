import { describe, expect, it } from 'vitest';
import { testLimiter } from '../../../test/http/limiter-conformance.ts';
import { RelayedLimiter, RelayTarget } from './relayed-limiter.ts';

/** As sent between processes. */
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe('a limiter that has its requests counted by another process', () => {
  const target = new RelayTarget();
  const limiter = new RelayedLimiter(async (requests) => copy(target.take(copy(requests))));
  testLimiter(() => limiter);
});

describe('two relayed limiters', () => {
  it('share one count', async () => {
    const target = new RelayTarget();
    const limiters = [1, 2].map(() => new RelayedLimiter(async (requests) => target.take(requests)));
    const windows = [{ name: 'minute', limit: 10, seconds: 60 }];
    const request = { subjects: [{ key: 'one', windows }], nowMs: 1_000, enforce: true };
    const decisions = await Promise.all(Array.from({ length: 30 }, (_, number) => limiters[number % 2]?.take(request)));
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(10);
  });
});

describe('a relayed limiter without an answer', () => {
  it('counts by itself', async () => {
    const limiter = new RelayedLimiter(() => Promise.reject(new Error('no answer')));
    const windows = [{ name: 'minute', limit: 2, seconds: 60 }];
    const take = () => limiter.take({ subjects: [{ key: 'one', windows }], nowMs: 1_000, enforce: true });
    expect([(await take()).allowed, (await take()).allowed, (await take()).allowed]).toEqual([true, true, false]);
  });
});

it('simultaneous requests are sent as one message', async () => {
  const target = new RelayTarget();
  const sizes: number[] = [];
  const limiter = new RelayedLimiter(async (requests) => {
    sizes.push(requests.length);
    return target.take(requests);
  });
  const windows = [{ name: 'minute', limit: 100, seconds: 60 }];
  const take = () => limiter.take({ subjects: [{ key: 'one', windows }], nowMs: 1_000, enforce: true });
  await Promise.all([take(), take(), take()]);
  expect(sizes).toEqual([3]);
});
