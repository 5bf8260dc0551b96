import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RateLimiter } from '../../src/http/rate-limit/limiter.ts';
import type { Decision, Subject, WindowLimit } from '../../src/http/rate-limit/windows.ts';

/** The promises of every driver. The time comes from the request. Keys are new in every test, so nothing is cleared. */
export function testLimiter(limiter: () => RateLimiter): void {
  testWindows(limiter);
  testRefusals(limiter);
  testSubjects(limiter);
  testWithoutEnforcement(limiter);
}

const START_MS = 1_750_000_000_123;
const TIER: readonly WindowLimit[] = [
  { name: 'minute', limit: 3, seconds: 60 },
  { name: 'hour', limit: 5, seconds: 3_600 },
  { name: 'day', limit: 100, seconds: 86_400 },
];

function testWindows(limiter: () => RateLimiter): void {
  test('the first request anchors all windows', async () => {
    const take = taker(limiter, [subject('tier', TIER)]);
    const decision = await take(START_MS);
    expect(decision.allowed).toBe(true);
    expect(decision.decidedAtMs).toBe(START_MS);
    expect(decision.windows.map((window) => [window.name, window.remaining, window.resetAtMs])).toEqual([
      ['minute', 2, START_MS + 60_000],
      ['hour', 4, START_MS + 3_600_000],
      ['day', 99, START_MS + 86_400_000],
    ]);
    expect((await take(START_MS + 59_000)).binding.resetAtMs).toBe(START_MS + 60_000);
  });

  test('the last request within the limit is allowed and the next is refused until the reset, when one is allowed again', async () => {
    const take = taker(limiter, [subject('tier', TIER)]);
    await take(START_MS);
    await take(START_MS + 1);
    const last = await take(START_MS + 2);
    expect([last.allowed, last.binding.remaining]).toEqual([true, 0]);
    const refused = await take(START_MS + 59_999);
    expect([refused.allowed, refused.binding.name, refused.binding.remaining]).toEqual([false, 'minute', 0]);
    const atReset = await take(refused.binding.resetAtMs);
    expect([atReset.allowed, atReset.windows[0]?.resetAtMs]).toEqual([true, refused.binding.resetAtMs + 60_000]);
  });

  test('the window with the fewest remaining requests binds, and among equals the one that resets later', async () => {
    const take = taker(limiter, [subject('tier', TIER)]);
    expect((await take(START_MS)).binding.name).toBe('minute');
    await take(START_MS);
    const third = await take(START_MS + 60_000);
    expect([third.binding.name, third.windows.map((window) => window.remaining)]).toEqual(['hour', [2, 2, 97]]);
  });

  test('a clock set back does not lock out a client for longer than the window', async () => {
    const take = taker(limiter, [subject('tier', TIER)]);
    for (let count = 0; count < 3; count += 1) {
      await take(START_MS);
    }
    const refused = await take(START_MS - 7_200_000);
    expect([refused.allowed, refused.binding.resetAtMs]).toEqual([false, START_MS - 7_200_000 + 60_000]);
  });
}

function testRefusals(limiter: () => RateLimiter): void {
  test('hammering a full minute does not use up the hour or the day', async () => {
    const take = taker(limiter, [subject('tier', TIER)]);
    for (let count = 0; count < 3; count += 1) {
      await take(START_MS);
    }
    for (let count = 0; count < 50; count += 1) {
      const refused = await take(START_MS + count);
      expect(refused.allowed).toBe(false);
      expect(refused.windows.map((window) => window.remaining)).toEqual([0, 2, 97]);
    }
  });

  test('of 200 simultaneous requests, exactly as many as the limit succeed', async () => {
    const take = taker(limiter, [subject('tier', [{ name: 'minute', limit: 37, seconds: 60 }])]);
    const decisions = await Promise.all(Array.from({ length: 200 }, () => take(START_MS)));
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(37);
  });
}

function testSubjects(limiter: () => RateLimiter): void {
  test('the endpoint and the tier are decided together, all or nothing', async () => {
    const tier = subject('tier', TIER);
    const acquire = taker(limiter, [tier, subject('acquire', [{ name: 'acquire', limit: 1, seconds: 60 }])]);
    const first = await acquire(START_MS);
    expect(first.windows.map((window) => window.name)).toEqual(['minute', 'hour', 'day', 'acquire']);
    expect(first.binding.name).toBe('acquire');
    const refused = await acquire(START_MS + 1);
    expect([refused.allowed, refused.binding.name]).toEqual([false, 'acquire']);
    const other = await taker(limiter, [tier])(START_MS + 2);
    expect(other.windows.map((window) => window.remaining)).toEqual([1, 3, 98]);
  });

  test('a refusal for one subject does not open the windows of another', async () => {
    const full = subject('address', [{ name: 'login', limit: 1, seconds: 60 }]);
    const account = subject('account', [{ name: 'login-account', limit: 2, seconds: 60 }]);
    await taker(limiter, [full])(START_MS);
    expect((await taker(limiter, [full, account])(START_MS + 1)).allowed).toBe(false);
    const fresh = await taker(limiter, [account])(START_MS + 30_000);
    expect([fresh.binding.remaining, fresh.binding.resetAtMs]).toEqual([1, START_MS + 90_000]);
  });

  test('two clients do not share a limit', async () => {
    const [one, two] = [taker(limiter, [subject('one', TIER)]), taker(limiter, [subject('two', TIER)])];
    for (let count = 0; count < 4; count += 1) {
      await one(START_MS);
    }
    expect((await one(START_MS)).allowed).toBe(false);
    expect((await two(START_MS)).windows.map((window) => window.remaining)).toEqual([2, 4, 99]);
  });

  test('one key may have different windows in different requests', async () => {
    const { key } = subject('both', TIER);
    const tier = { key, windows: TIER };
    const login = { key, windows: [{ name: 'login', limit: 2, seconds: 60 }] };
    await taker(limiter, [tier, login])(START_MS);
    expect((await taker(limiter, [login])(START_MS)).windows.map((window) => window.remaining)).toEqual([0]);
    expect((await taker(limiter, [tier])(START_MS)).windows.map((window) => window.remaining)).toEqual([1, 3, 98]);
  });

  test('used requests still count after a change of tier', async () => {
    const { key } = subject('tier', TIER);
    await taker(limiter, [{ key, windows: TIER }])(START_MS);
    const larger = TIER.map((window) => ({ ...window, limit: window.limit * 10 }));
    const decision = await taker(limiter, [{ key, windows: larger }])(START_MS + 1);
    expect(decision.windows.map((window) => window.remaining)).toEqual([28, 48, 998]);
  });
}

function testWithoutEnforcement(limiter: () => RateLimiter): void {
  test('without enforcement everything is counted and reported, but nothing is refused', async () => {
    const tier = subject('tier', TIER);
    const unenforced = taker(limiter, [tier], false);
    const remaining: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const decision = await unenforced(START_MS);
      expect(decision.allowed).toBe(true);
      remaining.push(decision.windows[0]?.remaining ?? -1);
    }
    expect(remaining).toEqual([2, 1, 0, 0, 0]);
    expect((await taker(limiter, [tier])(START_MS)).allowed).toBe(false);
  });
}

function subject(name: string, windows: readonly WindowLimit[]): Subject {
  return { key: `${name}:${randomUUID()}`, windows };
}

function taker(limiter: () => RateLimiter, subjects: readonly Subject[], enforce = true) {
  return async (nowMs: number): Promise<Decision> => limiter().take({ subjects, nowMs, enforce });
}
