import type { Queries, Statement } from '../database/index.ts';

/** Sets the rate-limit tier of an organization; what it is already costs no write. */
export async function setTier(tx: Queries, organizationId: string, tier: 'free' | 'pro' | 'enterprise'): Promise<void> {
  await tx.query(UPDATE_TIER, [organizationId, tier]);
}

const UPDATE_TIER: Statement<never> = {
  name: 'update_organization_tier',
  text: 'update organizations set tier = $2 where id = $1 and tier <> $2',
};
