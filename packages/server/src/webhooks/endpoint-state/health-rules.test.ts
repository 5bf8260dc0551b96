import { describe, expect, it } from 'vitest';
import { type Health, healthAfter, mustBeDisabled, NEW_ENDPOINT, type Outcome } from './health-rules.ts';

const DAY_MS = 86_400_000;
const AT = new Date('2026-01-31T12:00:00Z');
const SUCCESS: Outcome = { succeeded: true, wasAnswered: true, durationMs: 20, endedAt: AT, isOfSchedule: true };
const FAILURE: Outcome = { ...SUCCESS, succeeded: false };
const after = (health: Health, ...outcomes: Outcome[]) => outcomes.reduce(healthAfter, health);
const times = (count: number, outcome: Outcome) => Array.from({ length: count }, () => outcome);

describe('an endpoint', () => {
  it('starts with ten attempts in flight and gets more with each fast response, up to a limit', () => {
    const limits = [0, 1, 2, 3, 4].map((count) => after(NEW_ENDPOINT, ...times(count, SUCCESS)).inFlightLimit);
    expect(limits).toEqual([10, 20, 40, 64, 64]);
  });

  it('is on the fast lane after five fast responses in a row, and stays there while it responds fast', () => {
    const lanes = [4, 5, 6].map((count) => after(NEW_ENDPOINT, ...times(count, SUCCESS)).isSlow);
    expect(lanes).toEqual([true, false, false]);
    const proven = after(NEW_ENDPOINT, ...times(5, SUCCESS));
    expect(after(proven, FAILURE, FAILURE, SUCCESS).isSlow).toBe(false);
  });

  it('that fails three times in a row, or takes two seconds once, has to prove itself again', () => {
    const proven = after(NEW_ENDPOINT, ...times(6, SUCCESS));
    const slow = { ...SUCCESS, durationMs: 2_000 };
    for (const fallen of [after(proven, ...times(3, FAILURE)), after(proven, slow)]) {
      expect(fallen).toMatchObject({ inFlightLimit: 10, isSlow: true });
      expect(after(fallen, ...times(4, SUCCESS)).isSlow).toBe(true);
      expect(after(fallen, ...times(5, SUCCESS)).isSlow).toBe(false);
    }
    expect(after(proven, { ...FAILURE, durationMs: 15_000 }).isSlow).toBe(true);
  });

  it('is disabled after five days of nothing but failures and at least 20 of them', () => {
    const failing = after(NEW_ENDPOINT, ...times(20, FAILURE));
    expect(mustBeDisabled(failing, new Date(AT.getTime() + 5 * DAY_MS))).toBe(true);
    expect(mustBeDisabled(failing, new Date(AT.getTime() + 5 * DAY_MS - 1))).toBe(false);
    expect(mustBeDisabled(after(NEW_ENDPOINT, ...times(19, FAILURE)), new Date(AT.getTime() + 9 * DAY_MS))).toBe(false);
    expect(mustBeDisabled(after(failing, SUCCESS), new Date(AT.getTime() + 9 * DAY_MS))).toBe(false);
  });

  it('is silent while its last attempt got no response', () => {
    const silence = { ...FAILURE, wasAnswered: false };
    const silent = [[silence], [silence, FAILURE], [FAILURE, silence], [silence, SUCCESS]].map(
      (outcomes) => after(NEW_ENDPOINT, ...outcomes).isSilent,
    );
    expect(silent).toEqual([true, false, true, false]);
  });

  it('is not judged by manual attempts, unless they succeed', () => {
    const byHand = { ...FAILURE, isOfSchedule: false };
    expect(after(NEW_ENDPOINT, ...times(30, byHand))).toMatchObject({ failuresInRow: 0, failingSince: null });
    expect(after(NEW_ENDPOINT, FAILURE, { ...SUCCESS, isOfSchedule: false }).failingSince).toBeNull();
  });
});
