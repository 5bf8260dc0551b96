import type { CouponTerms } from '../money/discount.ts';
import type { AppliedCoupon } from '../schemas.ts';

/** A coupon as it is kept. */
export interface CouponRow {
  id: string;
  /** In upper case. */
  code: string;
  percent_off: number | null;
  /** In minor units of the currency. */
  amount_off: number | null;
  currency: string | null;
  duration: CouponTerms['duration'];
  duration_months: number | null;
  redeem_by: Date | null;
  max_redemptions: number | null;
  /** How many of an organization's subscriptions can have it. */
  max_redemptions_per_organization: number;
  redemptions: number;
  /** No longer in the catalogue: nobody can redeem it, those who did keep it. */
  is_archived: boolean;
}

/** What it takes off, for the computation of money. */
export function couponTermsOf(row: CouponRow): CouponTerms {
  return {
    percentOff: row.percent_off,
    amountOff: row.amount_off,
    duration: row.duration,
    durationMonths: row.duration_months,
  };
}

/** A coupon as a subscription shows it; how often it was redeemed is nobody's business but the operator's. */
export function presentCoupon(row: CouponRow): AppliedCoupon {
  const { id, code, percent_off, amount_off, currency, duration, duration_months } = row;
  return { id, code, percent_off, amount_off, currency, duration, duration_months };
}
