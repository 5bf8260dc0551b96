import { Type } from 'typebox';
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
