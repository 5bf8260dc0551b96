import { type Static, Type } from 'typebox';

/** The type that the values of a feature have. */
export const FeatureType = Type.Enum(['boolean', 'number', 'string'], { description: 'boolean, number, or string' });
export type FeatureType = Static<typeof FeatureType>;

/** A feature that the licenses of a product can have. */
export interface ProductFeature {
  type: FeatureType;
  /** As people read it. */
  name: string;
}

/**
 * The policy of licenses, as it can be set on a product, a plan, or a license. What none of them sets has a default. Times in
 * seconds.
 */
export const POLICY_FIELDS = {
  activation: Type.Enum(['account', 'key'], { description: 'account or key' }),
  max_offline_seconds: Type.Integer({
    minimum: 0,
    maximum: 31_536_000,
    description: 'a whole number of seconds from 0 to 31,536,000',
  }),
  min_online_seats: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    description: 'a whole number of seats from 0 to 100,000',
  }),
  max_activations: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'a whole number from 1 to 1,000,000',
  }),
  node_locked: Type.Boolean({ description: 'true or false' }),
  heartbeat_interval: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'a whole number of seconds from 1 to 86,400',
  }),
  session_timeout: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    description: 'a whole number of seconds from 1 to 604,800',
  }),
};

/** What one of the three sets; what is absent is inherited. */
export const PolicyOverrides = Type.Partial(Type.Object(POLICY_FIELDS, { additionalProperties: false }));
export type PolicyOverrides = Static<typeof PolicyOverrides>;

/** Where a product comes from: the vendor described it, or licenses and plans name it. */
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
