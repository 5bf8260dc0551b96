import { resolvePolicy } from '../licenses/policy-rules.ts';
import { presentListedLicense } from '../licenses/present-license.ts';
import type { LicensingSettings } from '../licensing-tools.ts';
import type { OperatorLicenseRow } from './queries.ts';

/** A license as shown to the vendor's staff. */
export function presentOperatorLicense(row: OperatorLicenseRow, settings: LicensingSettings) {
  return {
    ...presentListedLicense(row),
    available_seats: Math.max(0, row.max_seats - row.active_seats),
    features: row.features,
    organization_id: row.organization_id,
    subscription_id: row.subscription_id,
    key_aliases: row.key_aliases,
    external_id: row.external_id,
    metadata: row.metadata,
    tier: row.tier,
    policy: policyOf(row, settings),
    policy_overrides: { ...row.policy, ...(row.allowed_users === null ? {} : { allowed_users: row.allowed_users }) },
  };
}

/**
 * The effective policy of the license. The heartbeat columns take precedence over its policy, because an older process
 * writes only them.
 */
export function policyOf(row: OperatorLicenseRow, settings: LicensingSettings) {
  const { heartbeat_interval_seconds: interval, session_timeout_seconds: timeout } = row;
  const nearest = {
    ...(interval === null ? {} : { heartbeat_interval: interval }),
    ...(timeout === null ? {} : { session_timeout: timeout }),
  };
  const levels = { license: { ...row.policy, ...nearest }, plan: row.plan_policy, product: row.product_policy };
  return resolvePolicy(levels, row.allowed_users, row.max_seats, settings);
}
