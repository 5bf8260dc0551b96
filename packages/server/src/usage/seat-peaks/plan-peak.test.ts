import { describe, expect, it } from 'vitest';
import { HOUR_MS, planPeak } from './plan-peak.ts';

/** This many hours after some midnight. */
const at = (hours: number) => Date.parse('2026-03-01T00:00:00Z') + hours * HOUR_MS;
const period = (from: number, until: number) => ({ fromMs: at(from), untilMs: at(until) });

describe('planPeak', () => {
  it('reads everything session by session if no hour is counted', () => {
    for (const mark of [undefined, at(-5), at(2.5)]) {
      expect(planPeak(period(2.5, 700), at(10.5), mark)).toEqual({
        hours: undefined,
        parts: [],
        open: { fromMs: at(2.5), untilMs: undefined },
      });
    }
  });

  it('reads counted hours, the part of the first hour that the period cuts, and everything after the count', () => {
    expect(planPeak(period(2.5, 700), at(10.5), at(9))).toEqual({
      hours: { fromMs: at(3), untilMs: at(9) },
      parts: [{ hourMs: at(2), fromMs: at(2.5), untilMs: at(3) }],
      open: { fromMs: at(9), untilMs: undefined },
    });
  });

  it('cuts no hour if the period starts on one', () => {
    expect(planPeak(period(2, 700), at(10.5), at(9))).toEqual({
      hours: { fromMs: at(2), untilMs: at(9) },
      parts: [],
      open: { fromMs: at(9), untilMs: undefined },
    });
  });

  it('ends with a period that is over', () => {
    expect(planPeak(period(2.5, 7.5), at(10.5), at(9))).toEqual({
      hours: { fromMs: at(3), untilMs: at(7) },
      parts: [
        { hourMs: at(2), fromMs: at(2.5), untilMs: at(3) },
        { hourMs: at(7), fromMs: at(7), untilMs: at(7.5) },
      ],
      open: undefined,
    });
    expect(planPeak(period(2, 10), at(10.5), at(9))).toEqual({
      hours: { fromMs: at(2), untilMs: at(9) },
      parts: [],
      open: { fromMs: at(9), untilMs: at(10) },
    });
  });

  it('treats a period within one hour as one part', () => {
    expect(planPeak(period(2.25, 2.75), at(10), at(9))).toEqual({
      hours: undefined,
      parts: [{ hourMs: at(2), fromMs: at(2.25), untilMs: at(2.75) }],
      open: undefined,
    });
  });
});
