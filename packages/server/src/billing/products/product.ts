import { type Static, Type } from 'typebox';
import type { PolicyOverrides } from '../schemas.ts';

/** The type that the values of a feature have. */
export const FeatureType = Type.Enum(['boolean', 'number', 'string'], { description: 'boolean, number, or string' });
export type FeatureType = Static<typeof FeatureType>;

/** A feature that the licenses of a product can have. */
export interface ProductFeature {
  type: FeatureType;
  /** The display name. */
  name: string;
}

/** The origin of a product: the vendor declared it, or licenses and plans name it. */
export type ProductSource = 'declared' | 'derived';

/** What is sold by the seat. */
export interface Product {
  key: string;
  name: string;
  features: Readonly<Record<string, ProductFeature>>;
  policy: PolicyOverrides;
  source: ProductSource;
}

/** The names that a product's features can have. */
export const FEATURE_KEY_PATTERN = '^[A-Za-z][A-Za-z0-9_.-]{0,63}$';
