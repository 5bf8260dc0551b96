import { type Static, Type } from 'typebox';
import { defineEvent } from '../events/index.ts';
import { idPattern } from '../ids/index.ts';
import {
  FeatureValue,
  Invoice,
  PaymentMethod,
  PolicyOverrides,
  Subscription,
  Timestamp,
  timestampOrNull,
} from './schemas.ts';

const SubscriptionId = Type.String({ pattern: idPattern('subscription') });
const PlanId = Type.String({ pattern: idPattern('plan') });

const SubscriptionTold = Type.Object(
  { ...Subscription.properties, subscription_id: SubscriptionId, plan_id: PlanId },
  { title: 'SubscriptionEventObject' },
);
/** Exactly the members that service.md lists, of exactly those types. */
const SubscriptionCanceled = Type.Object(
  {
    subscription_id: SubscriptionId,
    plan_id: PlanId,
    cancel_at_period_end: Type.Boolean({ description: 'False if it was canceled immediately.' }),
    current_period_end: Timestamp,
    canceled_by: Type.String({
      pattern: `${idPattern('user')}|${idPattern('operatorToken')}`,
      description: 'The ID of the user or operator token that canceled it.',
    }),
    reason: Type.String({ description: 'The given reason. Empty if none was given.' }),
  },
  { additionalProperties: false },
);
const InvoiceTold = Type.Object(
  { ...Invoice.properties, invoice_id: Type.String({ pattern: idPattern('invoice') }) },
  { title: 'InvoiceEventObject' },
);
const InvoicePaymentFailed = Type.Object({
  ...InvoiceTold.properties,
  decline_code: Type.String({ description: 'The decline code from the payment provider.' }),
  next_attempt_at: timestampOrNull(
    'When the payment is retried automatically. Null if only a different card can help.',
  ),
});
const PaymentCredited = Type.Object({
  payment_id: Type.String({ pattern: idPattern('payment') }),
  subscription_id: Type.String({
    pattern: idPattern('subscription'),
    description: 'The subscription that the payment was for. If it never started, this ID cannot be retrieved.',
  }),
  invoice_id: Type.Union([Type.String({ pattern: idPattern('invoice') }), Type.Null()], {
    description: 'The invoice that the payment was for. Null if there is none.',
  }),
  amount: Type.Integer({ minimum: 1, description: 'In minor currency units.' }),
  currency: Type.String(),
  reason: Type.Enum(['ended', 'booked_as_failed', 'lost_record'], {
    description:
      '`ended`: the subscription or invoice was already closed. `booked_as_failed`: the payment was already recorded as failed. `lost_record`: the record of the payment was lost, for example by restoring a backup, and another amount is due now.',
  }),
  credit_balance: Type.Integer({
    minimum: 0,
    description: "The organization's credit balance including this payment, in minor currency units.",
  }),
  created_at: Timestamp,
});
const CreditGranted = Type.Object({
  credit_id: Type.String({ pattern: idPattern('creditEntry') }),
  amount: Type.Integer({ minimum: 1, description: 'In minor currency units.' }),
  currency: Type.String(),
  reason: Type.String({ description: "The vendor's reason." }),
  credit_balance: Type.Integer({
    minimum: 0,
    description: "The organization's credit balance including this credit, in minor currency units.",
  }),
  created_at: Timestamp,
});
const PaymentMethodTold = Type.Object(
  { ...PaymentMethod.properties, payment_method_id: Type.String({ pattern: idPattern('paymentMethod') }) },
  { title: 'PaymentMethodEventObject' },
);

const PLAN_ID = 'plan_01kagt2m8xf3q9wz5r7e6b4c1q';
const SUBSCRIPTION_ID = 'sub_01kagt2m8xf3q9wz5r7e6b4c1r';
const INVOICE_ID = 'inv_01kagt2m8xf3q9wz5r7e6b4c1s';
const PAYMENT_METHOD_ID = 'pm_01kagt2m8xf3q9wz5r7e6b4c1t';
const PERIOD_END = '2026-02-28T12:00:00.000Z';
const PAID_AT = '2026-01-31T12:00:02.000Z';

const SUBSCRIPTION: Static<typeof SubscriptionTold> = {
  id: SUBSCRIPTION_ID,
  subscription_id: SUBSCRIPTION_ID,
  plan_id: PLAN_ID,
  status: 'active',
  plan: { id: PLAN_ID, name: 'Pro', price: 2_900, currency: 'usd', interval: 'month' },
  quantity: 5,
  current_period_start: '2026-01-31T12:00:00.000Z',
  current_period_end: PERIOD_END,
  cancel_at_period_end: false,
  created_at: '2026-01-31T12:00:00.000Z',
  canceled_at: null,
  ended_at: null,
  coupon: null,
  latest_invoice_id: INVOICE_ID,
  license_id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1e',
  requires_action: false,
  pending_change: null,
};
const INVOICE: Static<typeof InvoiceTold> = {
  id: INVOICE_ID,
  invoice_id: INVOICE_ID,
  number: 'ACME-000001',
  status: 'open',
  subscription_id: SUBSCRIPTION_ID,
  period_start: '2026-01-31T12:00:00.000Z',
  period_end: PERIOD_END,
  subtotal: 14_500,
  discount: 0,
  coupon_code: null,
  tax: 0,
  tax_lines: [],
  total: 14_500,
  credit_applied: 0,
  amount_due: 14_500,
  amount_paid: 0,
  currency: 'usd',
  created_at: '2026-01-31T12:00:00.000Z',
  paid_at: null,
  closed_at: null,
  pdf_url: `https://localhost:8443/v1/invoices/${INVOICE_ID}/pdf`,
  lines: [{ description: 'Pro, 5 seats (Jan 31 – Feb 28, 2026)', quantity: 5, unit_amount: 2_900, amount: 14_500 }],
};
const PAYMENT_METHOD: Static<typeof PaymentMethodTold> = {
  id: PAYMENT_METHOD_ID,
  payment_method_id: PAYMENT_METHOD_ID,
  type: 'card',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
  is_default: true,
  created_at: '2026-01-31T11:59:00.000Z',
};

export const SUBSCRIPTION_CREATED = defineEvent({
  type: 'subscription.created',
  description:
    'A subscription was created. Its status is `incomplete` if the customer must authenticate the first payment.',
  schema: SubscriptionTold,
  example: SUBSCRIPTION,
});

export const SUBSCRIPTION_UPDATED = defineEvent({
  type: 'subscription.updated',
  description: 'The status, plan, quantity, period, or scheduled cancellation of a subscription changed.',
  schema: SubscriptionTold,
  example: { ...SUBSCRIPTION, quantity: 8 },
});

export const SUBSCRIPTION_CANCELED = defineEvent({
  type: 'subscription.canceled',
  description:
    'A subscription was canceled, immediately or at the end of the period. The object has exactly these members.',
  schema: SubscriptionCanceled,
  example: {
    subscription_id: SUBSCRIPTION_ID,
    plan_id: PLAN_ID,
    cancel_at_period_end: true,
    current_period_end: PERIOD_END,
    canceled_by: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
    reason: 'We finished the project.',
  },
});

export const SUBSCRIPTION_EXPIRED = defineEvent({
  type: 'subscription.expired',
  description:
    'A subscription ended: the period after which it was canceled is over (`canceled`), or it was not paid (`expired`).',
  schema: SubscriptionTold,
  example: {
    ...SUBSCRIPTION,
    status: 'canceled',
    cancel_at_period_end: true,
    canceled_at: '2026-02-10T09:30:00.000Z',
    ended_at: PERIOD_END,
  },
});

export const INVOICE_CREATED = defineEvent({
  type: 'invoice.created',
  description: 'An invoice was finalized. It has a number, and its amounts no longer change.',
  schema: InvoiceTold,
  example: INVOICE,
});

export const INVOICE_PAID = defineEvent({
  type: 'invoice.paid',
  description: 'An invoice was paid.',
  schema: InvoiceTold,
  example: { ...INVOICE, status: 'paid', amount_paid: 14_500, paid_at: PAID_AT, closed_at: PAID_AT },
});

export const INVOICE_PAYMENT_FAILED = defineEvent({
  type: 'invoice.payment_failed',
  description: 'A payment for an invoice was declined.',
  schema: InvoicePaymentFailed,
  example: { ...INVOICE, decline_code: 'insufficient_funds', next_attempt_at: '2026-02-02T12:00:00.000Z' },
});

export const PAYMENT_METHOD_ATTACHED = defineEvent({
  type: 'payment_method.attached',
  description: 'A payment method was attached.',
  schema: PaymentMethodTold,
  example: PAYMENT_METHOD,
});

export const PAYMENT_METHOD_REMOVED = defineEvent({
  type: 'payment_method.removed',
  description: 'A payment method was removed. The object shows its last state.',
  schema: PaymentMethodTold,
  example: { ...PAYMENT_METHOD, is_default: false },
});

export const PAYMENT_CREDITED = defineEvent({
  type: 'payment.credited',
  description:
    "A payment succeeded too late: its subscription or invoice was already closed, or the payment was already recorded as failed. This event is also sent if the record of a payment was lost and then found at the payment provider with an amount other than what is due now. The amount was added to the organization's credit and applies to its next invoices.",
  schema: PaymentCredited,
  example: {
    payment_id: 'pay_01kagt2m8xf3q9wz5r7e6b4c1v',
    subscription_id: SUBSCRIPTION_ID,
    invoice_id: INVOICE_ID,
    amount: 14_500,
    currency: 'usd',
    reason: 'ended',
    credit_balance: 14_500,
    created_at: '2026-02-01T08:15:00.000Z',
  },
});

export const CREDIT_GRANTED = defineEvent({
  type: 'credit.granted',
  description: 'The vendor granted credit. It applies to the next invoices in its currency.',
  schema: CreditGranted,
  example: {
    credit_id: 'cred_01kagt2m8xf3q9wz5r7e6b4c1w',
    amount: 5_000,
    currency: 'usd',
    reason: 'Compensation for the outage on 20 January',
    credit_balance: 5_000,
    created_at: '2026-02-01T08:15:00.000Z',
  },
});

/** The room's part of the catalogue. */
export const BILLING_EVENTS = [
  SUBSCRIPTION_CREATED,
  SUBSCRIPTION_UPDATED,
  SUBSCRIPTION_CANCELED,
  SUBSCRIPTION_EXPIRED,
  INVOICE_CREATED,
  INVOICE_PAID,
  INVOICE_PAYMENT_FAILED,
  PAYMENT_CREDITED,
  CREDIT_GRANTED,
  PAYMENT_METHOD_ATTACHED,
  PAYMENT_METHOD_REMOVED,
];

const SecondsOrNull = Type.Union([Type.Integer(), Type.Null()]);

/** The entitlement of a subscription from now on: the license that it pays for. */
const Entitlement = Type.Object({
  subscription_id: Type.String(),
  license_id: Type.String(),
  product: Type.String(),
  max_seats: Type.Integer(),
  features: Type.Record(Type.String(), FeatureValue),
  /** ISO 8601. */
  expires_at: Type.String(),
  /** Whether the license renews automatically, so that no expiry warning is sent. */
  renews: Type.Boolean(),
  /** Whether it has ended for good: no more of its seats can be taken. */
  ended: Type.Boolean(),
  heartbeat_interval_seconds: SecondsOrNull,
  session_timeout_seconds: SecondsOrNull,
  policy: PolicyOverrides,
});
export type Entitlement = Static<typeof Entitlement>;

/**
 * For licensing, which creates or updates the licenses in the same transaction. One event holds any number of them, so
 * that many renewals take no more statements than a single one.
 */
export const ENTITLEMENTS_CHANGED = defineEvent({
  type: 'billing.entitlements.changed',
  description: 'The entitlements of subscriptions changed.',
  schema: Type.Object({ entitlements: Type.Array(Entitlement) }),
  example: { entitlements: [] },
  isInternal: true,
});
