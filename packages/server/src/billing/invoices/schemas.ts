import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Currency, Timestamp, timestampOrNull } from '../schemas.ts';

/** A draft has no number yet; of the others only an open one still changes. */
export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

const minorUnits = (description: string) => Type.Integer({ minimum: 0, description });

export const InvoiceLine = Type.Object(
  {
    description: Type.String(),
    quantity: Type.Integer({ minimum: 1 }),
    unit_amount: Type.Integer({ description: 'In minor units of the currency; negative where something is credited.' }),
    amount: Type.Integer({ description: 'Always quantity times unit_amount.' }),
  },
  { title: 'InvoiceLine' },
);
export type InvoiceLine = Static<typeof InvoiceLine>;

export const InvoiceTaxLine = Type.Object(
  {
    name: Type.String(),
    percent: Type.String({ description: 'A decimal number, such as 19.0.' }),
    taxable: Type.Integer({ description: 'The amount that is taxed, in minor units of the currency.' }),
    amount: Type.Integer({ description: 'In minor units of the currency.' }),
  },
  { title: 'InvoiceTaxLine' },
);
export type InvoiceTaxLine = Static<typeof InvoiceTaxLine>;

/**
 * The totals below the lines of invoices and previews. The lines sum to
 * `subtotal`; neither the discount nor the credit is one of them.
 */
export const TOTALS = {
  subtotal: minorUnits('The sum of the lines, in minor units of the currency.'),
  discount: minorUnits('The coupon discount, in minor units of the currency.'),
  tax: minorUnits('The sum of the tax lines, in minor units of the currency.'),
  tax_lines: Type.Array(InvoiceTaxLine, { description: 'One for each tax rate; empty if there is no tax.' }),
  total: minorUnits('subtotal - discount + tax, in minor units of the currency.'),
  credit_applied: minorUnits('The credit applied to this invoice, in minor units of the currency.'),
  amount_due: minorUnits('total - credit_applied, in minor units of the currency.'),
};

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
    ...TOTALS,
    coupon_code: Type.Union([Type.String(), Type.Null()], {
      description: 'The coupon that gives the discount; null if there is none.',
    }),
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
