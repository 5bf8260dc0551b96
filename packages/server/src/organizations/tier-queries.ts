import type { Queries, Statement } from '../database/index.ts';

/** The rate-limit tier of an organization. */
export type Tier = 'free' | 'pro' | 'enterprise';

/**
 * Sets the tier of an organization's live subscriptions; undefined without any: then that of its licenses counts. What it
 * is already costs no write.
 */
export async function setSubscriptionTier(tx: Queries, organizationId: string, tier: Tier | undefined): Promise<void> {
  await tx.query(UPDATE_SUBSCRIPTION_TIER, [organizationId, tier ?? null]);
}

/** Lets nobody else change the tier of the organization's licenses until the transaction ends. */
export async function lockLicenseTier(tx: Queries, organizationId: string): Promise<void> {
  await tx.query(LOCK_LICENSE_TIER, [organizationId]);
}

/** Sets the tier of an organization's licenses, which the caller has locked and computed; undefined without any. */
export async function setLicenseTier(tx: Queries, organizationId: string, tier: Tier | undefined): Promise<void> {
  await tx.query(UPDATE_LICENSE_TIER, [organizationId, tier ?? null]);
}

const UPDATE_SUBSCRIPTION_TIER: Statement<never> = {
  name: 'update_subscription_tier',
  text: `update organizations set subscription_tier = $2::text, tier = coalesce($2, license_tier, 'free')
    where id = $1 and (subscription_tier is distinct from $2 or tier <> coalesce($2, license_tier, 'free'))`,
};

const LOCK_LICENSE_TIER: Statement<never> = {
  name: 'lock_license_tier',
  text: 'select from organizations where id = $1 for no key update',
};

const UPDATE_LICENSE_TIER: Statement<never> = {
  name: 'update_license_tier',
  text: `update organizations set license_tier = $2::text, tier = coalesce(subscription_tier, $2, 'free')
    where id = $1 and license_tier is distinct from $2`,
};
