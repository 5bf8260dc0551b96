import { type Static, Type } from 'typebox';

/** The body of POST /v1/payment-methods. */
export const PaymentMethodInput = Type.Object(
  {
    payment_method_id: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,255}$',
      description: "The payment provider's ID, or the name of a test card in the sandbox.",
    }),
    set_default: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to use it for renewals from now on.' }),
    ),
  },
  { additionalProperties: false },
);
export type PaymentMethodInput = Static<typeof PaymentMethodInput>;
