import type { ListPage, PageRequest, RequestContext } from '../../http/index.ts';
import { PLAN_LIST } from './plan-list.ts';
import { presentPlan } from './present-plan.ts';
import type { Plan } from './schemas.ts';

/** A page of the plans on sale. */
export async function listPlans({ database }: RequestContext, page: PageRequest): Promise<ListPage<Plan>> {
  return PLAN_LIST.getPage(database, page, {}, presentPlan);
}
