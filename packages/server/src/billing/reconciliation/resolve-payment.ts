import { notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { resolveOrphan } from '../payments/orphan-queries.ts';
import { presentPayment } from './list-payments.ts';
import type { ListedPayment } from './schemas.ts';

/**
 * Closes an orphaned payment that staff have refunded or otherwise dealt with: it is never adopted afterwards, and no mail
 * mentions it. Throws not_found when none of this id is orphaned.
 */
export async function resolvePayment(tools: BillingTools, id: string, note: string): Promise<ListedPayment> {
  const resolved = await resolveOrphan(tools.database, id, note, tools.clock.nowMs());
  if (resolved === undefined) {
    throw notFound('payment');
  }
  const { customer_ref: _customer, reason, ...row } = resolved;
  return presentPayment({
    ...row,
    status: 'orphaned',
    invoice_id: null,
    decline_code: null,
    orphaned_because: reason,
    settled_at: null,
  });
}
