import { arrays, many, maybeOne, statement } from '../../database/index.ts';
import { INVOICE_COLUMNS, type InvoiceRow } from '../ledger/invoice-queries.ts';
import type { PaymentStatus } from '../ledger/payment-state.ts';

/** The organization of a customer at the provider. */
export const findOrganizationOfCustomer = statement({
  name: 'find_organization_of_customer',
  parameters: { customerRef: 'text' },
  returns: maybeOne((row: { organization_id: string }) => row.organization_id),
  sql: ({ customerRef }) =>
    `select organization_id from billing_accounts where customer_ref = ${customerRef} order by organization_id limit 1`,
});

/** The invoice that bills a period of a subscription in advance. */
export const findPeriodInvoice = statement({
  name: 'find_period_invoice',
  parameters: { organizationId: 'text', subscriptionId: 'text', periodIndex: 'integer' },
  returns: maybeOne<InvoiceRow>(),
  sql: ({ organizationId, subscriptionId, periodIndex }) => `select ${INVOICE_COLUMNS} from invoices
    where organization_id = ${organizationId} and subscription_id = ${subscriptionId} and period_index = ${periodIndex}
      and reason <> 'change' and status <> 'void'`,
});

/** The compared fields of a payment. */
export interface ComparedPayment {
  organization_id: string;
  id: string;
  provider: 'test' | 'stripe';
  provider_ref: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  created_at: Date;
}

const COMPARED = 'organization_id, id, provider, provider_ref, status, amount, currency, created_at';

/** The payments here that have these references at the provider. */
export const listComparedPayments = statement({
  name: 'list_compared_payments',
  parameters: { provider: 'text', refs: 'text[]' },
  returns: many<ComparedPayment>(),
  sql: ({ provider, refs }) =>
    `select ${COMPARED} from payments where provider = ${provider} and provider_ref = any(${refs})`,
});

/**
 * The payments that succeeded here and that the reconciliation begun at `startedAt` has not seen at the provider, after
 * this creation time and ID.
 */
export const listUnseenPayments = statement({
  name: 'list_unseen_payments',
  parameters: { provider: 'text', createdAfter: 'instant', idAfter: 'text', startedAt: 'instant', limit: 'integer' },
  returns: many<ComparedPayment>(),
  sql: ({ provider, createdAfter, idAfter, startedAt, limit }) => `select ${COMPARED} from payments
    where status = 'succeeded' and provider = ${provider} and provider_ref is not null
      and (created_at, id) > (${createdAfter}, ${idAfter})
      and (reconciled_at is null or reconciled_at < ${startedAt})
    order by created_at, id limit ${limit}`,
});

/** Marks payments that match the provider. */
export const updateReconciled = statement({
  name: 'update_reconciled_payments',
  parameters: { seen: arrays({ organization_id: 'text', id: 'text' }), startedAt: 'instant' },
  sql: ({ seen, startedAt }) => `update payments p set reconciled_at = ${startedAt}
    from ${seen} where p.organization_id = seen.organization_id and p.id = seen.id`,
});
