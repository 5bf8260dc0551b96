import type { Queries, Statement } from '../../database/index.ts';
import type { CouponRow } from './coupon-row.ts';

export { type CouponRow, couponTermsOf, presentCoupon } from './coupon-row.ts';
export { judgeCoupon } from './judge-coupon.ts';

/** The columns of a CouponRow. */
export const COUPON_COLUMNS = `id, code, percent_off, amount_off, currency, duration, duration_months, redeem_by,
  max_redemptions, max_redemptions_per_organization, redemptions, archived_at is not null as is_archived`;

/** The coupon with this code in whatever case, an archived one as well; undefined when there is none. */
export async function findCoupon(database: Queries, code: string): Promise<CouponRow | undefined> {
  return (await database.query(FIND_COUPON_BY_CODE, [code]))[0];
}

/** A coupon, an archived one as well; undefined when there is none. */
export async function findCouponById(database: Queries, couponId: string): Promise<CouponRow | undefined> {
  return (await database.query(FIND_COUPON, [couponId]))[0];
}

/**
 * Takes one redemption; answers false when the last was taken meanwhile or the coupon was archived. From then on what the
 * coupon takes off is fixed until the redemption is given back: whoever computes with it reads it after this, not before.
 */
export async function redeemCoupon(tx: Queries, couponId: string): Promise<boolean> {
  return (await tx.query(REDEEM_COUPON, [couponId])).length > 0;
}

/** Gives a redemption back that bought nothing. */
export async function releaseCoupon(tx: Queries, couponId: string): Promise<void> {
  await tx.query(RELEASE_COUPON, [couponId]);
}

/** How often an organization has redeemed it, up to `limit`, orders that are being paid among them. Its account is locked. */
export async function countRedemptions(
  tx: Queries,
  organizationId: string,
  couponId: string,
  limit: number,
): Promise<number> {
  return (await tx.query(COUNT_REDEMPTIONS, [organizationId, couponId, limit]))[0]?.redemptions ?? 0;
}

/** An unpaid subscription has given its redemption back: it ended and never had a license. */
const COUNT_REDEMPTIONS: Statement<{ redemptions: number }> = {
  name: 'count_redemptions_of_organization',
  text: `select count(*)::int as redemptions from (
      select id from subscriptions
      where organization_id = $1 and coupon_id = $2 and (ended_at is null or license_id is not null)
      union all
      select id from payments
      where organization_id = $1 and settled_at is null and invoice_id is null and intent ->> 'couponId' = $2
      limit $3
    ) redeemed`,
};

/** Codes are kept in upper case, so that one index finds them however they are typed; it is in the default order. */
const FIND_COUPON_BY_CODE: Statement<CouponRow> = {
  name: 'find_coupon_by_code',
  text: `select ${COUPON_COLUMNS} from coupons where code = upper($1::text collate "C") collate "default"`,
};

const FIND_COUPON: Statement<CouponRow> = {
  name: 'find_coupon',
  text: `select ${COUPON_COLUMNS} from coupons where id = $1`,
};

const REDEEM_COUPON: Statement<{ id: string }> = {
  name: 'redeem_coupon',
  text: `update coupons set redemptions = redemptions + 1
    where id = $1 and archived_at is null and (max_redemptions is null or redemptions < max_redemptions)
    returning id`,
};

const RELEASE_COUPON: Statement<never> = {
  name: 'release_coupon',
  text: 'update coupons set redemptions = redemptions - 1 where id = $1 and redemptions > 0',
};
