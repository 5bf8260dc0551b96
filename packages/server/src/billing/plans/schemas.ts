import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Currency } from '../schemas.ts';

/** The part of a plan that a subscription shows; a plan's own page begins with the same members. */
export const PlanSummary = Type.Object(
  {
    id: Type.String({ pattern: idPattern('plan') }),
    name: Type.String(),
    price: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Of one seat for one interval, in minor units of the currency; null when sold by contact.',
    }),
    currency: Currency,
    interval: Type.Literal('month'),
  },
  { title: 'PlanSummary' },
);
export type PlanSummary = Static<typeof PlanSummary>;

/** What a plan promises. The same keys on every plan (service.md "Plan"). */
const PlanFeatures = Type.Object(
  {
    seats: Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('unlimited')], {
      description: 'The most seats that a subscription can have: a number, or `unlimited`.',
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
      Type.Literal(true, { description: 'Only on the plan that is sold by contact: nobody can subscribe to it here.' }),
    ),
    features: PlanFeatures,
  },
  { title: 'Plan' },
);
export type Plan = Static<typeof Plan>;
