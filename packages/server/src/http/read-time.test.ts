import { describe, expect, it } from 'vitest';
import { isDay, readTime } from './read-time.ts';

describe('a time in a query', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2026-01-31t12:00:00.123456789z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31 12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
    // The plus sign was not percent-encoded.
    ['2026-01-31T12:00:00 02:00', '2026-01-31T10:00:00.000Z'],
  ])('is accepted: %s', (text, instant) => {
    expect(new Date(readTime(text)).toISOString()).toBe(instant);
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T12:00:00+02:00',
    '2026-01-00T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T23:59:60Z',
    '2026-01-31T12:00:00',
    '2026-01-31',
    '2026-01-31T12:00:00+99:00',
    '+012026-01-31T12:00:00Z',
    '',
  ])('is refused: %s', (text) => {
    expect(readTime(text)).toBeNaN();
  });
});

describe('a day', () => {
  it.each([
    ['2026-01-31', true],
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2026-1-31', false],
    ['2026-01-31T00:00:00Z', false],
  ])('is a calendar day: %s', (text, isOne) => {
    expect(isDay(text)).toBe(isOne);
  });
});
