import type { TimeRange } from './plan-peak.ts';
import { HOUR_MS } from './plan-peak.ts';
import type { CountingRow } from './queries.ts';

/**
 * How long after its end an hour is counted. A request reads the clock and commits a moment later, so an hour is not
 * complete immediately; no request takes nearly as long.
 */
const SETTLED_AFTER_MS = 5 * 60_000;
/** How far back the first count goes: farther than any period that is still read. */
const REACH_MS = 100 * 24 * HOUR_MS;
/** The mark of an organization without usage is moved once a day. */
const IDLE_MS = 24 * HOUR_MS;
/** At most a week at a time, so that catching up after a long outage takes statements of bounded size. */
const MOST_MS = 7 * 24 * HOUR_MS;

/** The whole hours to count next; undefined if there are none. */
export function nextHours(row: CountingRow): TimeRange | undefined {
  const settledMs = Math.floor((row.now_ms - SETTLED_AFTER_MS) / HOUR_MS) * HOUR_MS;
  const fromMs = row.counted_until_ms ?? firstHour(row, settledMs);
  if (fromMs === undefined || fromMs >= settledMs) {
    return undefined;
  }
  if (row.is_busy || row.counted_until_ms === null) {
    return { fromMs, untilMs: Math.min(settledMs, fromMs + MOST_MS) };
  }
  return settledMs - fromMs < IDLE_MS ? undefined : { fromMs, untilMs: settledMs };
}

function firstHour({ first_ms: firstMs }: CountingRow, settledMs: number): number | undefined {
  if (firstMs === null) {
    return undefined;
  }
  return Math.max(Math.floor(firstMs / HOUR_MS) * HOUR_MS, settledMs - REACH_MS);
}
