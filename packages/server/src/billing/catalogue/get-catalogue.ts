import type { Queries } from '../../database/index.ts';
import type { Catalogue } from './catalogue.ts';
import { listAllPlans, listCoupons, listMeters, lockCatalogue } from './queries.ts';

/** Everything that is sold at present, as a catalogue. */
export async function getCatalogue(database: Queries): Promise<Catalogue> {
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    const plans = await listAllPlans(tx);
    const coupons = await listCoupons(tx, { codes: [] });
    const meters = await listMeters(tx);
    return {
      plans: plans.filter((plan) => !plan.is_archived),
      coupons: coupons.filter((coupon) => !coupon.is_archived),
      meters,
    };
  });
}
