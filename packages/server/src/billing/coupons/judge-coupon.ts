import { type ApiError, httpError } from '../../http/index.ts';
import type { CouponRow } from './coupon-row.ts';

/** What a coupon is to be redeemed for. */
interface Redemption {
  /** Of the plan. */
  currency: string;
  /** The organization's clock. */
  nowMs: number;
}

/**
 * Whether the code can be redeemed now. Throws validation_failed with the reason `unknown`, `ended`, `used_up` or
 * `currency`. The last word on the number of redemptions has `redeemCoupon`.
 */
export function judgeCoupon(
  coupon: CouponRow | undefined,
  { currency, nowMs }: Redemption,
): asserts coupon is CouponRow {
  if (coupon === undefined) {
    throw couponRefusal('unknown', 'No such coupon.');
  }
  if (coupon.is_archived || (coupon.redeem_by !== null && coupon.redeem_by.getTime() <= nowMs)) {
    throw couponRefusal('ended', 'This coupon can no longer be redeemed.');
  }
  if (coupon.max_redemptions !== null && coupon.redemptions >= coupon.max_redemptions) {
    throw couponRefusal('used_up', 'This coupon has reached its redemption limit.');
  }
  if (coupon.currency !== null && coupon.currency !== currency) {
    throw couponRefusal('currency', `This coupon applies only to plans priced in ${coupon.currency}.`);
  }
}

/** Why a code cannot be redeemed. */
export function couponRefusal(
  reason: 'unknown' | 'ended' | 'used_up' | 'already_redeemed' | 'currency',
  message: string,
): ApiError {
  return httpError('validation_failed', message, { details: { field: 'coupon_code', reason } });
}
