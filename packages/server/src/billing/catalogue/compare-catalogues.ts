import { isDeepStrictEqual } from 'node:util';
import type { Product } from '../products/product.ts';
import type { Catalogue, CatalogueCoupon, CatalogueMeter, CataloguePlan } from './catalogue.ts';
import { formatDuration } from './duration.ts';

type Shown = string | number | boolean | null;

/** One difference between the current catalogue and the file. */
export interface CatalogueChange {
  kind: 'product' | 'plan' | 'coupon' | 'meter';
  /** The product's or the plan's key, the coupon's code or the meter's name. */
  key: string;
  /** archived: no longer on sale; revived: on sale again. A meter that is no longer in the file is removed. */
  action: 'added' | 'changed' | 'archived' | 'revived' | 'removed';
  /** Its changed fields; null if there is no value before or after. */
  fields: ReadonlyArray<{ field: string; before: Shown; after: Shown }>;
}

/** The catalogue as stored, including archived entries. */
export interface StoredCatalogue {
  products: readonly Product[];
  plans: ReadonlyArray<CataloguePlan & { id: string; is_archived: boolean }>;
  coupons: ReadonlyArray<CatalogueCoupon & { id: string; is_archived: boolean }>;
  meters: readonly CatalogueMeter[];
}

/** The catalogue of the file, with the products that its plans name. */
export type WantedCatalogue = Omit<Catalogue, 'products'> & { products: readonly Product[] };

/** Everything that applying a catalogue would change, in the order of the file, followed by what it leaves out. */
export function compareCatalogues(kept: StoredCatalogue, wanted: WantedCatalogue): CatalogueChange[] {
  return [
    // A product that the file does not name stays, because licenses for it may have been issued.
    ...compareAll('product', kept.products, wanted.products, (product) => product.key, fieldsOfProduct).filter(
      ({ action }) => action !== 'archived',
    ),
    ...compareAll('plan', kept.plans, wanted.plans, (plan) => plan.key, fieldsOfPlan),
    ...compareAll('coupon', kept.coupons, wanted.coupons, (coupon) => coupon.code, fieldsOfCoupon),
    ...compareAll('meter', kept.meters, wanted.meters, (meter) => meter.name, fieldsOfMeter),
  ];
}

type Fields = ReadonlyMap<string, Shown>;

function compareAll<Item extends object>(
  kind: CatalogueChange['kind'],
  kept: ReadonlyArray<Item & { is_archived?: boolean }>,
  wanted: readonly Item[],
  keyOf: (item: Item) => string,
  fieldsOf: (item: Item) => Fields,
): CatalogueChange[] {
  const before = new Map(kept.map((item) => [keyOf(item), item]));
  const wantedKeys = new Set(wanted.map(keyOf));
  const changes = wanted.flatMap((item): CatalogueChange[] => {
    const key = keyOf(item);
    const old = before.get(key);
    const fields = differences(old === undefined ? NOTHING : fieldsOf(old), fieldsOf(item));
    if (old === undefined) {
      return [{ kind, key, action: 'added', fields }];
    }
    if (old.is_archived === true) {
      return [{ kind, key, action: 'revived', fields }];
    }
    return fields.length === 0 ? [] : [{ kind, key, action: 'changed', fields }];
  });
  const left = kept.filter((item) => !wantedKeys.has(keyOf(item)) && item.is_archived !== true);
  const action = kind === 'meter' ? 'removed' : 'archived';
  return [...changes, ...left.map((item): CatalogueChange => ({ kind, key: keyOf(item), action, fields: [] }))];
}

const NOTHING: Fields = new Map();

function differences(before: Fields, after: Fields): CatalogueChange['fields'] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
    .filter((each) => !isDeepStrictEqual(each.before, each.after));
}

/** By the names in the file, so that the reader of a difference can find it there. */
function fieldsOfPlan(plan: CataloguePlan): Fields {
  const { name, description, price, currency, interval, contact_sales, tier, product } = plan;
  const seconds = (value: number | null) => (value === null ? null : formatDuration(value));
  return new Map<string, Shown>([
    ...Object.entries({ name, description, price, currency, interval, contact_sales, tier, product }),
    ...within('features', { ...plan.features }),
    ...within('license_features', plan.license_features),
    ...within('included', plan.included),
    ['grace', seconds(plan.grace_seconds)],
    ['heartbeat.interval', seconds(plan.heartbeat_interval_seconds)],
    ['heartbeat.timeout', seconds(plan.session_timeout_seconds)],
    ...within('policy', plan.policy),
  ]);
}

function fieldsOfProduct({ name, features, policy, source }: Product): Fields {
  const types = Object.entries(features).map(([key, { type }]) => [key, type] as const);
  const names = Object.entries(features).flatMap(([key, each]) =>
    each.name === key ? [] : [[key, each.name] as const],
  );
  return new Map<string, Shown>([
    ['name', name],
    ['source', source],
    ...within('features', Object.fromEntries(types)),
    ...within('feature_names', Object.fromEntries(names)),
    ...within('policy', policy),
  ]);
}

function within(name: string, values: Readonly<Record<string, Shown>>): Array<[string, Shown]> {
  return Object.entries(values).map(([key, value]) => [`${name}.${key}`, value]);
}

function fieldsOfCoupon(coupon: CatalogueCoupon): Fields {
  const { percent_off, amount_off, currency, duration, duration_months, redeem_by, max_redemptions } = coupon;
  const { max_redemptions_per_organization } = coupon;
  const most = { max_redemptions, max_redemptions_per_organization };
  const terms = { percent_off, amount_off, currency, duration, duration_months, ...most };
  return new Map<string, Shown>([...Object.entries(terms), ['redeem_by', redeem_by?.toISOString() ?? null]]);
}

function fieldsOfMeter({ aggregation }: CatalogueMeter): Fields {
  return new Map([['aggregation', aggregation]]);
}
