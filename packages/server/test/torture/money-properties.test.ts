import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divideRounded, roundToUnit } from '../../src/billing/money/amounts.ts';
import {
  type Accrual,
  accrueWholePeriod,
  discountOf,
  isInForce,
  type Period,
  periodAt,
  prorateChange,
} from '../../src/billing/money/periods.ts';
import {
  anchors,
  type Change,
  changedPeriods,
  check,
  coupons,
  holds,
  instantIn,
  instants,
  periods,
  prices,
  units,
} from './money-worlds.ts';

describe('rounding', () => {
  const numerators = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
  const denominators = fc.oneof(fc.bigInt({ min: 1n, max: 12n }), fc.bigInt({ min: 1n, max: 10n ** 8n }));

  it('is off by at most half a unit, away from zero at exactly half, and the same for credits as for debits', () =>
    holds(fc.tuple(numerators, denominators), ([numerator, denominator]) => {
      const rounded = divideRounded(numerator, denominator);
      const twiceTheError = absolute(2n * (rounded * denominator - numerator));
      check(twiceTheError <= denominator, 'within half a unit');
      check(
        twiceTheError < denominator || absolute(rounded * denominator) > absolute(numerator),
        'half is rounded away from zero',
      );
      check(divideRounded(-numerator, denominator) === -rounded, 'symmetric');
    }));

  it('to a unit gives a multiple of it, off by at most half a unit, and away from zero at exactly half', () =>
    holds(fc.tuple(numerators, denominators, units), ([numerator, denominator, unit]) => {
      const rounded = divideRounded(numerator, denominator, unit);
      const twiceTheError = absolute(2n * (rounded * denominator - numerator));
      check(rounded % unit === 0n, 'a multiple');
      check(twiceTheError <= denominator * unit, 'within half a unit');
      check(
        twiceTheError < denominator * unit || absolute(rounded * denominator) > absolute(numerator),
        'half is rounded away from zero',
      );
      check(divideRounded(-numerator, denominator, unit) === -rounded, 'symmetric');
      check(roundToUnit(rounded, unit) === rounded, 'rounding again changes nothing');
    }));
});

describe('proration', () => {
  it('bills the exact cost of the period within half a minor unit, however many and however large the changes', () =>
    holds(changedPeriods, ({ period, price, changes }) => {
      const { accruals, amounts } = prorateAll(period, price, changes);
      accruals.forEach((accrual, count) => {
        const { cost, length } = exactCost(period, price, changes.slice(0, count));
        check(absolute(2n * (accrual.billed * length - cost)) <= length, `exact after ${count} changes`);
        check(accrual.billed >= 0n, 'credits never exceed what was billed');
      });
      const total = amounts.reduce((sum, amount) => sum + amount, price);
      check(total === accruals.at(-1)?.billed, 'the reported amount is the stored one');
    }));

  it('bills multiples of the unit, and the exact cost within half of it, however many the changes', () =>
    holds(fc.tuple(changedPeriods, units), ([{ period, price, changes }, unit]) => {
      const stepped = changes.map((change) => ({ ...change, price: change.price * unit }));
      const { accruals, amounts } = prorateAll(period, price * unit, stepped, unit);
      check(
        amounts.every((amount) => amount % unit === 0n),
        'each amount can be charged',
      );
      accruals.forEach((accrual, count) => {
        const { cost, length } = exactCost(period, price * unit, stepped.slice(0, count));
        check(absolute(2n * (accrual.billed * length - cost)) <= length * unit, `exact after ${count} changes`);
      });
    }));

  it('bills multiples of the unit even if something else was billed before', () =>
    holds(fc.tuple(changedPeriods, units), ([{ period, price, changes }, unit]) => {
      const { amounts } = prorateAll(period, price, changes, unit);
      check(
        amounts.every((amount) => amount % unit === 0n),
        'each amount can be charged',
      );
    }));

  it('bills nothing for an increase and an equal decrease at one instant, whatever came before', () =>
    holds(fc.tuple(changedPeriods, prices), ([{ period, price, changes }, detour]) => {
      const { last, now } = prorateAll(period, price, changes);
      const atMs = changes.at(-1)?.atMs ?? period.startMs;
      const there = prorateChange(last, atMs, now, detour);
      const back = prorateChange(there.accrual, atMs, detour, now);
      check(there.amount + back.amount === 0n, 'there and back');
      expect(back.accrual).toEqual(last);
    }));

  it('bills the same for one change as for its steps, if all happen at one instant', () =>
    holds(fc.tuple(changedPeriods, prices, prices, prices), ([{ period, price, changes }, one, two, end]) => {
      const { last, now } = prorateAll(period, price, changes);
      const atMs = changes.at(-1)?.atMs ?? period.startMs;
      const whole = prorateChange(last, atMs, now, end);
      const first = prorateChange(last, atMs, now, one);
      const second = prorateChange(first.accrual, atMs, one, two);
      const third = prorateChange(second.accrual, atMs, two, end);
      check(first.amount + second.amount + third.amount === whole.amount, 'the sum of the steps');
      expect(third.accrual).toEqual(whole.accrual);
    }));

  it('bills the whole difference within the first second, and nothing at the end', () =>
    holds(fc.tuple(periods, prices, prices, fc.integer({ min: 0, max: 999 })), ([period, before, after, late]) => {
      const accrual = accrueWholePeriod(period, before);
      check(prorateChange(accrual, period.startMs + late, before, after).amount === after - before, 'whole');
      check(prorateChange(accrual, period.endMs, before, after).amount === 0n, 'nothing');
    }));

  it('never grows as the remaining time shrinks, and counts whole seconds only', () =>
    holds(fc.tuple(periods, prices, prices, instants, instants), ([period, one, two, share, other]) => {
      const [cheap, dear] = one < two ? [one, two] : [two, one];
      const [early, late] = share < other ? [share, other] : [other, share];
      const more = (atMs: number) => prorateChange(accrueWholePeriod(period, cheap), atMs, cheap, dear).amount;
      const less = (atMs: number) => prorateChange(accrueWholePeriod(period, dear), atMs, dear, cheap).amount;
      const [earlyMs, lateMs] = [instantIn(period, early), instantIn(period, late)];
      check(more(earlyMs) >= more(lateMs) && more(lateMs) >= 0n, 'a later increase costs no more');
      check(less(earlyMs) <= less(lateMs) && less(lateMs) <= 0n, 'a later decrease gives no more credit');
      check(more(earlyMs) === more(Math.floor(earlyMs / 1000) * 1000), 'incomplete seconds do not count');
      check(more(earlyMs) === -less(earlyMs), 'increase and decrease are symmetric');
    }));

  it('applies a coupon to the old and the new price, never to the difference', () =>
    holds(fc.tuple(periods, coupons, prices, prices, instants), ([period, coupon, one, two, share]) => {
      const index = 0;
      const net = (price: bigint) => price - discountOf(coupon, index, price);
      const atMs = instantIn(period, share);
      const whole = prorateChange(accrueWholePeriod(period, net(one)), period.startMs, net(one), net(two));
      check(whole.accrual.billed === net(two), 'a change at the start is like buying the new terms');
      const { amount } = prorateChange(accrueWholePeriod(period, net(one)), atMs, net(one), net(two));
      check(absolute(amount) <= absolute(two - one), 'a discount never makes a change more expensive');
      check(net(one) !== net(two) || amount === 0n, 'a change between equal prices costs nothing');
    }));
});

describe('periods', () => {
  it('follow each other without gap or overlap, on the anchor day or the last of a shorter month', () =>
    holds(fc.tuple(anchors, fc.integer({ min: 0, max: 1_200 })), ([anchor, index]) => {
      const period = periodAt(anchor, index);
      check(period.startMs < period.endMs, 'it has a length');
      check(period.endMs === periodAt(anchor, index + 1).startMs, 'the next one starts where it ends');
      const start = new Date(period.startMs);
      const began = new Date(anchor);
      const monthsSince = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
      check(monthsSince(start) === monthsSince(began) + index, 'one per calendar month');
      check(start.getUTCDate() === Math.min(began.getUTCDate(), daysInMonth(start)), 'the anchor day, or the last');
      check(period.startMs % 86_400_000 === anchor % 86_400_000, 'the same time of day');
    }));

  it('do not drift: a year later they start on the same day, except for 29 February', () =>
    holds(fc.tuple(anchors, fc.integer({ min: 0, max: 1_200 })), ([anchor, index]) => {
      const [start, later] = [
        new Date(periodAt(anchor, index).startMs),
        new Date(periodAt(anchor, index + 12).startMs),
      ];
      check(
        later.getUTCFullYear() === start.getUTCFullYear() + 1 && later.getUTCMonth() === start.getUTCMonth(),
        'month',
      );
      check(later.getUTCDate() === start.getUTCDate() || start.getUTCMonth() === 1, 'day');
    }));
});

describe('discounts', () => {
  it('are at most the price, never negative, exact within half a minor unit, and never smaller for a higher price', () =>
    holds(fc.tuple(coupons, prices, prices, fc.integer({ min: 0, max: 40 })), ([coupon, one, two, index]) => {
      const off = discountOf(coupon, index, one);
      check(off >= 0n && off <= one, 'between zero and the price');
      const [low, high] = one < two ? [one, two] : [two, one];
      check(discountOf(coupon, index, low) <= discountOf(coupon, index, high), 'monotone');
      check(low - discountOf(coupon, index, low) <= high - discountOf(coupon, index, high), 'more never costs less');
      if (!isInForce(coupon, index)) {
        check(off === 0n, 'zero after its duration');
      } else if (coupon.percent_off === null) {
        check(off === BigInt(coupon.amount_off ?? 0) || off === one, 'the amount, or the whole price');
      } else {
        check(absolute(2n * (off * 100n - one * BigInt(coupon.percent_off))) <= 100n, 'the percentage');
      }
    }));

  it('are multiples of the unit, and at most the price', () =>
    holds(fc.tuple(coupons, prices, units), ([coupon, price, unit]) => {
      const off = discountOf(coupon, 0, price * unit, unit);
      check(off % unit === 0n && off >= 0n && off <= price * unit, 'the remainder can be charged');
    }));

  it('apply from the first period without a break, for as long as their terms say', () =>
    holds(fc.tuple(coupons, fc.integer({ min: 0, max: 1_200 })), ([coupon, index]) => {
      const length = { once: 1, repeating: coupon.duration_months ?? 0, forever: Number.POSITIVE_INFINITY };
      check(isInForce(coupon, index) === index < length[coupon.duration], 'in force');
    }));
});

/** Settles the changes one after another. Returns the accrual after zero, one, two … of them. */
function prorateAll(period: Period, price: bigint, changes: readonly Change[], unit = 1n) {
  let last: Accrual = { ...accrueWholePeriod(period, price), unit };
  let now = price;
  const accruals: Accrual[] = [last];
  const amounts: bigint[] = [];
  for (const change of changes) {
    const { amount, accrual } = prorateChange(last, change.atMs, now, change.price);
    last = accrual;
    now = change.price;
    accruals.push(accrual);
    amounts.push(amount);
  }
  return { accruals, amounts, last, now };
}

/** The cost of the period, computed differently: each price times the seconds that it was in force. */
function exactCost(period: Period, price: bigint, changes: readonly Change[]): { cost: bigint; length: bigint } {
  const second = (ms: number) => BigInt(Math.floor(ms / 1000));
  let cost = 0n;
  let since = second(period.startMs);
  let inForce = price;
  for (const change of changes) {
    cost += inForce * (second(change.atMs) - since);
    since = second(change.atMs);
    inForce = change.price;
  }
  cost += inForce * (second(period.endMs) - since);
  return { cost, length: second(period.endMs) - second(period.startMs) };
}

function daysInMonth(date: Date): number {
  const isLeap = new Date(Date.UTC(date.getUTCFullYear(), 1, 29)).getUTCMonth() === 1;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][date.getUTCMonth()] ?? 0;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
