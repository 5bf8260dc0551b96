import { describe, expect, it } from 'vitest';
import { nextHours } from './counting-rules.ts';
import { HOUR_MS } from './plan-peak.ts';
import type { CountingRow } from './queries.ts';

const MIDNIGHT = Date.parse('2026-03-01T00:00:00Z');
const at = (hours: number) => MIDNIGHT + hours * HOUR_MS;

const row = (changes: Partial<CountingRow>): CountingRow => ({
  organization_id: 'org_1',
  clock_offset_ms: 0,
  now_ms: at(10.5),
  counted_until_ms: at(8),
  first_ms: null,
  is_busy: true,
  ...changes,
});

describe('nextHours', () => {
  it('counts complete hours, from the end of the last count', () => {
    expect(nextHours(row({}))).toEqual({ fromMs: at(8), untilMs: at(10) });
    expect(nextHours(row({ counted_until_ms: at(10) }))).toBeUndefined();
  });

  it('waits five minutes until an hour is settled', () => {
    expect(nextHours(row({ now_ms: at(10) + 299_999 }))).toEqual({ fromMs: at(8), untilMs: at(9) });
    expect(nextHours(row({ now_ms: at(10) + 300_000 }))).toEqual({ fromMs: at(8), untilMs: at(10) });
  });

  it('starts with the hour of the first session, and not before there is one', () => {
    const first = { counted_until_ms: null, is_busy: false };
    expect(nextHours(row({ ...first, first_ms: at(3.7) }))).toEqual({ fromMs: at(3), untilMs: at(10) });
    expect(nextHours(row({ ...first, first_ms: null }))).toBeUndefined();
    expect(nextHours(row({ ...first, first_ms: at(-24 * 500) }))?.fromMs).toBe(at(10 - 2400));
  });

  it('advances once a day if nothing is used, and a week at a time if much is', () => {
    const idle = { is_busy: false };
    expect(nextHours(row({ ...idle, counted_until_ms: at(-13) }))).toBeUndefined();
    expect(nextHours(row({ ...idle, counted_until_ms: at(-1000) }))).toEqual({ fromMs: at(-1000), untilMs: at(10) });
    expect(nextHours(row({ counted_until_ms: at(-1000) }))).toEqual({ fromMs: at(-1000), untilMs: at(-1000 + 168) });
  });
});
