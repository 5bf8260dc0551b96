import type { Product } from '../products/product.ts';
import { deriveProduct, findFeatureFaults } from '../products/product-rules.ts';
import type { Catalogue, CatalogueFault } from './catalogue.ts';

/**
 * The products that a file describes or its plans name. Those that nobody described are derived from the plans, and get each
 * feature that a plan gives its licenses.
 */
export function listWantedProducts(kept: readonly Product[], { products, plans }: Catalogue): Product[] {
  const known = new Map([...kept, ...products].map((product): [string, Product] => [product.key, product]));
  const wanted = new Map(products.map((product): [string, Product] => [product.key, product]));
  for (const { product: key, license_features } of plans) {
    const before = wanted.get(key) ?? known.get(key);
    wanted.set(key, before?.source === 'declared' ? before : deriveProduct(before, key, license_features));
  }
  return [...wanted.values()];
}

/** The features of plans that their products, as the vendor described them, do not have. */
export function findUnknownFeatures(wanted: readonly Product[], { plans }: Pick<Catalogue, 'plans'>): CatalogueFault[] {
  const declared = new Map(
    wanted.filter(({ source }) => source === 'declared').map((each): [string, Product] => [each.key, each]),
  );
  return plans.flatMap(({ product: key, license_features }, index) => {
    const product = declared.get(key);
    const faults = product === undefined ? [] : findFeatureFaults(product, license_features);
    return faults.map(({ feature, problem }) => ({
      name: `plans[${index}].license_features.${feature}`,
      problem: problem.replace(/\.$/, ''),
    }));
  });
}
