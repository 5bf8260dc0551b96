import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { Currency, Timestamp, timestampOrNull } from '../schemas.ts';

/** The status of a payment. An orphaned one collected money at the provider and has no explanation here. */
export const PAYMENT_STATUSES = [
  'pending',
  'requires_action',
  'processing',
  'succeeded',
  'declined',
  'canceled',
  'orphaned',
] as const;

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const countOrNull = (description: string) => Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });

/** A payment as the vendor sees it. */
export const ListedPayment = Type.Object(
  {
    id: Type.String({ pattern: idPattern('payment') }),
    organization_id: textOrNull('Null if the provider does not name the organization.'),
    subscription_id: textOrNull('Null if the provider does not name the subscription.'),
    invoice_id: textOrNull('The invoice that the payment is for.'),
    purpose: textOrNull('One of create, change, renewal, retry and pay.'),
    period_index: countOrNull('The billing period that the payment is for, counted from 0.'),
    attempt: countOrNull('The number of the attempt for that period, counted from 1.'),
    amount: Type.Integer({ minimum: 0, description: 'In minor currency units.' }),
    currency: Currency,
    status: Type.Enum([...PAYMENT_STATUSES]),
    payment_method_id: textOrNull('The payment method that was charged. Null for an orphaned payment.'),
    decline_code: textOrNull('Why the payment was declined.'),
    orphaned_because: textOrNull('Why the payment is orphaned. Null if it is not.'),
    provider: Type.Enum(['stripe', 'test']),
    provider_ref: textOrNull("The payment provider's ID."),
    created_at: Timestamp,
    settled_at: timestampOrNull('When the outcome became known.'),
  },
  { title: 'OperatorPayment' },
);
export type ListedPayment = Static<typeof ListedPayment>;
