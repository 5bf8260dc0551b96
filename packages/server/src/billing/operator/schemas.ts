import { type Static, Type } from 'typebox';
import { VISIBLE_LINES } from '../../http/index.ts';
import { idPattern } from '../../ids/index.ts';
import { Currency, Invoice, Subscription, Timestamp } from '../schemas.ts';

const OrganizationId = Type.String({ pattern: idPattern('organization') });

/** A subscription as the vendor sees it. */
export const OperatorSubscription = Type.Object(
  { organization_id: OrganizationId, ...Subscription.properties },
  { title: 'OperatorSubscription' },
);

/** An invoice as the vendor sees it. */
export const OperatorInvoice = Type.Object(
  {
    organization_id: OrganizationId,
    buyer_name: Type.String({ description: 'The name that the invoice is addressed to.' }),
    ...Invoice.properties,
  },
  { title: 'OperatorInvoice' },
);
export type OperatorInvoice = Static<typeof OperatorInvoice>;

/** The same limit as for a price in the catalogue: ten million in a currency with two decimals. */
const MAX_CREDIT = 1_000_000_000;

export const CreditInput = Type.Object(
  {
    organization_id: OrganizationId,
    amount: Type.Integer({ minimum: 1, maximum: MAX_CREDIT, description: 'In minor currency units.' }),
    currency: Currency,
    reason: Type.String({
      minLength: 1,
      maxLength: 1_000,
      pattern: VISIBLE_LINES,
      description: 'Why the credit is granted. The customer sees it.',
    }),
  },
  { additionalProperties: false },
);
export type CreditInput = Static<typeof CreditInput>;

/** Credit that the vendor granted. */
export const Credit = Type.Object(
  {
    id: Type.String({ pattern: idPattern('creditEntry') }),
    organization_id: OrganizationId,
    amount: Type.Integer({ description: 'In minor currency units.' }),
    currency: Currency,
    reason: Type.String(),
    credit_balance: Type.Integer({
      description: "The organization's credit balance in this currency, including this credit.",
    }),
    created_at: Timestamp,
  },
  { title: 'Credit' },
);
export type Credit = Static<typeof Credit>;
