import type { Queries } from '../../database/index.ts';
import { type ApiError, httpError } from '../../http/index.ts';
import { type CouponRow, countRedemptions, findCoupon, findCouponById, updateCouponRedeemed } from './queries.ts';

/** Who redeems a coupon, and for what. */
export interface Redemption {
  organizationId: string;
  /** The code as typed. */
  code: string;
  /** Of the plan. */
  currency: string;
  /** The organization's clock. */
  nowMs: number;
}

/**
 * The coupon with this code. Throws validation_failed if the organization, whose account is locked, cannot redeem it now;
 * the reason is `unknown`, `ended`, `used_up`, `currency` or `already_redeemed`.
 */
export async function requireCoupon(tx: Queries, redemption: Redemption): Promise<CouponRow> {
  const { organizationId, code } = redemption;
  const coupon = await findCoupon(tx, { code });
  judgeCoupon(coupon, redemption);
  const limit = coupon.max_redemptions_per_organization;
  const { redemptions } = await countRedemptions(tx, { organizationId, couponId: coupon.id, limit });
  if (redemptions >= limit) {
    throw couponRefusal('already_redeemed', 'Your organization has already redeemed this coupon as often as allowed.');
  }
  return coupon;
}

/**
 * Takes one redemption. Throws validation_failed if the coupon was archived, or its last redemption taken, in the
 * meantime.
 */
export async function redeemCoupon(tx: Queries, coupon: CouponRow, nowMs: number): Promise<void> {
  if ((await updateCouponRedeemed(tx, { couponId: coupon.id })) === 0) {
    judgeCoupon(await findCouponById(tx, { couponId: coupon.id }), { currency: coupon.currency ?? '', nowMs });
    throw couponRefusal('used_up', 'This coupon has just reached its redemption limit.');
  }
}

/** Throws validation_failed if the coupon cannot be redeemed by anyone. `redeemCoupon` decides who gets the last one. */
export function judgeCoupon(
  coupon: CouponRow | undefined,
  { currency, nowMs }: Pick<Redemption, 'currency' | 'nowMs'>,
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

function couponRefusal(
  reason: 'unknown' | 'ended' | 'used_up' | 'already_redeemed' | 'currency',
  message: string,
): ApiError {
  return httpError('validation_failed', message, { details: { field: 'coupon_code', reason } });
}
