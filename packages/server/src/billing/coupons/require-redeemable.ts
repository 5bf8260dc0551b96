import type { Queries } from '../../database/index.ts';
import type { CouponRow } from './coupon-row.ts';
import { couponRefusal } from './judge-coupon.ts';
import { countRedemptions } from './queries.ts';

/** Throws validation_failed if the organization has used up its redemptions of the coupon. Its account is locked. */
export async function requireRedeemable(tx: Queries, organizationId: string, coupon: CouponRow): Promise<void> {
  const limit = coupon.max_redemptions_per_organization;
  const { redemptions } = await countRedemptions(tx, { organizationId, couponId: coupon.id, limit });
  if (redemptions >= limit) {
    throw couponRefusal('already_redeemed', 'Your organization has already redeemed this coupon as often as allowed.');
  }
}
