/** A billing period: from `startMs`, which is in it, to `endMs`, which begins the next. Milliseconds since 1970, whole seconds. */
export interface Period {
  index: number;
  startMs: number;
  endMs: number;
}

/**
 * Period `index` of a subscription: calendar months of UTC from the anchor's day, which is clamped to the length of each
 * month by itself (31 January, 28 February, 31 March). It depends on nothing but the anchor, so no day is ever lost by
 * stepping from one short month to the next.
 */
export function periodAt(anchorMs: number, index: number): Period {
  return { index, startMs: monthsAfter(anchorMs, index), endMs: monthsAfter(anchorMs, index + 1) };
}

/** The anchor of a subscription that begins now: its periods are whole seconds. */
export function anchorAt(nowMs: number): number {
  return Math.floor(nowMs / 1000) * 1000;
}

function monthsAfter(anchorMs: number, months: number): number {
  const anchor = new Date(anchorMs);
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  // Day 0 of the month after is the last day of the month: no overflow, as setUTCMonth would have.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(anchor.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (anchorMs - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate()));
}
