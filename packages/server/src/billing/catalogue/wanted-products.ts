import type { PlanRow } from '../plans/queries.ts';
import { findHeartbeatFaults, type HeartbeatDefaults, type PolicyFault } from '../products/policy-rules.ts';
import type { Product } from '../products/product.ts';
import { deriveProduct, findFeatureFaults } from '../products/product-rules.ts';
import type { PolicyOverrides } from '../schemas.ts';
import type { Catalogue, CatalogueFault } from './catalogue.ts';

/**
 * The products that a file describes or its plans name. Those without a description are derived from the plans, and
 * have every feature that a plan gives its licenses.
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

/** The features of plans that their declared products do not have. */
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

/** The heartbeats of the file's products and plans with which sessions would time out. */
export function findShortTimeouts(
  wanted: readonly Product[],
  { products, plans }: Pick<Catalogue, 'products' | 'plans'>,
  defaults: HeartbeatDefaults,
): CatalogueFault[] {
  const policies = new Map(wanted.map(({ key, policy }) => [key, policy]));
  const ofProducts = products.flatMap(({ policy }, index) =>
    findHeartbeatFaults([policy], defaults).map(faultAt(`products[${index}]`)),
  );
  const ofPlans = plans.flatMap((plan, index) => {
    const own = heartbeatsOf(plan);
    // A fault that a plan inherits is reported for its product.
    const isOwn = Object.keys(own).length > 0;
    const faults = isOwn ? findHeartbeatFaults([policies.get(plan.product) ?? {}, own], defaults) : [];
    return faults.map(faultAt(`plans[${index}]`));
  });
  return [...ofProducts, ...ofPlans];
}

/** The heartbeat settings that a plan makes for its licenses. */
export function heartbeatsOf({
  heartbeat_interval_seconds: interval,
  session_timeout_seconds: timeout,
}: Pick<PlanRow, 'heartbeat_interval_seconds' | 'session_timeout_seconds'>): PolicyOverrides {
  return {
    ...(interval === null ? {} : { heartbeat_interval: interval }),
    ...(timeout === null ? {} : { session_timeout: timeout }),
  };
}

const faultAt =
  (place: string) =>
  ({ field, problem }: PolicyFault): CatalogueFault => ({ name: `${place}.policy.${field}`, problem });
