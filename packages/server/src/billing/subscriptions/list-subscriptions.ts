import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { presentSubscription } from '../ledger/record-subscription.ts';
import { subscriptionOf } from '../ledger/subscription-queries.ts';
import { SUBSCRIPTION_LIST } from './subscription-list.ts';

/** A page of the organization's subscriptions. */
export async function listSubscriptions(
  { database, principal }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<ReturnType<typeof presentSubscription>>> {
  const { organizationId } = principal;
  return SUBSCRIPTION_LIST.getPage(database, page, { organizationId }, (row) =>
    presentSubscription(subscriptionOf(row)),
  );
}
