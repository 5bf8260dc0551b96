import { describe, expect, test } from 'vitest';
import { parseRateLimits, SANDBOX_MULTIPLIER } from './policies.ts';
import type { WindowLimit } from './windows.ts';

describe('SEATHOLD_RATE_LIMITS', () => {
  test('applies the published numbers with "on"', () => {
    const limits = accepted('on', 1);
    expect(limits.enforce).toBe(true);
    expect(numbers(limits.tiers.free)).toEqual(['minute 60/60', 'hour 1000/3600', 'day 10000/86400']);
    expect(numbers(limits.tiers.pro)).toEqual(['minute 300/60', 'hour 10000/3600', 'day 100000/86400']);
    expect(numbers(limits.tiers.enterprise)).toEqual(['minute 1000/60', 'hour 50000/3600', 'day 500000/86400']);
    expect(Object.values(limits.endpoints).flatMap(numbers)).toEqual([
      'login 10/60',
      'login-account 10/60',
      'register 5/60',
      'password-forgot 5/60',
      'password-reset 10/60',
      'activate 10/60',
      'device 10/60',
      'acquire 20/60',
      'heartbeat 30/60',
      'release 30/60',
      'wait 90/60',
      'create-webhook 10/3600',
      'replay-webhook 20/3600',
    ]);
  });

  test('keeps the numbers and refuses nothing with "off"', () => {
    const limits = accepted(' off ', 1);
    expect(limits.enforce).toBe(false);
    expect(numbers(limits.tiers.free)).toEqual(numbers(accepted('on', 1).tiers.free));
  });

  test('changes only what its JSON names, and the sandbox has ten times each number', () => {
    const text = '{"tiers": {"free": {"minute": 7}}, "endpoints": {"login": 3}}';
    const limits = accepted(text, SANDBOX_MULTIPLIER);
    expect(limits.enforce).toBe(true);
    expect(numbers(limits.tiers.free)).toEqual(['minute 70/60', 'hour 10000/3600', 'day 100000/86400']);
    expect(numbers(limits.tiers.pro)[0]).toBe('minute 3000/60');
    expect(numbers(limits.endpoints.login)).toEqual(['login 30/60']);
    expect(numbers(limits.endpoints.acquire)).toEqual(['acquire 200/60']);
    expect(numbers(limits.endpoints['replay-webhook'])).toEqual(['replay-webhook 200/3600']);
  });

  test.each([
    ['yes', ['must be "on", "off" or a JSON object']],
    ['', ['must be "on", "off" or a JSON object']],
    ['{"tiers": ', ['must be "on", "off" or a JSON object']],
    ['[]', ['the JSON must be an object']],
    ['null', ['the JSON must be an object']],
    ['{"tier": {}}', ['the JSON has no "tier"; known are tiers, endpoints']],
    ['{"tiers": {"free": 5}}', ['tiers.free must be an object']],
    ['{"tiers": {"gold": {}}}', ['tiers has no "gold"; known are free, pro, enterprise']],
    ['{"tiers": {"__proto__": {"minute": 1}}}', ['tiers has no "__proto__"; known are free, pro, enterprise']],
    [
      '{"tiers": {"pro": {"minute": 0, "hour": 1.5}}, "endpoints": {"login": "9"}}',
      [
        'tiers.pro.minute must be a whole number from 1 to 1000000000',
        'tiers.pro.hour must be a whole number from 1 to 1000000000',
        'endpoints.login must be a whole number from 1 to 1000000000',
      ],
    ],
  ])('is refused with an explanation: %s', (text, problems) => {
    expect(parseRateLimits(text, 1)).toEqual({ ok: false, problems });
  });
});

function accepted(text: string, multiplier: number) {
  const parsed = parseRateLimits(text, multiplier);
  if (!parsed.ok) {
    throw new Error(parsed.problems.join());
  }
  return parsed.limits;
}

function numbers(windows: readonly WindowLimit[]): string[] {
  return windows.map(({ name, limit, seconds }) => `${name} ${limit}/${seconds}`);
}
