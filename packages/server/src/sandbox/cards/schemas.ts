import { type Static, Type } from 'typebox';

/** The body of POST /v1/sandbox/payment-methods. What is wrong with the card itself is told by validation_failed. */
export const CardInput = Type.Object(
  {
    number: Type.String({
      pattern: '^[0-9 -]{12,30}$',
      description: 'The number of a test card; blanks and hyphens are ignored.',
    }),
    exp_month: Type.Integer({ description: '1 to 12.' }),
    exp_year: Type.Integer({ description: 'With all four digits.' }),
    cvc: Type.String({ pattern: '^[0-9]{1,6}$', description: 'Any three digits; four of an American Express card.' }),
  },
  { additionalProperties: false },
);
export type CardInput = Static<typeof CardInput>;

/** A card that was made of a test number, to be attached or paid with once. */
export const MadePaymentMethod = Type.Object(
  {
    id: Type.String({ description: 'To be given as `payment_method_id`, by any organization, once.' }),
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

/** What the customer's act came to. */
export const ConfirmedPayment = Type.Object(
  {
    status: Type.Enum(['succeeded', 'declined', 'processing', 'requires_action', 'canceled', 'unknown']),
    decline_code: Type.Union([Type.String(), Type.Null()], { description: 'Why it was declined.' }),
  },
  { title: 'SandboxPayment' },
);
export type ConfirmedPayment = Static<typeof ConfirmedPayment>;
