import { divideRounded, roundToUnit } from './rounding.ts';

/** What a coupon takes off, and for how long. */
export interface CouponTerms {
  /** 1 to 100; null with a fixed amount. */
  percentOff: number | null;
  /** In minor units; null with a percentage. */
  amountOff: number | null;
  duration: 'once' | 'repeating' | 'forever';
  /** Calendar months of a repeating coupon. */
  durationMonths: number | null;
}

/** Whether the coupon counts in the period: it was redeemed at the beginning of period 0, and periods are calendar months. */
export function isInForce(terms: CouponTerms, periodIndex: number): boolean {
  switch (terms.duration) {
    case 'once':
      return periodIndex === 0;
    case 'repeating':
      return periodIndex < (terms.durationMonths ?? 0);
    case 'forever':
      return true;
  }
}

/**
 * What is taken off a whole period's price, in minor units: rounded half away from zero once, to a multiple of the
 * currency's `unit`, and never more than the price.
 */
export function discountOf(terms: CouponTerms | undefined, periodIndex: number, price: bigint, unit = 1n): bigint {
  if (terms === undefined || !isInForce(terms, periodIndex)) {
    return 0n;
  }
  const off =
    terms.percentOff === null
      ? roundToUnit(BigInt(terms.amountOff ?? 0), unit)
      : divideRounded(price * BigInt(terms.percentOff), 100n, unit);
  return off > price ? price : off;
}
