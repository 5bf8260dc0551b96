import { expect, test } from 'vitest';
import { SeenEvents } from './seen-events.ts';

test('events that may be read again are remembered, and none that are older', () => {
  const seen = new SeenEvents();
  seen.add('evt_1', 1);
  seen.add('evt_2', 2);
  seen.forgetUntil(1);
  seen.add('evt_0', 0);
  expect(['evt_0', 'evt_1', 'evt_2'].map((id) => seen.has(id))).toEqual([false, false, true]);
  seen.forgetUntil(0);
  expect(seen.fromMs).toBe(1);
});

test('memory is bounded: too many events move the start of the next read forward', () => {
  const seen = new SeenEvents();
  for (let ms = 1; ms <= 200_001; ms += 1) {
    seen.add(`evt_${ms}`, ms);
  }
  expect(seen.fromMs).toBeGreaterThan(100_000);
  expect(seen.has(`evt_${seen.fromMs}`)).toBe(false);
  expect(seen.has(`evt_${seen.fromMs + 1}`)).toBe(true);
});
