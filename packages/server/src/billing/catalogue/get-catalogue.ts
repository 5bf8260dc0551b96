import type { Queries } from '../../database/index.ts';
import { listAllProducts } from '../products/queries.ts';
import type { Catalogue, CatalogueProduct } from './catalogue.ts';
import { listAllPlans, listCoupons, listMeters, lockCatalogue } from './queries.ts';

/** Everything currently sold, as a catalogue. */
export async function getCatalogue(database: Queries): Promise<Catalogue> {
  return database.transaction(async (tx) => {
    await lockCatalogue(tx);
    const products = await listAllProducts(tx);
    const plans = await listAllPlans(tx);
    const coupons = await listCoupons(tx, { codes: [] });
    const meters = await listMeters(tx);
    return {
      products: products.flatMap((product): CatalogueProduct[] => {
        const { source, ...rest } = product;
        return source === 'declared' ? [{ ...rest, source }] : [];
      }),
      plans: plans.filter((plan) => !plan.is_archived),
      coupons: coupons.filter((coupon) => !coupon.is_archived),
      meters,
    };
  });
}
