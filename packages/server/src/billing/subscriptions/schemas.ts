import { type Static, Type } from 'typebox';
import { SecretText } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import {
  AppliedCoupon,
  Currency,
  InvoiceLine,
  PendingChange,
  Quantity,
  SUBSCRIPTION_STATUSES,
  Subscription,
  Timestamp,
  TOTALS,
} from '../schemas.ts';

const PlanId = Type.String({ minLength: 1, maxLength: 128 });
const CouponCode = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));

/** The query of GET /v1/subscriptions/preview: an order without a payment method. */
export const Order = Type.Object(
  { plan_id: PlanId, quantity: Quantity, coupon_code: CouponCode },
  { additionalProperties: false },
);
export type Order = Static<typeof Order>;

/** The body of POST /v1/subscriptions. */
export const SubscriptionInput = Type.Object(
  {
    plan_id: PlanId,
    quantity: Quantity,
    payment_method_id: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[A-Za-z0-9_]+$',
      description: 'A payment method ID from the payment provider, or the ID of an attached payment method.',
    }),
    coupon_code: CouponCode,
  },
  { additionalProperties: false },
);
export type SubscriptionInput = Static<typeof SubscriptionInput>;

const ClientSecret = SecretText(
  "The payment provider's client secret to confirm the payment with. Empty if nothing was due.",
);

/** The answer of creating a subscription. */
export const CreatedSubscription = Type.Object(
  {
    id: Type.String({ pattern: idPattern('subscription') }),
    status: Type.Enum([...SUBSCRIPTION_STATUSES]),
    client_secret: ClientSecret,
    requires_action: Type.Boolean({ description: 'Whether the customer must authenticate the payment.' }),
  },
  { title: 'CreatedSubscription' },
);

/** The body of PATCH /v1/subscriptions/{subscription_id}: at least one of them. */
export const SubscriptionChange = Type.Object(
  { quantity: Type.Optional(Quantity), plan_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })) },
  { additionalProperties: false, published: { minProperties: 1 } },
);
export type SubscriptionChange = Static<typeof SubscriptionChange>;

/** A subscription in the answer to the request that changed it: a pending change includes the secret to pay it. */
export const ChangedSubscription = Type.Object(
  {
    ...Subscription.properties,
    pending_change: Type.Union(
      [Type.Object({ ...PendingChange.properties, client_secret: ClientSecret }), Type.Null()],
      { description: 'A change that takes effect when it is paid. Null if there is none.' },
    ),
  },
  { title: 'ChangedSubscription' },
);

/** The body of POST /v1/subscriptions/{subscription_id}/cancel. */
export const Cancellation = Type.Object(
  {
    cancel_immediately: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'If false, the subscription is canceled at the end of the current period.',
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  { additionalProperties: false },
);
export type Cancellation = Static<typeof Cancellation>;

/** The current cost of an order. */
export const OrderPreview = Type.Object(
  {
    plan_id: Type.String({ pattern: idPattern('plan') }),
    quantity: Quantity,
    coupon: Type.Union([AppliedCoupon, Type.Null()], {
      description: 'The coupon for the code. Null if no code was sent.',
    }),
    lines: Type.Array(InvoiceLine, { description: 'The lines of the first invoice.' }),
    ...TOTALS,
    currency: Currency,
    next_period_amount: Type.Integer({ minimum: 0, description: 'The price of the next period, before credit.' }),
  },
  { title: 'OrderPreview' },
);

/** The current cost of a change. */
export const ChangePreview = Type.Object(
  {
    quantity: Quantity,
    plan_id: Type.String({ pattern: idPattern('plan') }),
    proration_at: Timestamp,
    amount: Type.Integer({
      description: 'In minor currency units, after discounts. Charged if positive, credited if negative.',
    }),
    lines: Type.Array(InvoiceLine, {
      description: 'The lines of the invoice for this change. Empty if nothing would be charged.',
    }),
    ...TOTALS,
    credit_added: Type.Integer({
      minimum: 0,
      description: 'The amount that would become credit for the next invoices.',
    }),
    carried: Type.Integer({
      minimum: 0,
      description: 'An amount too small to charge now. It is billed with the next change or renewal.',
    }),
    currency: Currency,
    description: Type.String({ description: 'The description as it appears on the invoice.' }),
    next_period_amount: Type.Integer({ minimum: 0, description: 'The price of the next period, before credit.' }),
  },
  { title: 'ChangePreview' },
);
