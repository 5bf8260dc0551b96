import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { ApiError } from '../../http/index.ts';
import { applyCatalogue } from '../catalogue/apply-catalogue.ts';
import { getCatalogue } from '../catalogue/get-catalogue.ts';
import {
  type CouponRow,
  findCoupon,
  findCouponById,
  presentCoupon,
  updateCouponRedeemed,
  updateCouponReleased,
} from './queries.ts';
import { judgeCoupon } from './redeem-coupon.ts';

const COUPON = {
  percent_off: 20,
  amount_off: null,
  currency: null,
  duration: 'once',
  duration_months: null,
  redeem_by: new Date('2030-06-30T00:00:00Z'),
  max_redemptions: 10,
  max_redemptions_per_organization: 1,
} as const;
const FIXED = { ...COUPON, percent_off: null, amount_off: 500, currency: 'usd', max_redemptions: null } as const;

it.beforeAll(async ({ app }) => {
  const present = await getCatalogue(app.database);
  const coupons = [
    { ...COUPON, code: 'SCARCE' },
    { ...COUPON, code: 'WELCOME-20' },
    { ...FIXED, code: 'FIVE' },
  ];
  await applyCatalogue(app.database, { ...present, coupons });
});

async function find(app: TestApp, code: string): Promise<CouponRow> {
  const coupon = await findCoupon(app.database, { code });
  if (coupon === undefined) {
    throw new Error(`there is no coupon ${code}`);
  }
  return coupon;
}

describe('a coupon code', () => {
  it('is found in any spelling, and finds no other coupon', async ({ app }) => {
    expect((await find(app, 'welcome-20')).id).toBe((await find(app, 'Welcome-20')).id);
    expect(await findCoupon(app.database, { code: 'WELCOME-2' })).toBeUndefined();
    // Turkish letters without their dots, and lookalikes, are different letters.
    expect(await findCoupon(app.database, { code: 'fıve' })).toBeUndefined();
  });

  it('is shown as on the subscription, without its number of redemptions', async ({ app }) => {
    const row = await find(app, 'five');
    expect(presentCoupon(row)).toEqual({
      id: row.id,
      code: 'FIVE',
      percent_off: null,
      amount_off: 500,
      currency: 'usd',
      duration: 'once',
      duration_months: null,
    });
  });
});

describe('a redemption', () => {
  const BEFORE = Date.parse('2030-06-29T23:59:59.999Z');

  function reasonOf(coupon: CouponRow | undefined, redemption: { currency?: string; nowMs?: number }): unknown {
    try {
      judgeCoupon(coupon, { currency: 'usd', nowMs: BEFORE, ...redemption });
      return undefined;
    } catch (error) {
      return error instanceof ApiError ? { code: error.code, ...error.details } : error;
    }
  }

  it('is possible depending on the clock, the currency, the number of redemptions and the catalogue', async ({
    app,
  }) => {
    const coupon = await find(app, 'five');
    const refused = (reason: string) => ({ code: 'validation_failed', field: 'coupon_code', reason });
    expect(reasonOf(coupon, {})).toBeUndefined();
    expect(reasonOf(undefined, {})).toEqual(refused('unknown'));
    expect(reasonOf(coupon, { nowMs: BEFORE + 1 })).toEqual(refused('ended'));
    expect(reasonOf({ ...coupon, is_archived: true }, {})).toEqual(refused('ended'));
    expect(reasonOf({ ...coupon, max_redemptions: 3, redemptions: 3 }, {})).toEqual(refused('used_up'));
    expect(reasonOf(coupon, { currency: 'eur' })).toEqual(refused('currency'));
    expect(reasonOf(await find(app, 'welcome-20'), { currency: 'eur' })).toBeUndefined();
  });
});

describe('a limited coupon', () => {
  it('is redeemed exactly its ten times by fifty simultaneous attempts on two processes', async ({ app, second }) => {
    const { id } = await find(app, 'scarce');
    await Promise.all(Array.from({ length: 20 }, (_, index) => [app, second][index % 2]?.api.get('/v1/plans')));
    const redeemed = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        updateCouponRedeemed((index % 2 === 0 ? app : second).database, { couponId: id }),
      ),
    );
    expect(redeemed.filter(Boolean)).toHaveLength(10);
    expect((await find(app, 'scarce')).redemptions).toBe(10);
  });

  it('can be redeemed again after a redemption was given back, but never more often than that', async ({ app }) => {
    const { id } = await find(app, 'scarce');
    await updateCouponReleased(app.database, { couponId: id });
    expect([
      await updateCouponRedeemed(app.database, { couponId: id }),
      await updateCouponRedeemed(app.database, { couponId: id }),
    ]).toEqual([1, 0]);
  });

  it('is not redeemed if the transaction is rolled back', async ({ app }) => {
    const { id } = await find(app, 'five');
    const work = app.database.transaction(async (tx) => {
      expect(await updateCouponRedeemed(tx, { couponId: id })).toBe(1);
      throw new Error('declined');
    });
    await expect(work).rejects.toThrow('declined');
    expect((await findCouponById(app.database, { couponId: id }))?.redemptions).toBe(0);
  });

  it('cannot be given back if it was not redeemed, and cannot be redeemed once archived', async ({ app }) => {
    const { id } = await find(app, 'five');
    await updateCouponReleased(app.database, { couponId: id });
    expect((await find(app, 'five')).redemptions).toBe(0);
    await execute(app.database, 'update coupons set archived_at = clock_timestamp() where id = $1', [id]);
    expect(await updateCouponRedeemed(app.database, { couponId: id })).toBe(0);
  });
});
