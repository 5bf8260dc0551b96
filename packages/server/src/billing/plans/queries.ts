import { maybeOne, statement } from '../../database/index.ts';
import type { PlanRow } from './plan-row.ts';

export { maxQuantityOf, type PlanRow } from './plan-row.ts';
export { presentPlan, presentPlanSummary } from './present-plan.ts';

/** The columns of a PlanRow. */
export const PLAN_COLUMNS = `id, key, name, description, price, currency, interval, contact_sales, tier, product, features,
  license_features, included, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds,
  archived_at is not null as is_archived`;

/** A plan, archived or not. */
export const findPlan = statement({
  name: 'find_plan',
  parameters: { planId: 'text' },
  returns: maybeOne<PlanRow>(),
  sql: ({ planId }) => `select ${PLAN_COLUMNS} from plans where id = ${planId}`,
});

/**
 * The same for selling it: until the transaction ends, no catalogue is applied that could change its price, and one that is
 * applied afterwards finds what this transaction wrote, and refuses. It is the weakest lock that keeps `for update` off;
 * subscriptions take it as well, by their foreign key.
 */
export const lockPlanForSale = statement({
  name: 'hold_plan',
  parameters: { planId: 'text' },
  returns: maybeOne<PlanRow>(),
  sql: ({ planId }) => `select ${PLAN_COLUMNS} from plans where id = ${planId} for key share`,
});
