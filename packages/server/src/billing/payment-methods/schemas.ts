import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Timestamp } from '../schemas.ts';

const Card = Type.Object(
  {
    brand: Type.String({ description: 'In lower case, as the payment provider names it: visa, mastercard …' }),
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

/** The body of POST /v1/payment-methods. */
export const PaymentMethodInput = Type.Object(
  {
    payment_method_id: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,255}$',
      description: "The payment provider's identifier of it, or in the sandbox the name of a test card.",
    }),
    set_default: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether renewals are charged to it from now on.' }),
    ),
  },
  { additionalProperties: false },
);
export type PaymentMethodInput = Static<typeof PaymentMethodInput>;
