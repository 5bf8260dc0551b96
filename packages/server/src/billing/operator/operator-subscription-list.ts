import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { SELECT_SUBSCRIPTIONS, type SubscriptionRow } from '../ledger/subscription-queries.ts';
import { SUBSCRIPTION_STATUSES } from '../schemas.ts';

/** The subscriptions of all organizations. */
export const OPERATOR_SUBSCRIPTION_LIST = defineList({
  name: 'list_operator_subscriptions',
  returns: many<SubscriptionRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('s.created_at') },
  filters: {
    organization_id: filterBy.text('s.organization_id'),
    status: filterBy.oneOf(SUBSCRIPTION_STATUSES, 's.status'),
    ...filterBy.createdWithin('s.created_at'),
  },
  id: 's.id',
  sql: (_, { page }) => `${SELECT_SUBSCRIPTIONS} where ${page}`,
});
