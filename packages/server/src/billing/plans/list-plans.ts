import { type ListPage, notFound, type PageRequest, type RequestContext } from '../../http/index.ts';
import { PLAN_LIST } from './plan-list.ts';
import { presentPlan } from './present-plan.ts';
import { findPlan } from './queries.ts';
import type { Plan } from './schemas.ts';

/** A page of the plans on sale. */
export async function listPlans({ database }: RequestContext, page: PageRequest): Promise<ListPage<Plan>> {
  return PLAN_LIST.getPage(database, page, {}, presentPlan);
}

/** One plan, archived or not. Throws not_found. */
export async function getPlan({ database }: RequestContext, planId: string): Promise<Plan> {
  const row = await findPlan(database, { planId });
  if (row === undefined) {
    throw notFound('plan');
  }
  return presentPlan(row);
}
