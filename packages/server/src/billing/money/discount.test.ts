import { expect, it } from 'vitest';
import { type CouponTerms, discountOf, isInForce } from './periods.ts';

const QUARTER: CouponTerms = { percent_off: 25, amount_off: null, duration: 'forever', duration_months: null };
const FIFTY: CouponTerms = { percent_off: null, amount_off: 5_000, duration: 'forever', duration_months: null };

it('nothing is discounted without a coupon', () => {
  expect(discountOf(null, 0, 2_900n)).toBe(0n);
});

it('a percentage is rounded once, half away from zero', () => {
  expect(discountOf(QUARTER, 0, 2_900n)).toBe(725n);
  expect(discountOf(QUARTER, 0, 2n)).toBe(1n);
  expect(discountOf(QUARTER, 0, 1n)).toBe(0n);
  expect(discountOf({ ...QUARTER, percent_off: 100 }, 0, 2_901n)).toBe(2_901n);
});

it('a fixed amount is never more than the price', () => {
  expect(discountOf(FIFTY, 0, 29_000n)).toBe(5_000n);
  expect(discountOf(FIFTY, 0, 4_999n)).toBe(4_999n);
  expect(discountOf(FIFTY, 0, 0n)).toBe(0n);
});

it('a coupon applies to the first period if once, to several if repeating, and to all if forever', () => {
  const inForce = (terms: CouponTerms) => [0, 1, 2, 3, 1_200].filter((index) => isInForce(terms, index));
  expect(inForce({ ...QUARTER, duration: 'once' })).toEqual([0]);
  expect(inForce({ ...QUARTER, duration: 'repeating', duration_months: 3 })).toEqual([0, 1, 2]);
  expect(inForce(QUARTER)).toEqual([0, 1, 2, 3, 1_200]);
  expect(discountOf({ ...FIFTY, duration: 'once' }, 1, 29_000n)).toBe(0n);
});
