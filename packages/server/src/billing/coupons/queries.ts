import { count, maybeOne, one, statement } from '../../database/index.ts';
import type { CouponTerms } from '../money/periods.ts';
import type { AppliedCoupon } from '../schemas.ts';

/** A coupon as stored. */
export interface CouponRow extends CouponTerms {
  id: string;
  /** In upper case. */
  code: string;
  currency: string | null;
  redeem_by: Date | null;
  max_redemptions: number | null;
  /** How many of an organization's subscriptions can have it. */
  max_redemptions_per_organization: number;
  redemptions: number;
  /** No longer in the catalogue: it cannot be redeemed, and subscriptions that have it keep it. */
  is_archived: boolean;
}

/** The columns of a CouponRow. */
export const COUPON_COLUMNS = `id, code, percent_off, amount_off, currency, duration, duration_months, redeem_by,
  max_redemptions, max_redemptions_per_organization, redemptions, archived_at is not null as is_archived`;

/**
 * The coupon with this code, in any case, archived or not. Codes are stored in upper case, so one index finds them however
 * they are typed; the index is in the default order.
 */
export const findCoupon = statement({
  name: 'find_coupon_by_code',
  parameters: { code: 'text' },
  returns: maybeOne<CouponRow>(),
  sql: ({ code }) => `select ${COUPON_COLUMNS} from coupons where code = upper(${code} collate "C") collate "default"`,
});

/** A coupon, archived or not. */
export const findCouponById = statement({
  name: 'find_coupon',
  parameters: { couponId: 'text' },
  returns: maybeOne<CouponRow>(),
  sql: ({ couponId }) => `select ${COUPON_COLUMNS} from coupons where id = ${couponId}`,
});

/**
 * Takes one redemption; none if the last one was taken in the meantime or the coupon was archived. From then on, the
 * coupon's discount is fixed until the redemption is released, so read the discount after this, not before.
 */
export const updateCouponRedeemed = statement({
  name: 'update_coupon_redeemed',
  parameters: { couponId: 'text' },
  returns: count(),
  sql: ({ couponId }) => `update coupons set redemptions = redemptions + 1
    where id = ${couponId} and archived_at is null and (max_redemptions is null or redemptions < max_redemptions)`,
});

/** Releases the redemption of an order that failed. */
export const updateCouponReleased = statement({
  name: 'update_coupon_released',
  parameters: { couponId: 'text' },
  sql: ({ couponId }) => `update coupons set redemptions = redemptions - 1 where id = ${couponId} and redemptions > 0`,
});

/**
 * How often an organization has redeemed a coupon, up to `limit`, including orders that are being paid. An unpaid
 * subscription has released its redemption: it ended and never had a license. The account is locked.
 */
export const countRedemptions = statement({
  name: 'count_redemptions_of_organization',
  parameters: { organizationId: 'text', couponId: 'text', limit: 'integer' },
  returns: one<{ redemptions: number }>(),
  sql: ({ organizationId, couponId, limit }) => `select count(*)::int as redemptions from (
      select id from subscriptions
      where organization_id = ${organizationId} and coupon_id = ${couponId}
        and (ended_at is null or license_id is not null)
      union all
      select id from payments
      where organization_id = ${organizationId} and settled_at is null and invoice_id is null
        and intent ->> 'couponId' = ${couponId}
      limit ${limit}
    ) redeemed`,
});

/** A coupon as a subscription shows it. How often it was redeemed is for the operator only. */
export function presentCoupon(row: CouponRow): AppliedCoupon {
  const { id, code, percent_off, amount_off, currency, duration, duration_months } = row;
  return { id, code, percent_off, amount_off, currency, duration, duration_months };
}
