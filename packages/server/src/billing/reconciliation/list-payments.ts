import { sql } from 'kysely';
import { isoTime } from '../../clock/index.ts';
import { build, type Queries } from '../../database/index.ts';
import { afterCursor, inOrder, type ListPage, type PageRequest, toPage } from '../../http/index.ts';
import type { ListedPayment } from './schemas.ts';

/** A payment, or an orphaned one, as both are listed. */
export interface ListedPaymentRow extends Omit<ListedPayment, 'created_at' | 'settled_at'> {
  created_at: Date;
  settled_at: Date | null;
}

/** A page of the payments of all organizations, with those that nothing explains. */
export async function listPayments(
  { database }: { database: Queries },
  page: PageRequest,
): Promise<ListPage<ListedPayment>> {
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
  const rows = await database.run(paged.limit(page.limit + 1).compile());
  return toPage(rows, page, (row) => ({ value: isoTime(row.created_at.getTime()), id: row.id }), presentPayment);
}

export function presentPayment(row: ListedPaymentRow): ListedPayment {
  return {
    ...row,
    created_at: isoTime(row.created_at.getTime()),
    settled_at: row.settled_at === null ? null : isoTime(row.settled_at.getTime()),
  };
}

/** Both arms have the same types, so that each is read along its own index and the two are merged. */
const ALL_PAYMENTS = sql<ListedPaymentRow>`(
  select id, organization_id, subscription_id, invoice_id, purpose, period_index, attempt, amount, currency, status,
    decline_code, null::text as orphaned_because, provider, provider_ref, created_at, settled_at
  from payments
  union all
  select id, organization_id, subscription_id, null::text, purpose, period_index, attempt, amount, currency, status,
    null::text, reason, provider, provider_ref, created_at, null::timestamptz(3)
  from orphaned_payments where status = 'orphaned'
)`.as<'p'>('p');
