import { stringify } from 'yaml';
import { presentFeatures } from '../plans/present-plan.ts';
import type { Catalogue, CatalogueCoupon, CataloguePlan, CatalogueProduct } from './catalogue.ts';
import { formatDuration } from './duration.ts';
import {
  type CatalogueFile,
  type CouponEntry,
  DEFAULT_PER_ORGANIZATION,
  type PlanEntry,
  type ProductEntry,
} from './file-schema.ts';

/** The catalogue as a file. Applying it changes nothing. */
export function writeCatalogue(catalogue: Catalogue): string {
  // Aliases would be used for parts that are merely equal, and editing one would change the other.
  return stringify(fileOf(catalogue), { aliasDuplicateObjects: false, lineWidth: 120 });
}

/** The content of such a file. */
export function fileOf({ products, plans, coupons, meters }: Catalogue): CatalogueFile {
  return {
    ...(products.length === 0 ? {} : { products: products.map(entryOfProduct) }),
    plans: plans.map(entryOfPlan),
    coupons: coupons.map(entryOfCoupon),
    meters: meters.map(({ name, aggregation }) => ({ name, aggregation })),
  };
}

function entryOfProduct({ key, name, features, policy }: CatalogueProduct): ProductEntry {
  return {
    key,
    ...(name === key ? {} : { name }),
    features: { ...features },
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  };
}

function entryOfPlan(plan: CataloguePlan): PlanEntry {
  const { contact_sales, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds, ...rest } = plan;
  const { key, name, description, price, currency, interval, tier, product, features, license_features, included } =
    rest;
  const hasHeartbeat = heartbeat_interval_seconds !== null && session_timeout_seconds !== null;
  const policy = {
    ...plan.policy,
    ...(hasHeartbeat || heartbeat_interval_seconds === null ? {} : { heartbeat_interval: heartbeat_interval_seconds }),
    ...(hasHeartbeat || session_timeout_seconds === null ? {} : { session_timeout: session_timeout_seconds }),
  };
  return {
    key,
    name,
    description,
    price,
    currency,
    interval,
    ...(contact_sales ? { contact_sales } : {}),
    tier,
    product,
    features: presentFeatures(features),
    license_features: { ...DOCUMENTED, ...license_features },
    included,
    grace: formatDuration(grace_seconds),
    ...(hasHeartbeat
      ? {
          heartbeat: {
            interval: formatDuration(heartbeat_interval_seconds),
            timeout: formatDuration(session_timeout_seconds),
          },
        }
      : {}),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  };
}

/** Every license has these (service.md "License"). */
const DOCUMENTED = {
  ai_assistance: false,
  cloud_workstations: false,
  team_collaboration: false,
  priority_support: false,
};

function entryOfCoupon(coupon: CatalogueCoupon): CouponEntry {
  const { code, percent_off, amount_off, currency, duration, duration_months, redeem_by, max_redemptions } = coupon;
  const { max_redemptions_per_organization: perOrganization } = coupon;
  return {
    code,
    ...(percent_off === null ? {} : { percent_off }),
    ...(amount_off === null ? {} : { amount_off }),
    ...(currency === null ? {} : { currency }),
    duration,
    ...(duration_months === null ? {} : { duration_months }),
    ...(redeem_by === null ? {} : { redeem_by: redeem_by.toISOString() }),
    ...(max_redemptions === null ? {} : { max_redemptions }),
    ...(perOrganization === DEFAULT_PER_ORGANIZATION ? {} : { max_redemptions_per_organization: perOrganization }),
  };
}
