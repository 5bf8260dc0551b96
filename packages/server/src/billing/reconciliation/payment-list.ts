import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { type ListedPayment, PAYMENT_STATUSES } from './schemas.ts';

/** A payment, orphaned or not, as listed. */
export interface ListedPaymentRow extends Omit<ListedPayment, 'created_at' | 'settled_at'> {
  created_at: Date;
  settled_at: Date | null;
}

/**
 * The payments of all organizations, including orphaned ones. Both halves have the same types, so that each uses its
 * own index and the two are merged.
 */
export const ALL_PAYMENTS = `(
      select id, organization_id, subscription_id, invoice_id, purpose, period_index, attempt, amount, currency, status,
        payment_method_id, decline_code, null::text as orphaned_because, provider, provider_ref, created_at, settled_at
      from payments
      union all
      select id, organization_id, subscription_id, null::text, purpose, period_index, attempt, amount, currency, status,
        null::text, null::text, reason, provider, provider_ref, created_at, null::timestamptz(3)
      from orphaned_payments where status = 'orphaned'
    )`;

/** The same as a list. */
export const PAYMENT_LIST = defineList({
  name: 'list_all_payments',
  returns: many<ListedPaymentRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: {
    organization_id: filterBy.text('organization_id'),
    status: filterBy.oneOf(PAYMENT_STATUSES, 'status'),
    provider_ref: filterBy.text('provider_ref'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: (_, { page }) => `select * from ${ALL_PAYMENTS} p where ${page}`,
});
