import type { Queries, Statement } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { openAccount } from '../accounts/open-account.ts';

/**
 * Whether an organization has a subscription that has not ended, or a payment under way. Its account is locked until the
 * transaction ends, so that neither begins meanwhile.
 */
export async function hasLiveBilling(tx: Queries, organizationId: string): Promise<boolean> {
  // Made where there is none, so that a first purchase waits for what is decided here.
  await openAccount(tx, organizationId);
  return (await tx.query(FIND_LIVE_BILLING, [organizationId]))[0]?.is_live === true;
}

/**
 * Throws conflict when an organization has a live subscription to a plan that costs nothing, but for the one with the id
 * `exceptId`: whoever asks often enough would have as many seats as they like for nothing. Its account is locked.
 */
export async function requireNoFreeSubscription(tx: Queries, organizationId: string, exceptId = ''): Promise<void> {
  if ((await tx.query(FIND_FREE_SUBSCRIPTION, [organizationId, exceptId])).length > 0) {
    throw httpError('conflict', 'An organization can have one free subscription, and this one has it already.');
  }
}

const FIND_FREE_SUBSCRIPTION: Statement<{ id: string }> = {
  name: 'find_free_subscription',
  text: `select s.id from plans p
    join subscriptions s on s.organization_id = $1 and s.plan_id = p.id and s.next_action_at is not null
    where p.price = 0 and s.id <> $2 limit 1`,
};

const FIND_LIVE_BILLING: Statement<{ is_live: boolean }> = {
  name: 'find_live_billing',
  text: `select exists (select from subscriptions where organization_id = $1 and next_action_at is not null)
    or exists (select from payments where organization_id = $1 and settled_at is null) as is_live`,
};
