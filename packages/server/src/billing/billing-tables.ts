import { defineOrganizationTable, type OrganizationTable } from '../database/index.ts';
import { deleteSubscriptionsOfOrganization } from './ledger/live-billing-queries.ts';
import { TEST_PROVIDER_TABLES } from './payment-provider/test/erasure-queries.ts';

/**
 * What this room stores about an organization besides its books: cards that were detached at the provider. A card that
 * is still attached stays until it is detached.
 */
export const CARD_TABLES: readonly OrganizationTable[] = [
  defineOrganizationTable({
    table: 'payment_methods',
    key: ['id'],
    only: 't.removed_at is not null and t.detach_due_at is null',
  }),
];

/** The books, which must be kept by law; in the sandbox they are test money and are deleted with the organization. */
export const BOOK_TABLES: readonly OrganizationTable[] = [
  ...TEST_PROVIDER_TABLES,
  defineOrganizationTable({ table: 'payments', key: ['id'] }),
  defineOrganizationTable({ table: 'orphaned_payments', key: ['id'] }),
  defineOrganizationTable({ table: 'invoice_pdfs', key: ['invoice_id'] }),
  defineOrganizationTable({ table: 'invoices', key: ['id'] }),
  defineOrganizationTable({ table: 'billing_credit_entries', key: ['id'] }),
  defineOrganizationTable({ table: 'billing_credits', key: ['currency'] }),
  { table: 'subscriptions', deleteRows: deleteSubscriptionsOfOrganization },
  defineOrganizationTable({ table: 'billing_accounts', key: [] }),
];
