import { type Static, Type } from 'typebox';

/** The body of POST /v1/sandbox/payment-methods. An invalid card is refused with validation_failed. */
export const CardInput = Type.Object(
  {
    number: Type.String({
      pattern: '^[0-9 -]{12,30}$',
      description: 'A test card number. Spaces and hyphens are ignored.',
    }),
    exp_month: Type.Integer({ description: 'The expiry month, 1 to 12.' }),
    exp_year: Type.Integer({ description: 'The year with four digits.' }),
    cvc: Type.String({ pattern: '^[0-9]{1,6}$', description: 'Any three digits, or four for American Express.' }),
  },
  { additionalProperties: false },
);
export type CardInput = Static<typeof CardInput>;

/** A card created from a test number, to be attached or used for one payment. */
export const MadePaymentMethod = Type.Object(
  {
    id: Type.String({ description: 'Use it once as `payment_method_id`, in any organization.' }),
    type: Type.Literal('card'),
    card: Type.Object({
      brand: Type.String(),
      last4: Type.String({ pattern: '^[0-9]{4}$' }),
      exp_month: Type.Integer(),
      exp_year: Type.Integer(),
    }),
  },
  { title: 'SandboxPaymentMethod' },
);
export type MadePaymentMethod = Static<typeof MadePaymentMethod>;

/** The body of POST /v1/sandbox/payments/confirm. */
export const ConfirmationInput = Type.Object(
  {
    client_secret: Type.String({ minLength: 1, maxLength: 255 }),
    outcome: Type.Enum(['succeed', 'fail'], { description: 'Whether the customer authenticates the payment.' }),
  },
  { additionalProperties: false },
);
export type ConfirmationInput = Static<typeof ConfirmationInput>;

/** The outcome of the customer's action. */
export const ConfirmedPayment = Type.Object(
  {
    status: Type.Enum(['succeeded', 'declined', 'processing', 'requires_action', 'canceled', 'unknown']),
    decline_code: Type.Union([Type.String(), Type.Null()], { description: 'Why the payment was declined.' }),
  },
  { title: 'SandboxPayment' },
);
export type ConfirmedPayment = Static<typeof ConfirmedPayment>;
