import type { FeatureValue } from '../schemas.ts';
import { nearestOf } from './nearest-key.ts';
import type { FeatureType, Product, ProductFeature } from './product.ts';

/** Every license has these, true or false, regardless of its product (service.md "License"). */
export const DOCUMENTED_FEATURES = ['ai_assistance', 'cloud_workstations', 'team_collaboration', 'priority_support'];

type Features = Readonly<Record<string, FeatureValue>>;

/** A feature that a product does not have, or whose value has another type. */
export interface FeatureFault {
  feature: string;
  reason: 'unknown' | 'type';
  problem: string;
}

/** Why a license of the product cannot have these features. */
export function findFeatureFaults(product: Pick<Product, 'key' | 'features'>, features: Features): FeatureFault[] {
  return Object.entries(features).flatMap(([feature, value]): FeatureFault[] => {
    const type = typeOf(product, feature);
    if (type === undefined) {
      const known = [...DOCUMENTED_FEATURES, ...Object.keys(product.features)];
      return [{ feature, reason: 'unknown', problem: `is not a feature of ${product.key}.${suggest(feature, known)}` }];
    }
    const problem = `must be a ${type}, as the product ${product.key} says.`;
    return typeof value === type ? [] : [{ feature, reason: 'type', problem }];
  });
}

/** ` Did you mean …?`, or nothing if no known name is near. */
export function suggest(wanted: string, known: readonly string[]): string {
  const nearest = nearestOf(wanted, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** The product as derived from licenses and plans: adds the features that it does not have yet. */
export function deriveProduct(product: Product | undefined, key: string, features: Features): Product {
  const before = product ?? { key, name: key, features: {}, policy: {}, source: 'derived' };
  const added = Object.entries(features).filter(([feature]) => typeOf(before, feature) === undefined);
  const derived = added.map(([feature, value]): [string, ProductFeature] => [
    feature,
    { type: featureTypeOf(value), name: feature },
  ]);
  return derived.length === 0
    ? before
    : { ...before, features: { ...before.features, ...Object.fromEntries(derived) } };
}

/** The features of `before` that `after` lacks or whose type it changes. */
export function listTakenFeatures(before: Product | undefined, after: Product): string[] {
  return Object.entries(before?.features ?? {})
    .filter(([feature, { type }]) => typeOf(after, feature) !== type)
    .map(([feature]) => feature);
}

function typeOf({ features }: Pick<Product, 'features'>, feature: string): FeatureType | undefined {
  const own = Object.hasOwn(features, feature) ? features[feature]?.type : undefined;
  return own ?? (DOCUMENTED_FEATURES.includes(feature) ? 'boolean' : undefined);
}

function featureTypeOf(value: FeatureValue): FeatureType {
  return typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'string';
}
