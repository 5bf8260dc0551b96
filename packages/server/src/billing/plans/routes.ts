import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { getPlan } from './get-plan.ts';
import { listPlans } from './list-plans.ts';
import { PLAN_LIST } from './plan-list.ts';
import { Plan } from './schemas.ts';

/** The endpoints at /v1/plans: the plans on sale. They need no token. */
export function planRoutes(): Route[] {
  return [LIST, GET_ONE];
}

const SHARED = { tag: 'Plans', access: ACCESS.public, isForAnyOrigin: true, countsOwner: true } as const;

const NO_FEATURES = {
  ai_assistance: false,
  cloud_workstations: false,
  priority_support: false,
  sso: false,
  audit_logs: false,
  dedicated_support: false,
};

const EXAMPLE_PRO = {
  id: 'plan_01k9m2v5x8e4bt3q6r7s8t9vwx',
  name: 'Pro',
  description: 'For teams that use it every day.',
  price: 2900,
  currency: 'usd',
  interval: 'month',
  features: {
    ...NO_FEATURES,
    seats: 'unlimited',
    ai_assistance: true,
    cloud_workstations: true,
    priority_support: true,
  },
};

const EXAMPLE_FREE = {
  ...EXAMPLE_PRO,
  id: 'plan_01k9m2v5x8e4bt3q6r7s8t9vww',
  name: 'Free',
  description: 'For evaluation and very small teams.',
  price: 0,
  features: { ...NO_FEATURES, seats: 3 },
};

const LIST = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/plans',
  operationId: 'listPlans',
  summary: 'List plans',
  description:
    'Lists the plans that are available, cheapest first. A plan sold by contact has no price and is listed last, or first with `sort=-price`.',
  list: PLAN_LIST,
  status: 200,
  response: Plan,
  errors: {},
  example: { data: [EXAMPLE_FREE, EXAMPLE_PRO] },
  handle: (context, { page }) => listPlans(context, page),
});

const GET_ONE = defineRoute({
  ...SHARED,
  method: 'GET',
  path: '/v1/plans/{plan_id}',
  operationId: 'getPlan',
  summary: 'Get a plan',
  description: 'Also returns plans that are no longer available, because existing subscriptions keep them.',
  params: Type.Object({ plan_id: Type.String() }),
  status: 200,
  response: Plan,
  errors: { not_found: HTTP_ERRORS.not_found },
  example: { data: EXAMPLE_PRO },
  handle: async (context, { params }) => ({ data: await getPlan(context, params.plan_id) }),
});
