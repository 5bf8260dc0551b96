import { statement } from '../database/index.ts';

/** The rate-limit tier of an organization. */
export type Tier = 'free' | 'pro' | 'enterprise';

/** Sets the tier of an organization's live subscriptions; without any (null), the tier of its licenses counts. */
export const updateSubscriptionTier = statement({
  name: 'update_subscription_tier',
  parameters: { organizationId: 'text', tier: 'text | null' },
  // Nothing is written if nothing changes.
  sql: ({ organizationId, tier }) => `
    update organizations set subscription_tier = ${tier}, tier = coalesce(${tier}, license_tier, 'free')
    where id = ${organizationId}
      and (subscription_tier is distinct from ${tier} or tier <> coalesce(${tier}, license_tier, 'free'))`,
});

/** Keeps other transactions from changing the tier of the organization's licenses. */
export const lockLicenseTier = statement({
  name: 'lock_license_tier',
  parameters: { organizationId: 'text' },
  sql: ({ organizationId }) => `select from organizations where id = ${organizationId} for no key update`,
});

/** Sets the tier of an organization's licenses, null without any. The caller has locked it before it computed the tier. */
export const updateLicenseTier = statement({
  name: 'update_license_tier',
  parameters: { organizationId: 'text', tier: 'text | null' },
  sql: ({ organizationId, tier }) => `
    update organizations set license_tier = ${tier}, tier = coalesce(subscription_tier, ${tier}, 'free')
    where id = ${organizationId} and license_tier is distinct from ${tier}`,
});
