import { describe, expect, it } from 'vitest';
import { capacityFor, choosePortion, parseSpan } from './replay-rules.ts';

const NOW = new Date('2026-01-31T12:00:00.000Z');

describe('parseSpan', () => {
  it('ends now unless an earlier end is given', () => {
    const since = new Date('2026-01-30T00:00:00Z');
    const early = new Date('2026-01-31T00:00:00Z');
    expect(parseSpan(since.toISOString(), undefined, NOW)).toEqual({ since, until: NOW });
    expect(parseSpan(since.toISOString(), '2027-01-01T00:00:00Z', NOW)).toEqual({ since, until: NOW });
    expect(parseSpan(since.toISOString(), early.toISOString(), NOW)).toEqual({ since, until: early });
    expect(parseSpan(NOW.toISOString(), undefined, NOW)).toEqual({ since: NOW, until: NOW });
  });

  it.each([
    ['2026-02-01T00:00:00Z', undefined],
    ['2026-01-30T00:00:00Z', '2026-01-29T00:00:00Z'],
  ])('refuses a span from %s to %s', (since, until) => {
    expect(() => parseSpan(since, until, NOW)).toThrow('since must not be later than until');
  });

  it.each(['2026-06-30T23:59:60Z', '0000-12-31T00:00:00Z', '9999-12-31T23:59:59-12:00'])(
    'refuses %s, which is not a storable instant',
    (text) => {
      expect(() => parseSpan(text, undefined, NOW)).toThrow('since must be an ISO 8601 time');
    },
  );
});

describe('capacityFor', () => {
  it.each([
    [0, 0, false, 50],
    [2, 20, true, 30],
    [2, 50, true, 0],
    [3, 0, false, 1],
    [3, 0, true, 0],
    [3, 1, false, 0],
    [500, 0, false, 1],
  ])(
    'after %i failures in a row, with %i waiting and the last being attempted: %s, is %i',
    (failures, waiting, isLastTrying, room) => {
      expect(capacityFor(failures, { waiting, is_last_trying: isLastTrying }, 50)).toBe(room);
    },
  );
});

describe('choosePortion', () => {
  const candidate = (n: number, isAttempted = false) => ({
    id: `dlv_${n}`,
    created_at: new Date(n),
    is_attempted: isAttempted,
  });

  it('takes the first deliveries that fit, and stops at the last of them', () => {
    const portion = choosePortion(
      [1, 2, 3].map((n) => candidate(n)),
      2,
      3,
    );
    expect(portion).toEqual({
      deliveryIds: ['dlv_1', 'dlv_2'],
      position: { createdAt: new Date(2), id: 'dlv_2' },
      isLast: false,
    });
  });

  it('stops at the last one chosen, and skips already attempted ones only if there is nothing else', () => {
    const page = [candidate(1, true), candidate(2), candidate(3, true)];
    expect(choosePortion(page, 2, 3)).toEqual({
      deliveryIds: ['dlv_2'],
      position: { createdAt: new Date(2), id: 'dlv_2' },
      isLast: false,
    });
    expect(choosePortion([candidate(3, true), candidate(4, true)], 2, 2)).toEqual({
      deliveryIds: [],
      position: { createdAt: new Date(4), id: 'dlv_4' },
      isLast: false,
    });
  });

  it('is finished with the last page if all of it fits', () => {
    expect(choosePortion([candidate(1), candidate(2)], 2, 3)).toMatchObject({ isLast: true });
    expect(choosePortion([candidate(1), candidate(2)], 1, 3)).toMatchObject({ isLast: false });
    expect(choosePortion([], 1, 3)).toEqual({ deliveryIds: [], position: undefined, isLast: true });
  });
});
