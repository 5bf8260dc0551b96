import type { Queries, Statement } from '../../database/index.ts';
import { LOCK_ACCOUNT } from '../accounts/queries.ts';

/**
 * Whether an organization has a subscription that has not ended, or a payment under way. Its account is locked until the
 * transaction ends, so that neither begins meanwhile.
 */
export async function hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean> {
  await tx.query(LOCK_ACCOUNT, [organizationId]);
  return (await tx.query(FIND_LIVE_BILLING, [organizationId]))[0]?.is_live === true;
}

const FIND_LIVE_BILLING: Statement<{ is_live: boolean }> = {
  name: 'find_live_billing',
  text: `select exists (select from subscriptions where organization_id = $1 and next_action_at is not null)
    or exists (select from payments where organization_id = $1 and settled_at is null) as is_live`,
};
