import {
  deriveProduct,
  type FeatureValue,
  findFeatureFaults,
  findProduct,
  insertDerivedProduct,
  listProductKeys,
  lockProduct,
  lockProductForLicense,
  type Product,
  suggest,
  upsertProducts,
} from '../../billing/index.ts';
import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';

type Features = Readonly<Record<string, FeatureValue>>;

/**
 * The product of a license with these features; it does not change until the transaction ends. Throws validation_failed
 * for an unknown product or feature, suggesting the nearest known one.
 */
export async function requireProduct(tx: Queries, key: string, features: Features): Promise<Product> {
  const product = await lockProductForLicense(tx, { key });
  if (product === undefined) {
    const known = (await listProductKeys(tx)).map((row) => row.key);
    throw refuse('product', 'unknown', `There is no product ${JSON.stringify(key)}.${suggest(key, known)}`);
  }
  requireFeatures(product, features);
  return product;
}

/**
 * The product of a license with these features, for scripts from before there were products: adds an unknown product,
 * and unknown features of one that is not declared. `isNew`: the product was added. Throws validation_failed for
 * features that a declared product does not have.
 */
export async function requireOrDeriveProduct(
  tx: Queries,
  key: string,
  features: Features,
): Promise<{ product: Product; isNew: boolean }> {
  const seen = await findProduct(tx, { key });
  if (seen === undefined) {
    await insertDerivedProduct(tx, deriveProduct(undefined, key, features));
  }
  const grows = seen?.source === 'derived' && deriveProduct(seen, key, features) !== seen;
  const product = await (grows ? lockProduct : lockProductForLicense)(tx, { key });
  if (product === undefined) {
    throw new Error(`the product ${key} that was just added is missing`);
  }
  if (product.source === 'declared') {
    requireFeatures(product, features);
    return { product, isNew: false };
  }
  const derived = deriveProduct(product, key, features);
  if (derived !== product) {
    await upsertProducts(tx, { product: [derived] });
  }
  return { product: derived, isNew: seen === undefined };
}

function requireFeatures(product: Product, features: Features): void {
  const [fault] = findFeatureFaults(product, features);
  if (fault !== undefined) {
    throw refuse(`features.${fault.feature}`, fault.reason, `features.${fault.feature} ${fault.problem}`);
  }
}

function refuse(field: string, reason: string, message: string) {
  return httpError('validation_failed', message, { details: { field, reason } });
}
