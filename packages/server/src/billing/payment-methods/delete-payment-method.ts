import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import type { Nudge } from '../../jobs/index.ts';
import { lockAccount } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { paymentMethodInUse } from '../errors.ts';
import {
  countMethods,
  findMethodById,
  hasPaymentInFlight,
  listLiveSubscriptions,
  type MethodRow,
  presentMethod,
} from './queries.ts';
import { recordDefaultChange } from './record-default-change.ts';
import { removeMethod } from './remove-method.ts';

/**
 * Removes a payment method; it is detached at the provider afterwards. Throws not_found, payment_method_in_use for the
 * last one while a subscription is live, and conflict while a payment with it is in flight.
 */
export async function deletePaymentMethod(
  context: AuthorizedContext,
  tools: BillingTools,
  removed: Nudge,
  id: string,
): Promise<void> {
  const { organizationId } = context.principal;
  await context.database.transaction(async (tx) => {
    const account = await lockAccount(tx, organizationId);
    const row = await findMethodById(tx, { organizationId, id });
    if (row === undefined) {
      throw notFound('payment_method');
    }
    await requireRemovable(tx, organizationId, row);
    const actor = actorOf(context);
    const promoted = await removeMethod(tx, tools.outbox, account, row, true);
    await recordAudit(tx, actor, {
      action: 'payment_method.removed',
      targetType: 'payment_method',
      targetId: row.id,
      before: presentMethod(row),
    });
    if (promoted !== undefined) {
      await recordDefaultChange(tx, actor, row, promoted);
    }
  });
  removed.ring();
  tools.due.ring();
}

async function requireRemovable(tx: Queries, organizationId: string, row: MethodRow): Promise<void> {
  const isOnly = (await countMethods(tx, { organizationId })) === 1;
  const live = isOnly ? await listLiveSubscriptions(tx, { organizationId }) : [];
  if (live.length > 0) {
    throw paymentMethodInUse(live.map((subscription) => subscription.id));
  }
  if (await hasPaymentInFlight(tx, { organizationId, id: row.id, ref: row.provider_ref })) {
    throw httpError('conflict', 'A payment with this payment method is in progress. Wait until it completes.');
  }
}
