import { describe, expect, it } from 'vitest';
import { type Health, healthAfter, isGivenUp, NEW_ENDPOINT, type Outcome } from './health-rules.ts';

const DAY_MS = 86_400_000;
const AT = new Date('2026-01-31T12:00:00Z');
const SUCCESS: Outcome = { succeeded: true, durationMs: 20, endedAt: AT, isOfSchedule: true };
const FAILURE: Outcome = { ...SUCCESS, succeeded: false };
const after = (health: Health, ...outcomes: Outcome[]) => outcomes.reduce(healthAfter, health);
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe('an endpoint', () => {
  it('begins with one attempt at a time and doubles with each success, up to a bound', () => {
    const limits = [1, 2, 3, 4, 5, 6, 7].map((count) => after(NEW_ENDPOINT, ...times(count, SUCCESS)).inFlightLimit);
    expect(limits).toEqual([2, 4, 8, 16, 32, 32, 32]);
    expect(after(NEW_ENDPOINT, SUCCESS).isCautious).toBe(false);
  });

  it('that fails three times in a row gets one attempt at a time, on the cautious lane', () => {
    const proven = after(NEW_ENDPOINT, ...times(6, SUCCESS));
    expect(after(proven, ...times(2, FAILURE))).toMatchObject({ inFlightLimit: 8, isCautious: false });
    expect(after(proven, ...times(3, FAILURE))).toMatchObject({ inFlightLimit: 1, isCautious: true, failuresInRow: 3 });
    expect(after(proven, ...times(3, FAILURE), SUCCESS)).toMatchObject({ inFlightLimit: 2, isCautious: false });
  });

  it('that answers slowly keeps to the cautious lane, with a smaller bound', () => {
    const slow = { ...SUCCESS, durationMs: 2_000 };
    expect(after(NEW_ENDPOINT, ...times(9, slow))).toMatchObject({ inFlightLimit: 10, isCautious: true });
    expect(after(NEW_ENDPOINT, SUCCESS, { ...FAILURE, durationMs: 15_000 }).isCautious).toBe(true);
  });

  it('is given up after five days of nothing but failures and at least 20 of them', () => {
    const failing = after(NEW_ENDPOINT, ...times(20, FAILURE));
    expect(isGivenUp(failing, new Date(AT.getTime() + 5 * DAY_MS))).toBe(true);
    expect(isGivenUp(failing, new Date(AT.getTime() + 5 * DAY_MS - 1))).toBe(false);
    expect(isGivenUp(after(NEW_ENDPOINT, ...times(19, FAILURE)), new Date(AT.getTime() + 9 * DAY_MS))).toBe(false);
    expect(isGivenUp(after(failing, SUCCESS), new Date(AT.getTime() + 9 * DAY_MS))).toBe(false);
  });

  it('is not judged by what a person tries by hand, unless that succeeds', () => {
    const byHand = { ...FAILURE, isOfSchedule: false };
    expect(after(NEW_ENDPOINT, ...times(30, byHand))).toMatchObject({ failuresInRow: 0, failingSince: null });
    expect(after(NEW_ENDPOINT, FAILURE, { ...SUCCESS, isOfSchedule: false }).failingSince).toBeNull();
  });
});
