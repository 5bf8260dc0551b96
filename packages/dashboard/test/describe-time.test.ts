import { expect, it } from 'vitest';
import { describeTime } from '../src/ui/describe-time.ts';

const NOON = Date.parse('2026-01-31T12:00:00.000Z');

it.each([
  [40, 'this minute'],
  [59.999, 'this minute'],
  [-1, '1 min. ago'],
  [60, 'in 1 min.'],
  [-3_600, '1 hr. ago'],
  [-86_400, 'yesterday'],
])('a time %d seconds from the current minute reads "%s"', (seconds, text) => {
  expect(describeTime(new Date(NOON + seconds * 1000), NOON, 'en')).toBe(text);
});

it('a time more than a week away is shown as a date', () => {
  expect(describeTime(new Date('2026-01-01T12:00:00.000Z'), NOON, 'en')).toBe('Jan 1, 2026');
});
