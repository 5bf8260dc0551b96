import type { OrganizationTable } from '../database/index.ts';
import { DELETE_SUBSCRIPTIONS_OF_ORGANIZATION } from './ledger/live-billing-queries.ts';
import { TEST_PROVIDER_TABLES } from './payment-provider/test/erasure-queries.ts';

/**
 * What this room keeps of an organization besides its books: cards that were detached at the provider. A card that is still
 * attached stays until it is detached.
 */
export const CARD_TABLES: readonly OrganizationTable[] = [
  { table: 'payment_methods', key: ['id'], only: 't.removed_at is not null and t.detach_due_at is null' },
];

/** The books, which the law requires to keep; in the sandbox they are test money, and are deleted with the organization. */
export const BOOK_TABLES: readonly OrganizationTable[] = [
  ...TEST_PROVIDER_TABLES,
  { table: 'payments', key: ['id'] },
  { table: 'orphaned_payments', key: ['id'] },
  { table: 'invoice_pdfs', key: ['invoice_id'] },
  { table: 'invoices', key: ['id'] },
  { table: 'billing_credit_entries', key: ['id'] },
  { table: 'billing_credits', key: ['currency'] },
  { table: 'subscriptions', key: ['id'], statement: DELETE_SUBSCRIPTIONS_OF_ORGANIZATION },
  { table: 'billing_accounts', key: [] },
];
