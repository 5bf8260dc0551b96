import { describe, expect, test } from 'vitest';
import { resetAtSeconds, retryAfterSeconds, setRateLimitHeaders } from './headers.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import { parseRateLimits } from './policies.ts';
import type { Decision } from './windows.ts';

const parsed = parseRateLimits('on', 1);
if (!parsed.ok) {
  throw new Error(parsed.problems.join());
}
const { limits } = parsed;
const START_MS = 1_750_000_000_001;

describe('the rate-limit headers', () => {
  test('report the binding window, and all windows in the IETF pair', () => {
    const limiter = new MemoryLimiter();
    const subjects = [{ key: 'user', windows: limits.tiers.free }];
    const decision = limiter.take({ subjects, nowMs: START_MS, enforce: true });
    expect(headersOf(decision)).toEqual({
      'X-RateLimit-Limit': '60',
      'X-RateLimit-Remaining': '59',
      'X-RateLimit-Reset': '1750000061',
      'RateLimit-Policy': '"minute";q=60;w=60, "hour";q=1000;w=3600, "day";q=10000;w=86400',
      RateLimit: '"minute";r=59;t=60, "hour";r=999;t=3600, "day";r=9999;t=86400',
    });
  });

  test('name the windows of the endpoint as well, and when to retry after a refusal', () => {
    const limiter = new MemoryLimiter();
    const subjects = [
      { key: 'address', windows: limits.tiers.free },
      { key: 'register:address', windows: limits.endpoints.register },
    ];
    for (let count = 0; count < 5; count += 1) {
      limiter.take({ subjects, nowMs: START_MS, enforce: true });
    }
    const refused = limiter.take({ subjects, nowMs: START_MS + 17_500, enforce: true });
    expect(headersOf(refused)).toMatchObject({
      'X-RateLimit-Limit': '5',
      'X-RateLimit-Remaining': '0',
      'RateLimit-Policy': expect.stringMatching(/, "register";q=5;w=60$/),
      RateLimit: expect.stringMatching(/, "register";r=0;t=43$/),
      'Retry-After': '43',
    });
  });

  test('let a client continue that waits as long as they state, which is never less than a second', () => {
    const limiter = new MemoryLimiter();
    const subjects = [{ key: 'user', windows: [{ name: 'minute', limit: 1, seconds: 60 }] }];
    limiter.take({ subjects, nowMs: START_MS, enforce: true });
    for (const nowMs of [START_MS + 1, START_MS + 59_001, START_MS + 59_999]) {
      const refused = limiter.take({ subjects, nowMs, enforce: true });
      expect(retryAfterSeconds(refused)).toBeGreaterThanOrEqual(1);
      expect(nowMs + retryAfterSeconds(refused) * 1000).toBeGreaterThanOrEqual(refused.binding.resetAtMs);
      expect(resetAtSeconds(refused) * 1000).toBeGreaterThanOrEqual(refused.binding.resetAtMs);
    }
  });
});

function headersOf(decision: Decision): Record<string, string> {
  const headers: Record<string, string> = {};
  setRateLimitHeaders(decision, (name, value) => {
    headers[name] = value;
  });
  return headers;
}
