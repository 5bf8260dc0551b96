import { expect, it } from 'vitest';
import { anchorAt, periodAt } from './periods.ts';

function startsFrom(anchor: string, indexes: readonly number[]): string[] {
  return indexes.map((index) => new Date(periodAt(Date.parse(anchor), index).startMs).toISOString().slice(0, 10));
}

it('an anchor on the 31st is clamped in each short month and comes back', () => {
  expect(startsFrom('2027-01-31T12:34:56Z', [0, 1, 2, 3, 4, 13, 14])).toEqual([
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
    '2027-05-31',
    '2028-02-29',
    '2028-03-31',
  ]);
});

it('an anchor on the 29th of February is the 28th in other years, and the 29th in the next leap year', () => {
  expect(startsFrom('2096-02-29T00:00:00Z', [0, 1, 12, 24, 48, 96])).toEqual([
    '2096-02-29',
    '2096-03-29',
    '2097-02-28',
    '2098-02-28',
    '2100-02-28',
    '2104-02-29',
  ]);
});

it('the last second of 2099 is followed by a month of the next century', () => {
  const anchor = Date.parse('2099-12-31T23:59:59Z');
  expect(periodAt(anchor, 0)).toEqual({ index: 0, startMs: anchor, endMs: Date.parse('2100-01-31T23:59:59Z') });
});

it('a period ends where the next one starts, at the same time of day', () => {
  const { startMs, endMs } = periodAt(Date.parse('2026-01-31T12:34:56Z'), 7);
  expect(new Date(startMs).toISOString()).toBe('2026-08-31T12:34:56.000Z');
  expect(new Date(endMs).toISOString()).toBe('2026-09-30T12:34:56.000Z');
});

it('a subscription starts with the second of its creation', () => {
  expect(anchorAt(1_769_860_800_999)).toBe(1_769_860_800_000);
});
