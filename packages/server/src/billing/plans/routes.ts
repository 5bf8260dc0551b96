import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type ListDefinition, type Route } from '../../http/index.ts';
import { getPlan, listPlans } from './read-plans.ts';
import { Plan } from './schemas.ts';

/** The endpoints at /v1/plans: what is on sale, for anybody. */
export function planRoutes(): Route[] {
  return [LIST, GET_ONE];
}

const SHARED = { tag: 'Plans', access: ACCESS.public, isForAnyOrigin: true, countsOwner: true } as const;

const PLAN_LIST: ListDefinition = {
  defaultSort: 'price',
  sorts: { price: 'integer', name: 'text' },
  filters: { interval: { kind: 'enum', values: ['month'] }, currency: { kind: 'text' } },
};

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
  description: 'For teams that work with it every day.',
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
  description: 'For trying it out and for very small teams.',
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
    'Those on sale, the cheapest first. A plan that is sold by contact has no price and stands after all others, or before them with `sort=-price`. No token is needed.',
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
  description: 'A plan, also one that is no longer on sale: subscriptions to it live on. No token is needed.',
  params: Type.Object({ plan_id: Type.String() }),
  status: 200,
  response: Plan,
  errors: { not_found: HTTP_ERRORS.not_found },
  example: { data: EXAMPLE_PRO },
  handle: async (context, { params }) => ({ data: await getPlan(context, params.plan_id) }),
});
