import { type AuthorizedContext, type ListPage, notFound, type PageRequest } from '../../http/index.ts';
import { presentSubscription } from '../ledger/record-subscription.ts';
import { findSubscription, type SubscriptionRow, subscriptionOf } from '../ledger/subscription-queries.ts';
import { SUBSCRIPTION_LIST } from './subscription-list.ts';

/** The organization's subscriptions, a page at a time. */
export async function readSubscriptions(
  context: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<ReturnType<typeof presentSubscription>>> {
  const { organizationId } = context.principal;
  const present = (row: SubscriptionRow) => presentSubscription(subscriptionOf(row));
  return SUBSCRIPTION_LIST.getPage(context.database, page, { organizationId }, present);
}

/** One subscription of the organization, or not_found. */
export async function readSubscription(context: AuthorizedContext, id: string) {
  const { organizationId } = context.principal;
  const subscription = await findSubscription(context.database, { organizationId, id });
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  return presentSubscription(subscription);
}
