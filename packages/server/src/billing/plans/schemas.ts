import { type Static, Type } from 'typebox';
import { PlanSummary } from '../schemas.ts';

/** The features of a plan. The same keys on every plan (service.md "Plan"). */
const PlanFeatures = Type.Object(
  {
    seats: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
      description: 'The maximum number of seats in a subscription, or `unlimited`.',
    }),
    ai_assistance: Type.Boolean(),
    cloud_workstations: Type.Boolean(),
    priority_support: Type.Boolean(),
    sso: Type.Boolean(),
    audit_logs: Type.Boolean(),
    dedicated_support: Type.Boolean(),
  },
  { title: 'PlanFeatures' },
);

/** A plan as the API shows one. */
export const Plan = Type.Object(
  {
    id: PlanSummary.properties.id,
    name: PlanSummary.properties.name,
    description: Type.String(),
    price: PlanSummary.properties.price,
    currency: PlanSummary.properties.currency,
    interval: PlanSummary.properties.interval,
    contact_sales: Type.Optional(
      Type.Literal(true, {
        description: 'Present only on a plan that is sold by contact. You cannot subscribe to it through the API.',
      }),
    ),
    features: PlanFeatures,
  },
  { title: 'Plan' },
);
export type Plan = Static<typeof Plan>;
