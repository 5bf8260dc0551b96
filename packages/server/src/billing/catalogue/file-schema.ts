import { type Static, Type } from 'typebox';
import { FEATURE_KEY_PATTERN, FeatureType } from '../products/product.ts';
import { FeatureValue, POLICY_FIELDS } from '../schemas.ts';
import { DURATION_PATTERN } from './duration.ts';

/*
 * The form of a catalogue file. A description says what is expected, and completes the sentence "it must be …" in
 * errors.
 */

/** In minor units: ten million, so that the sum for ten thousand seats is still exact. */
const MAX_AMOUNT = 1_000_000_000;
const MAX_INCLUDED = 1_000_000_000_000;
const MAX_FEATURES = 200;

const Flag = Type.Boolean({ description: 'true or false' });
/** One line: it is shown in lists, on invoices and in mails. Lone surrogates and NUL can be written with escapes. */
const line = (maxLength: number) =>
  Type.String({
    pattern:
      '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$',
    maxLength,
    description: `one line of 1 to ${maxLength} characters, without leading or trailing spaces`,
  });
const Key = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
  description: '1 to 64 of the characters a-z, 0-9, -, and _, beginning with a letter or digit',
});
const WORD = '^[a-z][a-z0-9_]{0,63}$';
const Word = Type.String({
  pattern: WORD,
  description: '1 to 64 of the characters a-z, 0-9, and _, beginning with a letter',
});
const CurrencyCode = Type.String({ pattern: '^[a-z]{3}$', description: 'an ISO 4217 code in lowercase, such as usd' });
const Duration = Type.Union(
  [Type.String({ pattern: DURATION_PATTERN }), Type.Integer({ minimum: 0, maximum: 999_999_999 })],
  { description: 'a whole number of seconds, or a number with a unit, such as 3d, 12h, 15m, or 90s' },
);
const whole = (minimum: number, maximum: number, of = '') =>
  Type.Integer({
    minimum,
    maximum,
    description: `a whole number${of} from ${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`,
  });

const STRICT = { additionalProperties: false, description: 'a mapping' };

const Features = Type.Object(
  {
    seats: Type.Union([whole(1, 10_000), Type.Literal('unlimited')], {
      description: 'a whole number from 1 to 10,000, or unlimited',
    }),
    ai_assistance: Flag,
    cloud_workstations: Flag,
    priority_support: Flag,
    sso: Flag,
    audit_logs: Flag,
    dedicated_support: Flag,
  },
  STRICT,
);

/** Every license has these four; vendors add their own. */
const LicenseFeatures = Type.Object(
  {
    ai_assistance: Flag,
    cloud_workstations: Flag,
    team_collaboration: Flag,
    priority_support: Flag,
  },
  { additionalProperties: FeatureValue, description: 'a mapping' },
);

/** A license can also have allowed_users, which belong to one organization and so cannot be in a plan. */
const PolicyEntry = Type.Partial(Type.Object(POLICY_FIELDS, STRICT), STRICT);

const ProductEntry = Type.Object(
  {
    key: line(100),
    name: Type.Optional(line(100)),
    features: Type.Optional(
      Type.Record(
        Type.String({ pattern: FEATURE_KEY_PATTERN }),
        Type.Object({ type: FeatureType, name: Type.Optional(line(100)) }, STRICT),
        {
          maxProperties: MAX_FEATURES,
          description: 'a mapping of feature names to their types',
        },
      ),
    ),
    policy: Type.Optional(PolicyEntry),
  },
  STRICT,
);

const PlanEntry = Type.Object(
  {
    key: Key,
    name: line(100),
    description: line(1_000),
    price: Type.Union([whole(0, MAX_AMOUNT), Type.Null()], {
      description: `a whole number of minor units (2900 is 29.00) from 0 to ${MAX_AMOUNT.toLocaleString('en')}, or null for a plan that is sold by contact`,
    }),
    currency: CurrencyCode,
    interval: Type.Literal('month', { description: 'month' }),
    contact_sales: Type.Optional(Flag),
    tier: Type.Enum(['free', 'pro', 'enterprise'], { description: 'free, pro, or enterprise' }),
    product: line(100),
    features: Features,
    license_features: LicenseFeatures,
    included: Type.Optional(
      Type.Record(Type.String({ pattern: WORD }), whole(0, MAX_INCLUDED), {
        description: 'a mapping of meter names to whole numbers',
      }),
    ),
    grace: Type.Optional(Duration),
    heartbeat: Type.Optional(Type.Object({ interval: Duration, timeout: Duration }, STRICT)),
    policy: Type.Optional(PolicyEntry),
  },
  STRICT,
);

const CouponEntry = Type.Object(
  {
    code: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 letters, digits, -, and _' }),
    percent_off: Type.Optional(whole(1, 100)),
    amount_off: Type.Optional(whole(1, MAX_AMOUNT, ' of minor units')),
    currency: Type.Optional(CurrencyCode),
    duration: Type.Enum(['once', 'repeating', 'forever'], { description: 'once, repeating, or forever' }),
    duration_months: Type.Optional(whole(1, 120)),
    redeem_by: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?(Z|[+-]\\d{2}:\\d{2})$',
        description: 'a time with a time zone, such as 2027-12-31T23:59:59Z',
      }),
    ),
    max_redemptions: Type.Optional(whole(1, 1_000_000_000)),
    max_redemptions_per_organization: Type.Optional(whole(1, 1_000_000)),
  },
  STRICT,
);

const MeterEntry = Type.Object(
  { name: Word, aggregation: Type.Enum(['sum', 'last', 'max'], { description: 'sum, last, or max' }) },
  STRICT,
);

/** A complete catalogue file. */
export const CatalogueFile = Type.Object(
  {
    products: Type.Optional(Type.Array(ProductEntry, { maxItems: 200, description: 'a list of at most 200 products' })),
    plans: Type.Array(PlanEntry, { minItems: 1, maxItems: 200, description: 'a list of 1 to 200 plans' }),
    coupons: Type.Optional(
      Type.Array(CouponEntry, { maxItems: 5_000, description: 'a list of at most 5,000 coupons' }),
    ),
    meters: Type.Optional(Type.Array(MeterEntry, { maxItems: 100, description: 'a list of at most 100 meters' })),
  },
  {
    ...STRICT,
    description: 'a mapping with a list named plans and, optionally, lists named products, coupons, and meters',
  },
);

/** The default of a coupon. */
export const DEFAULT_PER_ORGANIZATION = 1;

export type CatalogueFile = Static<typeof CatalogueFile>;
export type ProductEntry = Static<typeof ProductEntry>;
export type PlanEntry = Static<typeof PlanEntry>;
export type CouponEntry = Static<typeof CouponEntry>;
