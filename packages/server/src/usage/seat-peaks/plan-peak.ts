/** A range of time, in milliseconds since 1970: from inclusive, until exclusive. */
export interface TimeRange {
  fromMs: number;
  untilMs: number;
}

/** A part of a counted hour, read session by session, beginning with those active when the hour began. */
export interface PartOfHour extends TimeRange {
  hourMs: number;
}

/** Where to find the peak of a period. The parts do not overlap and cover the period so far. */
export interface PeakPlan {
  /** Counted whole hours. */
  hours: TimeRange | undefined;
  /** The counted hours that are only partly in the period. */
  parts: PartOfHour[];
  /** The part not counted yet; without an end if it reaches the present. */
  open: { fromMs: number; untilMs: number | undefined } | undefined;
}

/**
 * Decides which parts are read from hours and which session by session. `markMs` is the end of the last counted hour.
 */
export function planPeak(period: TimeRange, nowMs: number, markMs: number | undefined): PeakPlan {
  const { fromMs } = period;
  const isOpen = period.untilMs > nowMs;
  const untilMs = isOpen ? undefined : period.untilMs;
  if (markMs === undefined || markMs <= fromMs) {
    return { hours: undefined, parts: [], open: { fromMs, untilMs } };
  }
  const closedUntilMs = untilMs === undefined ? markMs : Math.min(markMs, untilMs);
  const firstMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const lastMs = Math.floor(closedUntilMs / HOUR_MS) * HOUR_MS;
  return {
    hours: firstMs < lastMs ? { fromMs: firstMs, untilMs: lastMs } : undefined,
    parts: [
      { hourMs: firstMs - HOUR_MS, fromMs, untilMs: Math.min(firstMs, closedUntilMs) },
      { hourMs: lastMs, fromMs: Math.max(firstMs, lastMs), untilMs: closedUntilMs },
    ].filter((part) => part.fromMs < part.untilMs),
    open: untilMs === undefined || markMs < untilMs ? { fromMs: markMs, untilMs } : undefined,
  };
}

export const HOUR_MS = 3_600_000;
