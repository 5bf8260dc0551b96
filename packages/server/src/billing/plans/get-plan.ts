import { notFound, type RequestContext } from '../../http/index.ts';
import { presentPlan } from './present-plan.ts';
import { findPlan } from './queries.ts';
import type { Plan } from './schemas.ts';

/** One plan, archived or not. Throws not_found. */
export async function getPlan({ database }: RequestContext, planId: string): Promise<Plan> {
  const row = await findPlan(database, { planId });
  if (row === undefined) {
    throw notFound('plan');
  }
  return presentPlan(row);
}
