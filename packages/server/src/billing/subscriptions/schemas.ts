import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { PlanSummary } from '../plans/schemas.ts';
import { Currency, Timestamp, timestampOrNull } from '../schemas.ts';

const SUBSCRIPTION_STATUSES = ['incomplete', 'active', 'past_due', 'canceled', 'expired'] as const;

const Quantity = Type.Integer({ minimum: 1, maximum: 10_000, description: 'The number of seats.' });

const AppliedCoupon = Type.Object(
  {
    id: Type.String({ pattern: idPattern('coupon') }),
    code: Type.String(),
    percent_off: Type.Union([Type.Integer({ minimum: 1, maximum: 100 }), Type.Null()], {
      description: 'Null when a fixed amount is taken off.',
    }),
    amount_off: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'In minor units of the currency; null when a percentage is taken off.',
    }),
    currency: Type.Union([Currency, Type.Null()], { description: 'Of the amount; null with a percentage.' }),
    duration: Type.Enum(['once', 'repeating', 'forever']),
    duration_months: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'How many months a repeating coupon counts for; null for the others.',
    }),
  },
  { title: 'AppliedCoupon' },
);

/**
 * A change that waits to be paid. Without the provider's client secret: this is what everybody may read and what events
 * carry, while the secret is for whoever asked for the change, in the answer to that request alone.
 */
const PendingChange = Type.Object(
  {
    quantity: Quantity,
    plan_id: Type.String({ pattern: idPattern('plan') }),
    expires_at: Timestamp,
  },
  { title: 'PendingChange' },
);

/** A subscription as the API shows one. */
export const Subscription = Type.Object(
  {
    id: Type.String({ pattern: idPattern('subscription') }),
    status: Type.Enum([...SUBSCRIPTION_STATUSES]),
    plan: PlanSummary,
    quantity: Quantity,
    current_period_start: Timestamp,
    current_period_end: Timestamp,
    cancel_at_period_end: Type.Boolean(),
    created_at: Timestamp,
    canceled_at: timestampOrNull('When it was asked to be canceled; null when it was not.'),
    ended_at: timestampOrNull('When it ended for good; null while it lives.'),
    coupon: Type.Union([AppliedCoupon, Type.Null()]),
    latest_invoice_id: Type.Union([Type.String({ pattern: idPattern('invoice') }), Type.Null()]),
    license_id: Type.Union([Type.String({ pattern: idPattern('license') }), Type.Null()], {
      description: 'The license that it pays for; null until the first payment.',
    }),
    requires_action: Type.Boolean({ description: 'Whether a payment waits for the customer to authenticate it.' }),
    pending_change: Type.Union([PendingChange, Type.Null()], {
      description: 'A change that takes effect when it is paid; null when none waits.',
    }),
  },
  { title: 'Subscription' },
);
