import { Check } from 'typebox/value';
import {
  type Catalogue,
  type CatalogueCoupon,
  type CataloguePlan,
  type CatalogueProduct,
  InvalidCatalogue,
} from './catalogue.ts';
import { findBrokenRules, parseRedeemBy } from './catalogue-rules.ts';
import { parseDuration } from './duration.ts';
import { explainFaults } from './explain-faults.ts';
import {
  CatalogueFile,
  type CouponEntry,
  DEFAULT_PER_ORGANIZATION,
  type PlanEntry,
  type ProductEntry,
} from './file-schema.ts';
import { parseYaml } from './parse-yaml.ts';

/** Reads a catalogue file. Throws InvalidCatalogue with all faults by path. */
export function parseCatalogue(text: string): Catalogue {
  const value = parseYaml(text);
  const faults = explainFaults(CatalogueFile, value);
  if (faults.length > 0 || !Check(CatalogueFile, value)) {
    throw new InvalidCatalogue(faults.length > 0 ? faults : [{ name: 'the file', problem: 'is not a catalogue' }]);
  }
  const broken = findBrokenRules(value);
  if (broken.length > 0) {
    throw new InvalidCatalogue(broken);
  }
  return {
    products: (value.products ?? []).map(productOf),
    plans: value.plans.map(planOf),
    coupons: (value.coupons ?? []).map(couponOf),
    meters: value.meters ?? [],
  };
}

/** How long a license outlives its period by default (contract §8). */
const DEFAULT_GRACE = '3d';

function productOf({ key, name = key, features = {}, policy = {} }: ProductEntry): CatalogueProduct {
  const named = Object.entries(features).map(([feature, { type, name: shown = feature }]) => {
    return [feature, { type, name: shown }] as const;
  });
  return { key, name, features: Object.fromEntries(named), policy, source: 'declared' };
}

function planOf(entry: PlanEntry): CataloguePlan {
  const { grace = DEFAULT_GRACE, heartbeat, contact_sales = false, included = {}, policy = {}, ...same } = entry;
  const { heartbeat_interval, session_timeout, ...rest } = policy;
  return {
    ...same,
    contact_sales,
    included,
    grace_seconds: parseDuration(grace),
    heartbeat_interval_seconds:
      heartbeat === undefined ? (heartbeat_interval ?? null) : parseDuration(heartbeat.interval),
    session_timeout_seconds: heartbeat === undefined ? (session_timeout ?? null) : parseDuration(heartbeat.timeout),
    policy: rest,
  };
}

function couponOf(entry: CouponEntry): CatalogueCoupon {
  return {
    code: entry.code.toUpperCase(),
    percent_off: entry.percent_off ?? null,
    amount_off: entry.amount_off ?? null,
    currency: entry.currency ?? null,
    duration: entry.duration,
    duration_months: entry.duration_months ?? null,
    redeem_by: (entry.redeem_by === undefined ? undefined : parseRedeemBy(entry.redeem_by)) ?? null,
    max_redemptions: entry.max_redemptions ?? null,
    max_redemptions_per_organization: entry.max_redemptions_per_organization ?? DEFAULT_PER_ORGANIZATION,
  };
}
