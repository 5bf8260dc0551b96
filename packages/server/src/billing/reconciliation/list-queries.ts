import { sql } from 'kysely';
import { build, type Queries } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import type { ListedPayment } from './schemas.ts';

/** A payment, or an orphaned one, as both are listed. */
export interface ListedPaymentRow extends Omit<ListedPayment, 'created_at' | 'settled_at'> {
  created_at: Date;
  settled_at: Date | null;
}

/** A page of the payments of all organizations, with those that nothing explains. */
export async function listAllPayments(database: Queries, page: PageRequest): Promise<ListedPaymentRow[]> {
  const { organization_id: organizationId, status, created_after: after, created_before: before } = page.filters;
  let query = build.selectFrom(ALL_PAYMENTS).selectAll();
  if (organizationId !== undefined) {
    query = query.where('organization_id', '=', organizationId);
  }
  if (status !== undefined) {
    query = query.where('status', '=', sql<ListedPayment['status']>`${status}`);
  }
  if (after !== undefined) {
    query = query.where('created_at', '>', new Date(after));
  }
  if (before !== undefined) {
    query = query.where('created_at', '<', new Date(before));
  }
  const paged = query.where(afterCursor(page, 'created_at')).orderBy(inOrder(page, 'created_at'));
  return database.run(paged.limit(page.limit + 1).compile());
}

/** Both arms have the same types, so that each uses its own index and the two are merged. */
const ALL_PAYMENTS = sql<ListedPaymentRow>`(
  select id, organization_id, subscription_id, invoice_id, purpose, period_index, attempt, amount, currency, status,
    decline_code, null::text as orphaned_because, provider, provider_ref, created_at, settled_at
  from payments
  union all
  select id, organization_id, subscription_id, null::text, purpose, period_index, attempt, amount, currency, status,
    null::text, reason, provider, provider_ref, created_at, null::timestamptz(3)
  from orphaned_payments where status = 'orphaned'
)`.as<'p'>('p');
