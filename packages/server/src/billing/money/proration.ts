import { divideRounded, roundToUnit } from './rounding.ts';

/** What a period costs by now, and what was billed for it, less the credits of decreases. */
export interface PeriodLedger {
  /** Milliseconds since 1970, whole seconds. */
  startMs: number;
  endMs: number;
  /** Minor units times seconds; divided by the length of the period it is the cost. */
  accrued: bigint;
  /** Minor units. */
  billed: bigint;
  /** The step in which the currency can be charged, in minor units; 1 where it is not given. */
  unit?: bigint;
}

/** The result of a change. */
export interface Settlement {
  /** To be billed when positive, to be credited when negative; minor units. */
  amount: bigint;
  /** The ledger as it is once that is done. */
  ledger: PeriodLedger;
}

/** A period that was billed in advance, whole. */
export function openLedger(period: { startMs: number; endMs: number }, amount: bigint): PeriodLedger {
  const { startMs, endMs } = period;
  return { startMs, endMs, accrued: amount * secondsBetween(startMs, endMs), billed: amount };
}

/**
 * A change of what a whole period would cost, from `before` to `after` (minor units, discounts taken off), in force from
 * `atMs` to the end of the period, to the second. Billed is the difference between the rounded cumulative cost and what
 * was billed already, so the error stays within half a unit of the currency however often something changes (contract §8).
 */
export function settleChange(ledger: PeriodLedger, atMs: number, before: bigint, after: bigint): Settlement {
  const rest = secondsBetween(clamp(atMs, ledger.startMs, ledger.endMs), ledger.endMs);
  const accrued = ledger.accrued + (after - before) * rest;
  const amount = unbilledOf({ ...ledger, accrued });
  return { amount, ledger: { ...ledger, accrued, billed: ledger.billed + amount } };
}

/** What the period has cost beyond what was billed: a rest that was too small to charge by itself. Minor units. */
export function unbilledOf({ startMs, endMs, accrued, billed, unit = 1n }: PeriodLedger): bigint {
  // Amounts billed before the currency had a unit may not be multiples of it; new amounts always are.
  return roundToUnit(divideRounded(accrued, secondsBetween(startMs, endMs), unit) - billed, unit);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Begun seconds do not count: a change within the first second of a period is one at its beginning. */
function secondsBetween(fromMs: number, toMs: number): bigint {
  return BigInt(Math.floor(toMs / 1000)) - BigInt(Math.floor(fromMs / 1000));
}
