import { type Static, Type } from 'typebox';
import { FEATURE_KEY_PATTERN, FeatureType } from '../products/product.ts';
import { POLICY_FIELDS, PolicyOverrides, Timestamp } from '../schemas.ts';

const STRICT = { additionalProperties: false };

/** One line of at most 100 characters, without surrounding spaces: it is shown in lists and mails. */
const LINE = {
  minLength: 1,
  maxLength: 100,
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$',
};
const Line = (description: string) => Type.String({ ...LINE, description });

/** Whether a product can have this key. */
export function isProductKey(key: string): boolean {
  return [...key].length <= LINE.maxLength && new RegExp(LINE.pattern, 'u').test(key);
}

const SHOWN_FEATURE = { type: FeatureType, name: Type.String({ description: 'The display name.' }) };

/** A product, as staff see it. */
export const Product = Type.Object(
  {
    key: Type.String({ description: 'The key that licenses and plans refer to.' }),
    name: Type.String(),
    features: Type.Record(Type.String(), Type.Object(SHOWN_FEATURE, { title: 'ProductFeature' }), {
      description: 'The features that its licenses can have, in addition to the four standard ones.',
    }),
    policy: PolicyOverrides,
    source: Type.Enum(['declared', 'derived'], {
      description:
        '`declared`: you described it, and its licenses accept only these features. `derived`: it was inferred from the features that licenses and plans use.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Product' },
);
export type Product = Static<typeof Product>;

export const ProductParams = Type.Object({ key: Type.String({ description: 'The key of the product.' }) });

export const ProductInput = Type.Object(
  {
    name: Line('The name of the product.'),
    features: Type.Record(
      Type.String({ pattern: FEATURE_KEY_PATTERN }),
      Type.Object(
        { type: FeatureType, name: Type.Optional(Line('The display name. Defaults to the key of the feature.')) },
        STRICT,
      ),
      {
        maxProperties: 200,
        propertyNames: { pattern: FEATURE_KEY_PATTERN },
        description: 'All of its features. Features that you omit are removed.',
      },
    ),
    policy: Type.Optional(Type.Partial(Type.Object(POLICY_FIELDS, STRICT), STRICT)),
  },
  STRICT,
);
export type ProductInput = Static<typeof ProductInput>;
