import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { InvoiceLine, TOTALS } from '../invoices/schemas.ts';
import { PlanSummary } from '../plans/schemas.ts';
import { Currency, Timestamp, timestampOrNull } from '../schemas.ts';

export const SUBSCRIPTION_STATUSES = ['incomplete', 'active', 'past_due', 'canceled', 'expired'] as const;

const Quantity = Type.Integer({ minimum: 1, maximum: 10_000, description: 'The number of seats.' });

/** The coupon that a subscription was bought with. */
export const AppliedCoupon = Type.Object(
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
export type AppliedCoupon = Static<typeof AppliedCoupon>;

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

/** The body of POST /v1/subscriptions. */
export const SubscriptionInput = Type.Object(
  {
    plan_id: Type.String({ minLength: 1, maxLength: 128 }),
    quantity: Quantity,
    payment_method_id: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[A-Za-z0-9_]+$',
      description: "The payment provider's id of a method, or that of one which is attached already.",
    }),
    coupon_code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
);
export type SubscriptionInput = Static<typeof SubscriptionInput>;

const ClientSecret = Type.String({
  description: "The payment provider's secret to confirm the payment with; empty where nothing was to be paid.",
});

/** What creating a subscription answers. */
export const CreatedSubscription = Type.Object(
  {
    id: Type.String({ pattern: idPattern('subscription') }),
    status: Type.Enum([...SUBSCRIPTION_STATUSES]),
    client_secret: ClientSecret,
    requires_action: Type.Boolean({ description: 'Whether the customer must authenticate the payment.' }),
  },
  { title: 'CreatedSubscription' },
);

/** The body of PATCH /v1/subscriptions/{subscription_id}: one of them at least. */
export const SubscriptionChange = Type.Object(
  { quantity: Type.Optional(Quantity), plan_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })) },
  { additionalProperties: false },
);
export type SubscriptionChange = Static<typeof SubscriptionChange>;

/** A subscription as whoever asked for a change of it gets it: what waits to be paid comes with the secret to pay it. */
export const ChangedSubscription = Type.Object(
  {
    ...Subscription.properties,
    pending_change: Type.Union(
      [Type.Object({ ...PendingChange.properties, client_secret: ClientSecret }), Type.Null()],
      { description: 'A change that takes effect when it is paid; null when none waits.' },
    ),
  },
  { title: 'ChangedSubscription' },
);

/** The body of POST /v1/subscriptions/{subscription_id}/cancel. */
export const Cancellation = Type.Object(
  {
    cancel_immediately: Type.Optional(
      Type.Boolean({ default: false, description: 'False: at the end of the current period.' }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  { additionalProperties: false },
);
export type Cancellation = Static<typeof Cancellation>;

/** What a change would cost now. */
export const ChangePreview = Type.Object(
  {
    quantity: Quantity,
    plan_id: Type.String({ pattern: idPattern('plan') }),
    proration_at: Timestamp,
    amount: Type.Integer({
      description:
        'In minor units of the currency, discounts taken off: charged when positive, credited when negative.',
    }),
    lines: Type.Array(InvoiceLine, {
      description: 'The lines of the invoice for this change; empty if nothing would be charged.',
    }),
    ...TOTALS,
    credit_added: Type.Integer({ minimum: 0, description: 'What would become credit for the next invoices.' }),
    carried: Type.Integer({
      minimum: 0,
      description:
        'What is too little to be charged by itself: the next change of the period bills it, or its renewal.',
    }),
    currency: Currency,
    description: Type.String({ description: 'The description as it appears on the invoice.' }),
    next_period_amount: Type.Integer({ minimum: 0, description: 'What the next period would cost, before credit.' }),
  },
  { title: 'ChangePreview' },
);
