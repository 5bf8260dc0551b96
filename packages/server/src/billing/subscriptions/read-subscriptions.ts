import { isoTime } from '../../clock/index.ts';
import { type AuthorizedContext, type ListPage, notFound, type PageRequest, toPage } from '../../http/index.ts';
import { presentSubscription } from './present-subscription.ts';
import { findSubscription, listSubscriptions } from './queries.ts';
import type { SubscriptionState } from './subscription-state.ts';

/** The organization's subscriptions, a page at a time. */
export async function readSubscriptions(
  context: AuthorizedContext,
  page: PageRequest,
): Promise<ListPage<ReturnType<typeof presentSubscription>>> {
  const rows = await listSubscriptions(context.database, context.principal.organizationId, page);
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), presentSubscription);
}

/** One subscription of the organization, or not_found. */
export async function readSubscription(context: AuthorizedContext, id: string) {
  const subscription = await findSubscription(context.database, context.principal.organizationId, id);
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  return presentSubscription(subscription);
}

function sortValue(row: SubscriptionState, sort: string): string {
  return isoTime(sort === 'current_period_end' ? row.periodEndMs : row.createdAtMs);
}
