import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { ListPage, PageRequest } from '../../http/index.ts';
import { type ListedPaymentRow, PAYMENT_LIST } from './payment-list.ts';
import type { ListedPayment } from './schemas.ts';

/** A page of the payments of all organizations, including orphaned ones. */
export async function listPayments(
  { database }: { database: Queries },
  page: PageRequest,
): Promise<ListPage<ListedPayment>> {
  return PAYMENT_LIST.getPage(database, page, {}, presentPayment);
}

export function presentPayment(row: ListedPaymentRow): ListedPayment {
  return {
    ...row,
    created_at: isoTime(row.created_at.getTime()),
    settled_at: row.settled_at === null ? null : isoTime(row.settled_at.getTime()),
  };
}
