import { type Static, Type } from 'typebox';
import { WITHOUT_NUL } from '../http/index.ts';
import { idPattern } from '../ids/index.ts';

export const Timestamp = Type.String({ format: 'date-time' });

/** A time that may not have come yet; the description says what null means. */
export const timestampOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const Currency = Type.String({ pattern: '^[a-z]{3}$', description: 'An ISO 4217 code in lowercase.' });

/**
 * The policy of licenses, as set on a product, a plan, or a license. Fields that none of them sets have defaults. Times
 * in seconds.
 */
export const POLICY_FIELDS = {
  activation: Type.Enum(['account', 'key'], { description: 'account or key' }),
  max_offline_seconds: Type.Integer({
    minimum: 0,
    maximum: 31_536_000,
    description: 'a whole number of seconds from 0 to 31,536,000',
  }),
  min_online_seats: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    description: 'a whole number of seats from 0 to 100,000',
  }),
  max_activations: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'a whole number from 1 to 1,000,000',
  }),
  node_locked: Type.Boolean({ description: 'true or false' }),
  heartbeat_interval: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'a whole number of seconds from 1 to 86,400',
  }),
  session_timeout: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    description: 'a whole number of seconds from 1 to 604,800',
  }),
};

/** The fields set on one of the three; absent fields are inherited. */
export const PolicyOverrides = Type.Partial(Type.Object(POLICY_FIELDS, { additionalProperties: false }));
export type PolicyOverrides = Static<typeof PolicyOverrides>;

/** The value of a license's feature: whether it is included, how much, or which one. */
export const FeatureValue = Type.Union(
  [Type.Boolean(), Type.Number(), Type.String({ maxLength: 255, published: { pattern: WITHOUT_NUL } })],
  {
    title: 'FeatureValue',
    description: 'true, false, a number, or a string of at most 255 characters',
  },
);

export type FeatureValue = Static<typeof FeatureValue>;

/** The part of a plan that a subscription shows; a plan's own page begins with the same members. */
export const PlanSummary = Type.Object(
  {
    id: Type.String({ pattern: idPattern('plan') }),
    name: Type.String(),
    price: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'The price of one seat for one interval, in minor currency units. Null if the plan is sold by contact.',
    }),
    currency: Currency,
    interval: Type.Literal('month'),
  },
  { title: 'PlanSummary' },
);
export type PlanSummary = Static<typeof PlanSummary>;

export const SUBSCRIPTION_STATUSES = ['incomplete', 'active', 'past_due', 'canceled', 'expired'] as const;

export const Quantity = Type.Integer({ minimum: 1, maximum: 10_000, description: 'The number of seats.' });

/** The coupon that a subscription was bought with. */
export const AppliedCoupon = Type.Object(
  {
    id: Type.String({ pattern: idPattern('coupon') }),
    code: Type.String(),
    percent_off: Type.Union([Type.Integer({ minimum: 1, maximum: 100 }), Type.Null()], {
      description: 'The percentage off. Null for a fixed-amount coupon.',
    }),
    amount_off: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'The amount off, in minor currency units. Null for a percentage coupon.',
    }),
    currency: Type.Union([Currency, Type.Null()], {
      description: 'The currency of the amount. Null for a percentage coupon.',
    }),
    duration: Type.Enum(['once', 'repeating', 'forever']),
    duration_months: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'The number of months that a repeating coupon applies. Null for other coupons.',
    }),
  },
  { title: 'AppliedCoupon' },
);
export type AppliedCoupon = Static<typeof AppliedCoupon>;

/**
 * A change that waits to be paid. Without the provider's client secret: this is visible to every reader and part of
 * events, while the secret is only in the response to the request for the change.
 */
export const PendingChange = Type.Object(
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
    canceled_at: timestampOrNull('When the cancellation was requested. Null if it was not.'),
    ended_at: timestampOrNull('When the subscription ended. Null while it is live.'),
    coupon: Type.Union([AppliedCoupon, Type.Null()]),
    latest_invoice_id: Type.Union([Type.String({ pattern: idPattern('invoice') }), Type.Null()]),
    license_id: Type.Union([Type.String({ pattern: idPattern('license') }), Type.Null()], {
      description: 'The license of the subscription. Null until the first payment.',
    }),
    requires_action: Type.Boolean({ description: 'Whether the customer must authenticate a payment.' }),
    pending_change: Type.Union([PendingChange, Type.Null()], {
      description: 'A change that takes effect when it is paid. Null if there is none.',
    }),
  },
  { title: 'Subscription' },
);

/** A draft has no number yet; of the others, only an open one can still change. */
export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

const minorUnits = (description: string) => Type.Integer({ minimum: 0, description });

export const InvoiceLine = Type.Object(
  {
    description: Type.String(),
    quantity: Type.Integer({ minimum: 1 }),
    unit_amount: Type.Integer({ description: 'In minor currency units. Negative for credits.' }),
    amount: Type.Integer({ description: 'Always `quantity` × `unit_amount`.' }),
  },
  { title: 'InvoiceLine' },
);
export type InvoiceLine = Static<typeof InvoiceLine>;

export const InvoiceTaxLine = Type.Object(
  {
    name: Type.String(),
    percent: Type.String({ description: 'A decimal number, for example 19.0.' }),
    taxable: Type.Integer({ description: 'The taxable amount, in minor currency units.' }),
    amount: Type.Integer({ description: 'In minor currency units.' }),
  },
  { title: 'InvoiceTaxLine' },
);
export type InvoiceTaxLine = Static<typeof InvoiceTaxLine>;

/**
 * The totals below the lines of invoices and previews. The lines sum to
 * `subtotal`; neither the discount nor the credit is one of them.
 */
export const TOTALS = {
  subtotal: minorUnits('The sum of the lines, in minor currency units.'),
  discount: minorUnits('The coupon discount, in minor currency units.'),
  tax: minorUnits('The sum of the tax lines, in minor currency units.'),
  tax_lines: Type.Array(InvoiceTaxLine, { description: 'One for each tax rate. Empty if there is no tax.' }),
  total: minorUnits('`subtotal` − `discount` + `tax`, in minor currency units.'),
  credit_applied: minorUnits('The credit applied to this invoice, in minor currency units.'),
  amount_due: minorUnits('`total` − `credit_applied`, in minor currency units.'),
};

/** An invoice as the API shows one. */
export const Invoice = Type.Object(
  {
    id: Type.String({ pattern: idPattern('invoice') }),
    number: Type.Union([Type.String(), Type.Null()], {
      description: 'The human-readable number, without gaps within an organization. Null while the invoice is a draft.',
    }),
    status: Type.Enum([...INVOICE_STATUSES]),
    subscription_id: Type.String({ pattern: idPattern('subscription') }),
    period_start: Timestamp,
    period_end: Timestamp,
    ...TOTALS,
    coupon_code: Type.Union([Type.String(), Type.Null()], {
      description: 'The coupon that was applied. Null if there is none.',
    }),
    amount_paid: minorUnits('In minor currency units.'),
    currency: Currency,
    created_at: Timestamp,
    paid_at: timestampOrNull('Null until it is paid.'),
    closed_at: timestampOrNull('When it was paid, voided, or marked uncollectible. Null while it is open.'),
    pdf_url: Type.String({ format: 'uri', description: 'The URL of the PDF. Downloading it requires a token.' }),
    lines: Type.Array(InvoiceLine),
  },
  { title: 'Invoice' },
);
export type Invoice = Static<typeof Invoice>;

const Card = Type.Object(
  {
    brand: Type.String({
      description: 'The card brand in lowercase, as the payment provider names it, for example visa or mastercard.',
    }),
    last4: Type.String({ pattern: '^[0-9]{4}$' }),
    exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
    exp_year: Type.Integer({ minimum: 2000, maximum: 9999 }),
  },
  { title: 'Card' },
);

/** A payment method as the API shows one. */
export const PaymentMethod = Type.Object(
  {
    id: Type.String({ pattern: idPattern('paymentMethod') }),
    type: Type.Literal('card'),
    card: Card,
    is_default: Type.Boolean({ description: 'Whether renewals are charged to it.' }),
    created_at: Timestamp,
  },
  { title: 'PaymentMethod' },
);
