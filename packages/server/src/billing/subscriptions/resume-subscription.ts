import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import { withLedger } from '../ledger/ledger.ts';
import { presentSubscription, updateSubscription } from '../ledger/record-subscription.ts';

/**
 * Undoes the cancellation of a subscription at the end of its period. Throws conflict if it was not canceled, or has
 * ended.
 */
export async function resumeSubscription(context: AuthorizedContext, tools: BillingTools, id: string) {
  return context.database.transaction(async (tx) => {
    const after = await withLedger(tx, tools, context.principal.organizationId, async (ledger) => {
      const subscription = await ledger.subscription(id);
      if (subscription === undefined) {
        throw notFound('subscription');
      }
      // After its end it cannot be resumed, even if the job that ends it has not run yet.
      if (
        subscription.status !== 'active' ||
        !subscription.cancelAtPeriodEnd ||
        subscription.periodEndMs <= ledger.nowMs
      ) {
        throw httpError(
          'conflict',
          'Only a subscription that is set to cancel at the end of its period can be resumed.',
        );
      }
      const resumed = {
        ...subscription,
        cancelAtPeriodEnd: false,
        canceledAtMs: null,
        canceledBy: null,
        cancelReason: null,
      };
      updateSubscription(ledger, resumed, SUBSCRIPTION_UPDATED);
      return resumed;
    });
    await recordAudit(tx, actorOf(context), {
      action: 'subscription.resumed',
      targetType: 'subscription',
      targetId: id,
      before: { cancel_at_period_end: true },
      after: { cancel_at_period_end: false },
    });
    return presentSubscription(after);
  });
}
