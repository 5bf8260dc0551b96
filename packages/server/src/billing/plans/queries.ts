import { sql } from 'kysely';
import { build, type Queries, type Statement } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { PlanRow } from './plan-row.ts';

export { maxQuantityOf, type PlanRow } from './plan-row.ts';
export { presentPlan, presentPlanSummary } from './present-plan.ts';

/** The columns of a PlanRow. */
export const PLAN_COLUMNS = `id, key, name, description, price, currency, interval, contact_sales, tier, product, features,
  license_features, included, grace_seconds, heartbeat_interval_seconds, session_timeout_seconds,
  archived_at is not null as is_archived`;

/** A plan, an archived one as well; undefined when there is none. */
export async function findPlan(database: Queries, planId: string): Promise<PlanRow | undefined> {
  return (await database.query(FIND_PLAN, [planId]))[0];
}

/**
 * The same for whoever is about to sell it: until the transaction ends, no catalogue is applied that could change its
 * price. A catalogue that is applied afterwards finds what this transaction wrote, and refuses.
 */
export async function holdPlan(tx: Queries, planId: string): Promise<PlanRow | undefined> {
  return (await tx.query(HOLD_PLAN, [planId]))[0];
}

/** A page of the plans that are on sale. */
export async function listPlans(database: Queries, page: PageRequest): Promise<PlanRow[]> {
  const { interval, currency } = page.filters;
  // Plans without a price come after all others, and before them when the order is turned round.
  const column = page.sort === 'price' ? 'price_order' : page.sort;
  let query = build
    .selectFrom('plans')
    .select(['id', 'key', 'name', 'description', 'price', 'currency', 'contact_sales', 'product'])
    .select(['grace_seconds', 'heartbeat_interval_seconds', 'session_timeout_seconds'])
    .select([
      sql<PlanRow['interval']>`"interval"`.as('interval'),
      sql<PlanRow['tier']>`tier`.as('tier'),
      sql<PlanRow['features']>`features`.as('features'),
      sql<PlanRow['license_features']>`license_features`.as('license_features'),
      sql<PlanRow['included']>`included`.as('included'),
      sql<boolean>`archived_at is not null`.as('is_archived'),
    ])
    .where('archived_at', 'is', null);
  if (interval !== undefined) {
    query = query.where('interval', '=', interval);
  }
  if (currency !== undefined) {
    query = query.where('currency', '=', currency.toLowerCase());
  }
  const paged = query.where(afterCursor(page, column)).orderBy(inOrder(page, column));
  return database.run(paged.limit(page.limit + 1).compile());
}

const FIND_PLAN: Statement<PlanRow> = {
  name: 'find_plan',
  text: `select ${PLAN_COLUMNS} from plans where id = $1`,
};

/** The weakest lock that keeps `for update` off; subscriptions take it as well, by referring to the plan. */
const HOLD_PLAN: Statement<PlanRow> = {
  name: 'hold_plan',
  text: `select ${PLAN_COLUMNS} from plans where id = $1 for key share`,
};
