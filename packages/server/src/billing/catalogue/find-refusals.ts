import type { CatalogueFault } from './catalogue.ts';
import type { CatalogueChange } from './compare-catalogues.ts';

/** The parts of the catalogue that are in use, and so cannot be changed. */
export interface Used {
  /** Plans that have or had a subscription, or are being bought right now, by key. */
  plans: ReadonlySet<string>;
  /** How often coupons were redeemed, by code. */
  redemptions: ReadonlyMap<string, number>;
  /** Meters with records. */
  meters: ReadonlySet<string>;
  /** Features that products lose or whose type changes, if licenses have them, by product. */
  features: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The changes that cannot be made, each with what to do instead. */
export function findRefusals(changes: readonly CatalogueChange[], used: Used): CatalogueFault[] {
  return changes.flatMap((change) => judgeChange(change, used));
}

function judgeChange(change: CatalogueChange, used: Used): CatalogueFault[] {
  switch (change.kind) {
    case 'product':
      return judgeProduct(change, used.features.get(change.key));
    case 'plan':
      return used.plans.has(change.key) ? judgeSoldPlan(change) : [];
    case 'coupon':
      return judgeRedeemedCoupon(change, used.redemptions.get(change.key) ?? 0);
    case 'meter':
      return used.meters.has(change.key) ? judgeUsedMeter(change) : [];
  }
}

/** The features that a product loses, or whose type changes. */
export function featuresTakenBy({ fields }: CatalogueChange): string[] {
  return fields.filter(isTaken).map(({ field }) => field.slice(FEATURES.length));
}

const FEATURES = 'features.';

function isTaken({ field, before }: CatalogueChange['fields'][number]): boolean {
  return field.startsWith(FEATURES) && before !== null;
}

function judgeProduct({ key, fields }: CatalogueChange, used: ReadonlySet<string> = new Set()): CatalogueFault[] {
  const changed = fields.filter((each) => isTaken(each) && used.has(each.field.slice(FEATURES.length)));
  return changed.length === 0
    ? []
    : [
        {
          name: `the product ${key}`,
          problem: `has licenses with ${changed.map(({ field }) => field.slice(FEATURES.length)).join(', ')}, so ${listed(changed)} cannot change`,
        },
      ];
}

const PRICE_FIELDS = new Set(['price', 'currency', 'interval', 'contact_sales']);
const COUPON_TERMS = new Set(['percent_off', 'amount_off', 'currency', 'duration', 'duration_months']);

function judgeSoldPlan({ key, fields }: CatalogueChange): CatalogueFault[] {
  const changed = fields.filter(({ field }) => PRICE_FIELDS.has(field));
  return changed.length === 0
    ? []
    : [
        {
          name: `the plan ${key}`,
          problem: `was already sold, so ${listed(changed)} cannot change. Create a plan with a new key for the new price, and remove ${key} to stop selling it`,
        },
      ];
}

function judgeRedeemedCoupon({ key, fields }: CatalogueChange, redemptions: number): CatalogueFault[] {
  const faults: CatalogueFault[] = [];
  const changed = fields.filter(({ field }) => COUPON_TERMS.has(field));
  if (redemptions > 0 && changed.length > 0) {
    faults.push({
      name: `the coupon ${key}`,
      problem: `was already redeemed, so ${listed(changed)} cannot change. Create a coupon with a new code, and remove ${key} to end it`,
    });
  }
  const most = fields.find(({ field }) => field === 'max_redemptions')?.after;
  if (typeof most === 'number' && most < redemptions) {
    faults.push({
      name: `the coupon ${key}`,
      problem: `was already redeemed ${redemptions} times, so max_redemptions cannot be ${most}. Set it to at least ${redemptions}, or remove ${key} to end it`,
    });
  }
  return faults;
}

function judgeUsedMeter({ key, action, fields }: CatalogueChange): CatalogueFault[] {
  const name = `the meter ${key}`;
  if (action === 'removed') {
    return [{ name, problem: 'already has records, so it cannot be removed. Keep it in the list meters' }];
  }
  return fields.length === 0
    ? []
    : [{ name, problem: `already has records, so ${listed(fields)} cannot change. Create a meter with a new name` }];
}

function listed(fields: CatalogueChange['fields']): string {
  return fields.map(({ field, before, after }) => `${field} (${before} → ${after})`).join(', ');
}
