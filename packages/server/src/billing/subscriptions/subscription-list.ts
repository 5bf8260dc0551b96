import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { SELECT_SUBSCRIPTIONS, type SubscriptionRow } from '../ledger/subscription-queries.ts';
import { SUBSCRIPTION_STATUSES } from '../schemas.ts';

/** An organization's subscriptions. */
export const SUBSCRIPTION_LIST = defineList({
  name: 'list_subscriptions',
  parameters: { organizationId: 'text' },
  returns: many<SubscriptionRow>(),
  defaultSort: '-created_at',
  sorts: {
    created_at: sortBy.time('s.created_at'),
    current_period_end: sortBy.time('s.current_period_end'),
  },
  filters: {
    status: filterBy.oneOf(SUBSCRIPTION_STATUSES, 's.status'),
    plan_id: filterBy.text('s.plan_id'),
    ...filterBy.createdWithin('s.created_at'),
  },
  id: 's.id',
  sql: ({ organizationId }, { page }) =>
    `${SELECT_SUBSCRIPTIONS} where s.organization_id = ${organizationId} and ${page}`,
});
