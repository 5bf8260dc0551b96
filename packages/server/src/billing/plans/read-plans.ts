import { type ListPage, notFound, type PageRequest, type RequestContext, toPage } from '../../http/index.ts';
import { findPlan, listPlans as listPlanRows, type PlanRow, presentPlan } from './queries.ts';
import type { Plan } from './schemas.ts';

/** A page of the plans on sale. */
export async function listPlans({ database }: RequestContext, page: PageRequest): Promise<ListPage<Plan>> {
  const rows = await listPlanRows(database, page);
  return toPage(rows, page, (row) => ({ value: sortValue(row, page.sort), id: row.id }), presentPlan);
}

/** One plan, archived or not. Throws not_found. */
export async function getPlan({ database }: RequestContext, planId: string): Promise<Plan> {
  const row = await findPlan(database, planId);
  if (row === undefined) {
    throw notFound('plan');
  }
  return presentPlan(row);
}

/** The place of plans without a price: the largest bigint, as text since a JavaScript number would round it. */
const AFTER_ALL_PRICES = '9223372036854775807';

function sortValue({ name, price }: PlanRow, sort: string): string {
  return sort === 'name' ? name : price === null ? AFTER_ALL_PRICES : String(price);
}
