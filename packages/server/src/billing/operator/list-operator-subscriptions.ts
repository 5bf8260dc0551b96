import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { presentSubscription } from '../ledger/record-subscription.ts';
import { subscriptionOf } from '../ledger/subscription-queries.ts';
import { OPERATOR_SUBSCRIPTION_LIST } from './operator-subscription-list.ts';

/** A page of the subscriptions of all organizations. */
export async function listOperatorSubscriptions(
  { database }: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<{ organization_id: string } & ReturnType<typeof presentSubscription>>> {
  return OPERATOR_SUBSCRIPTION_LIST.getPage(database, page, {}, (row) => ({
    organization_id: row.organization_id,
    ...presentSubscription(subscriptionOf(row)),
  }));
}
