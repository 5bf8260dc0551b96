import { describe, expect, it } from 'vitest';
import { ApiError } from '../../http/index.ts';
import { type DemandQuery, parseDemandRange } from './demand-range.ts';

const NOW = Date.parse('2026-03-10T10:20:30.000Z');
const rangeOf = (query: DemandQuery) => {
  const { fromMs, untilMs } = parseDemandRange(query, NOW);
  return [new Date(fromMs).toISOString(), new Date(untilMs).toISOString()];
};
const refusalOf = (query: DemandQuery): unknown => {
  try {
    return rangeOf(query);
  } catch (error) {
    return error instanceof ApiError ? [error.code, error.details?.field, error.details?.reason] : error;
  }
};

describe('parseDemandRange', () => {
  it('defaults to the last seven days, up to the current minute', () => {
    expect(rangeOf({})).toEqual(['2026-03-03T10:00:00.000Z', '2026-03-10T10:21:00.000Z']);
    expect(rangeOf({ interval: 'day' })).toEqual(['2026-03-03T00:00:00.000Z', '2026-03-10T10:21:00.000Z']);
  });

  it('widens the range to whole hours or days', () => {
    const query = { from: '2026-03-01T01:30:00+01:00', to: '2026-03-02T00:00:01Z' };
    expect(rangeOf(query)).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-02T01:00:00.000Z']);
    expect(rangeOf({ ...query, interval: 'day' })).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-03T00:00:00.000Z']);
  });

  it('ends at the current time if the end is in the future', () => {
    const query = { from: '2026-03-10T10:00:00Z', to: '2026-03-11T00:00:00Z' };
    expect(rangeOf(query)).toEqual(['2026-03-10T10:00:00.000Z', '2026-03-10T10:21:00.000Z']);
  });

  it.each<[string, DemandQuery, readonly unknown[]]>([
    ['a time without a zone', { from: '2026-03-01T00:00:00' }, ['invalid_request', 'from', 'format']],
    ['a month that does not exist', { to: '2026-13-01T00:00:00Z' }, ['invalid_request', 'to', 'format']],
    ['a day that does not exist', { from: '2026-02-30T00:00:00Z' }, ['invalid_request', 'from', 'format']],
    [
      'an empty range',
      { from: '2026-03-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
      ['validation_failed', 'from', 'max'],
    ],
    [
      'a range in the future',
      { from: '2026-03-11T00:00:00Z', to: '2026-03-12T00:00:00Z' },
      ['validation_failed', 'from', 'max'],
    ],
    [
      'more than 31 days of hours',
      { from: '2026-02-07T10:20:29Z', to: '2026-03-10T10:20:30Z' },
      ['validation_failed', 'from', 'min'],
    ],
    [
      'more than 92 days of days',
      { from: '2025-12-01T00:00:00Z', to: '2026-03-10T00:00:00Z', interval: 'day' },
      ['validation_failed', 'from', 'min'],
    ],
    [
      'a time more than 92 days ago',
      { from: '2025-12-01T00:00:00Z', to: '2025-12-02T00:00:00Z' },
      ['validation_failed', 'from', 'min'],
    ],
  ])('refuses %s', (_what, query, expected) => {
    expect(refusalOf(query)).toEqual(expected);
  });

  it('accepts 31 days of hours and 92 days of days', () => {
    expect(refusalOf({ from: '2026-02-07T10:20:30Z' })).toEqual([
      '2026-02-07T10:00:00.000Z',
      '2026-03-10T10:21:00.000Z',
    ]);
    expect(rangeOf({ from: '2025-12-08T10:20:30Z', interval: 'day' })[0]).toBe('2025-12-08T00:00:00.000Z');
  });
});
