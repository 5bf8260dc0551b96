import { describe, expect, test } from 'vitest';
import { PollPace } from './poll-pace.ts';

const POLICY = '"minute";q=60;w=60, "hour";q=1000;w=3600, "day";q=10000;w=86400';

describe('the polling pace', () => {
  test('is one second at first, and if the service announces no limits', () => {
    const pace = new PollPace();
    expect(pace.intervalMs).toBe(1_000);
    pace.note(new Headers());
    expect([pace.intervalMs, pace.pageIntervalMs]).toEqual([1_000, 0]);
    expect(paceAt('"minute";r=31;t=60, "hour";r=999;t=3600, "day";r=9999;t=86400')).toBe(1_000);
  });

  test('leaves a quarter of the requests of the window that is nearest its limit', () => {
    expect(paceAt('"minute";r=30;t=30, "hour";r=999;t=3600, "day";r=9999;t=86400')).toBe(2_000);
    expect(paceAt('"minute";r=59;t=60, "hour";r=500;t=3000, "day";r=9500;t=80000')).toBe(12_000);
  });

  test('is never slower than half a minute', () => {
    expect(paceAt('"minute";r=59;t=60, "hour";r=0;t=3000, "day";r=0;t=80000')).toBe(30_000);
  });
});

function paceAt(standing: string): number {
  const pace = new PollPace();
  pace.note(new Headers({ 'RateLimit-Policy': POLICY, RateLimit: standing }));
  return pace.intervalMs;
}
