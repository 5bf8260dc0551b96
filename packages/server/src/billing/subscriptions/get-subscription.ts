import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { presentSubscription } from '../ledger/record-subscription.ts';
import { findSubscription } from '../ledger/subscription-queries.ts';

/** One subscription of the organization. Throws not_found. */
export async function getSubscription({ database, principal }: AuthorizedContext, id: string) {
  const subscription = await findSubscription(database, { organizationId: principal.organizationId, id });
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  return presentSubscription(subscription);
}
