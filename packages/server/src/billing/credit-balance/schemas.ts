import { type Static, Type } from 'typebox';
import { Currency } from '../schemas.ts';

/** What the vendor owes an organization. */
export const CreditBalance = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        currency: Currency,
        balance: Type.Integer({ minimum: 1, description: 'In minor currency units.' }),
      }),
      { description: 'One for each currency in which there is credit, the largest first. Empty if there is none.' },
    ),
  },
  { title: 'CreditBalance' },
);
export type CreditBalance = Static<typeof CreditBalance>;
