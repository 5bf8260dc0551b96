import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testLimiter } from '../../../test/http/limiter-conformance.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import type { WindowLimit } from './windows.ts';

describe('the memory limiter', () => {
  const limiter = new MemoryLimiter();
  testLimiter(() => limiter);

  test('answers synchronously, without a promise', () => {
    expect(limiter.take(request('sync', 0))).not.toBeInstanceOf(Promise);
  });

  test('never admits more than the limit of any window, and one at the announced reset', () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat({ max: 1_500 }), asks: fc.integer({ min: 1, max: 4 }) }), {
      maxLength: 60,
    });
    const limits = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 8 }));
    fc.assert(
      fc.property(steps, limits, (schedule, [perSecond, perThree]) => {
        const windows = [
          { name: 'short', limit: perSecond, seconds: 1 },
          { name: 'long', limit: perThree, seconds: 3 },
        ];
        checkSchedule(schedule, windows);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the limiter’s memory:', () => {
  test('a refused request does not add a subject', () => {
    const limiter = new MemoryLimiter();
    limiter.take(request('full', 0));
    for (let count = 0; count < 10; count += 1) {
      const subjects = [...request('full', 1).subjects, ...request(`new-${count}`, 1).subjects];
      limiter.take({ subjects, nowMs: 1, enforce: true });
    }
    expect(limiter.size).toBe(1);
  });

  test('expired subjects make room for new ones', () => {
    const limiter = new MemoryLimiter();
    for (let count = 0; count < 1_000; count += 1) {
      limiter.take(request(`early-${count}`, count));
    }
    for (let count = 0; count < 1_000; count += 1) {
      limiter.take(request(`late-${count}`, 100_000 + count));
    }
    expect(limiter.size).toBe(1_000);
  });

  test('at the maximum, only the subject that resets soonest is forgotten', () => {
    const limiter = new MemoryLimiter({ maxSubjects: 3 });
    limiter.take(request('day', 0, 86_400));
    limiter.take(request('minute', 0, 60));
    limiter.take(request('hour', 0, 3_600));
    limiter.take(request('new', 1, 3_600));
    expect(limiter.size).toBe(3);
    expect(limiter.take(request('day', 2, 86_400)).allowed).toBe(false);
    expect(limiter.take(request('hour', 2, 3_600)).allowed).toBe(false);
    expect(limiter.take(request('new', 2, 3_600)).allowed).toBe(false);
    expect(limiter.take(request('minute', 2, 60)).allowed).toBe(true);
  });

  test('a subject that returned is no longer the soonest', () => {
    const limiter = new MemoryLimiter({ maxSubjects: 2 });
    limiter.take(request('returning', 0));
    limiter.take(request('other', 1));
    limiter.take(request('returning', 60_000));
    limiter.take(request('new', 60_000));
    expect(limiter.take(request('returning', 60_002)).allowed).toBe(false);
  });

  test('a request with more subjects than fit is still decided', () => {
    const limiter = new MemoryLimiter({ maxSubjects: 1 });
    const subjects = [...request('one', 0).subjects, ...request('two', 0).subjects];
    for (let count = 0; count < 5; count += 1) {
      limiter.take({ subjects, nowMs: count, enforce: false });
      expect(limiter.size).toBe(1);
    }
  });

  test('closing clears it', async () => {
    const limiter = new MemoryLimiter();
    limiter.take(request('one', 0));
    await limiter.close();
    expect(limiter.size).toBe(0);
  });
});

function request(key: string, nowMs: number, seconds = 60) {
  return { subjects: [{ key, windows: [{ name: 'only', limit: 1, seconds }] }], nowMs, enforce: true };
}

/** Computes the contract's rule independently: a window lasts from its first request to the reset it announced. */
function checkSchedule(schedule: ReadonlyArray<{ waitMs: number; asks: number }>, windows: readonly WindowLimit[]) {
  const subjects = [{ key: 'subject', windows }];
  const limiter = new MemoryLimiter();
  const admitted = new Map<string, number>();
  let nowMs = 1_000_000;
  for (const { waitMs, asks } of schedule) {
    nowMs += waitMs;
    for (let count = 0; count < asks; count += 1) {
      const decision = limiter.take({ subjects, nowMs, enforce: true });
      for (const { name, limit, seconds, remaining, resetAtMs } of decision.windows) {
        expect(resetAtMs).toBeGreaterThan(nowMs);
        expect(resetAtMs).toBeLessThanOrEqual(nowMs + seconds * 1000);
        const span = `${name} until ${resetAtMs}`;
        const total = (admitted.get(span) ?? 0) + (decision.allowed ? 1 : 0);
        admitted.set(span, total);
        expect(remaining).toBe(limit - total);
      }
      expect(decision.allowed || decision.binding.remaining === 0).toBe(true);
      if (!decision.allowed) {
        // A second limiter in the same state is asked at the reset, which keeps this one on schedule.
        expect(allowedAtReset(schedule, subjects, nowMs, decision.binding.resetAtMs)).toBe(true);
      }
    }
  }
}

function allowedAtReset(
  schedule: ReadonlyArray<{ waitMs: number; asks: number }>,
  subjects: ReadonlyArray<{ key: string; windows: readonly WindowLimit[] }>,
  untilMs: number,
  resetAtMs: number,
): boolean {
  const replayed = new MemoryLimiter();
  let nowMs = 1_000_000;
  for (const { waitMs, asks } of schedule) {
    nowMs += waitMs;
    for (let count = 0; count < asks && nowMs <= untilMs; count += 1) {
      replayed.take({ subjects, nowMs, enforce: true });
    }
  }
  return replayed.take({ subjects, nowMs: resetAtMs, enforce: true }).allowed;
}
