import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { presentPayment } from './list-payments.ts';
import { type OrphanRow, updateResolvedOrphan } from './orphan-queries.ts';
import type { ListedPayment } from './schemas.ts';

/** Records that an orphaned payment was resolved. */
export type RecordResolution = (tx: Queries, payment: ListedPayment) => Promise<void>;

/**
 * Closes an orphaned payment that staff have refunded or otherwise dealt with: it is never adopted afterwards, and no
 * mail mentions it. `record` runs in the same transaction. Throws not_found if there is no orphaned payment with this
 * ID.
 */
export async function resolvePayment(
  tools: BillingTools,
  id: string,
  note: string,
  record: RecordResolution,
): Promise<ListedPayment> {
  return tools.database.transaction(async (tx) => {
    const resolved = await updateResolvedOrphan(tx, { id, note, now: tools.clock.nowMs() });
    if (resolved === undefined) {
      throw notFound('payment');
    }
    const payment = present(resolved);
    await record(tx, payment);
    return payment;
  });
}

function present({ customer_ref: _customer, reason, ...row }: OrphanRow): ListedPayment {
  return presentPayment({
    ...row,
    status: 'orphaned',
    invoice_id: null,
    payment_method_id: null,
    decline_code: null,
    orphaned_because: reason,
    settled_at: null,
  });
}
