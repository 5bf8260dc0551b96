import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Currency, Timestamp, timestampOrNull } from '../schemas.ts';

/** A draft has no number yet; of the others only an open one still changes. */
export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

const minorUnits = (description: string) => Type.Integer({ minimum: 0, description });

const InvoiceLine = Type.Object(
  {
    description: Type.String(),
    quantity: Type.Integer({ minimum: 1 }),
    unit_amount: Type.Integer({ description: 'In minor units of the currency; negative where something is credited.' }),
    amount: Type.Integer({ description: 'Always quantity times unit_amount.' }),
  },
  { title: 'InvoiceLine' },
);
export type InvoiceLine = Static<typeof InvoiceLine>;

/** An invoice as the API shows one. */
export const Invoice = Type.Object(
  {
    id: Type.String({ pattern: idPattern('invoice') }),
    number: Type.Union([Type.String(), Type.Null()], {
      description: 'For people, without gaps in an organization; null while it is a draft.',
    }),
    status: Type.Enum([...INVOICE_STATUSES]),
    subscription_id: Type.String({ pattern: idPattern('subscription') }),
    period_start: Timestamp,
    period_end: Timestamp,
    subtotal: minorUnits('What the seats cost, in minor units of the currency.'),
    discount: minorUnits('What a coupon takes off, in minor units of the currency.'),
    credit_applied: minorUnits('What credit of earlier changes takes off, in minor units of the currency.'),
    amount_due: minorUnits('In minor units of the currency, after credit and discounts.'),
    amount_paid: minorUnits('In minor units of the currency.'),
    currency: Currency,
    created_at: Timestamp,
    paid_at: timestampOrNull('Null until it is paid.'),
    closed_at: timestampOrNull('When it was paid, made void or given up; null while it is open.'),
    pdf_url: Type.String({ format: 'uri', description: 'Where the invoice is as a PDF; it wants a token, too.' }),
    lines: Type.Array(InvoiceLine),
  },
  { title: 'Invoice' },
);
export type Invoice = Static<typeof Invoice>;
