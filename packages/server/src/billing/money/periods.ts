import { divideRounded, roundToUnit } from './amounts.ts';

// --- Periods ---

/** A billing period: from `startMs` (inclusive) to `endMs` (exclusive). Milliseconds since 1970, whole seconds. */
export interface Period {
  index: number;
  startMs: number;
  endMs: number;
}

/**
 * Period `index` of a subscription: calendar months of UTC from the anchor's day, which is clamped to the length of
 * each month separately (31 January, 28 February, 31 March). It depends only on the anchor, so short months do not
 * shift later periods.
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
  // Day 0 of the month after is the last day of the month: unlike setUTCMonth, this cannot overflow.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(anchor.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (anchorMs - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate()));
}

// --- Proration ---

/** The cost of a period so far, and the amount billed for it, less the credits for decreases. */
export interface Accrual {
  /** Milliseconds since 1970, whole seconds. */
  startMs: number;
  endMs: number;
  /** Minor units times seconds; divide by the length of the period to get the cost. */
  accrued: bigint;
  /** Minor units. */
  billed: bigint;
  /** The step in which the currency can be charged, in minor units; 1 by default. */
  unit?: bigint;
}

/** The cost of a change for the rest of its period. */
export interface Proration {
  /** Billed if positive, credited if negative; minor units. */
  amount: bigint;
  /** The accrual after that. */
  accrual: Accrual;
}

/** A whole period that is billed in advance. */
export function accrueWholePeriod(period: { startMs: number; endMs: number }, amount: bigint): Accrual {
  const { startMs, endMs } = period;
  return { startMs, endMs, accrued: amount * secondsBetween(startMs, endMs), billed: amount };
}

/**
 * A change of the price of a whole period from `before` to `after` (minor units, net of discounts), in force from
 * `atMs` to the end of the period, to the second. The billed amount is the difference between the rounded cumulative
 * cost and what was already billed, so the error stays within half a unit of the currency regardless of the number of
 * changes (contract §8).
 */
export function prorateChange(accrual: Accrual, atMs: number, before: bigint, after: bigint): Proration {
  const rest = secondsBetween(clamp(atMs, accrual.startMs, accrual.endMs), accrual.endMs);
  const accrued = accrual.accrued + (after - before) * rest;
  const amount = unbilledAmountOf({ ...accrual, accrued });
  return { amount, accrual: { ...accrual, accrued, billed: accrual.billed + amount } };
}

/** The cost of the period that was not billed, because it was too small to charge separately. Minor units. */
export function unbilledAmountOf({ startMs, endMs, accrued, billed, unit = 1n }: Accrual): bigint {
  // Amounts billed before the currency had a unit may not be multiples of it; new amounts always are.
  return roundToUnit(divideRounded(accrued, secondsBetween(startMs, endMs), unit) - billed, unit);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Only whole seconds count: a change within the first second of a period counts as made at its beginning. */
function secondsBetween(fromMs: number, toMs: number): bigint {
  return BigInt(Math.floor(toMs / 1000)) - BigInt(Math.floor(fromMs / 1000));
}

// --- Discounts ---

/** The discount of a coupon, and its duration. */
export interface CouponTerms {
  /** 1 to 100; null with a fixed amount. */
  percent_off: number | null;
  /** In minor units; null with a percentage. */
  amount_off: number | null;
  duration: 'once' | 'repeating' | 'forever';
  /** Calendar months of a repeating coupon. */
  duration_months: number | null;
}

/** Whether the coupon counts in the period: it was redeemed at the beginning of period 0, and periods are calendar months. */
export function isInForce(terms: CouponTerms, periodIndex: number): boolean {
  switch (terms.duration) {
    case 'once':
      return periodIndex === 0;
    case 'repeating':
      return periodIndex < (terms.duration_months ?? 0);
    case 'forever':
      return true;
  }
}

/**
 * The discount on a whole period's price, in minor units: rounded half away from zero once, to a multiple of the
 * currency's `unit`, and never more than the price.
 */
export function discountOf(terms: CouponTerms | null, periodIndex: number, price: bigint, unit = 1n): bigint {
  if (terms === null || !isInForce(terms, periodIndex)) {
    return 0n;
  }
  const off =
    terms.percent_off === null
      ? roundToUnit(BigInt(terms.amount_off ?? 0), unit)
      : divideRounded(price * BigInt(terms.percent_off), 100n, unit);
  return off > price ? price : off;
}
