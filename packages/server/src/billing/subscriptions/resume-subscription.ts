import { actorOf, recordAudit } from '../../audit/index.ts';
import { type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { keepBooks } from '../books/close-books.ts';
import { SUBSCRIPTION_UPDATED } from '../events.ts';
import { presentSubscription } from './present-subscription.ts';
import { updateSubscription } from './write-subscriptions.ts';

/** Takes back that a subscription ends with its period. Throws conflict when that was not asked, or it has ended. */
export async function resumeSubscription(tools: BillingTools, context: AuthorizedContext, id: string) {
  return context.database.transaction(async (tx) => {
    const after = await keepBooks(tools, tx, context.principal.organizationId, async (books) => {
      const subscription = await books.subscription(id);
      if (subscription === undefined) {
        throw notFound('subscription');
      }
      // Past its end nobody takes it back, even where the job that ends it has not come yet.
      if (
        subscription.status !== 'active' ||
        !subscription.cancelAtPeriodEnd ||
        subscription.periodEndMs <= books.nowMs
      ) {
        throw httpError('conflict', 'Only a subscription that is canceled for the end of its period can be resumed.');
      }
      const resumed = {
        ...subscription,
        cancelAtPeriodEnd: false,
        canceledAtMs: null,
        canceledBy: null,
        cancelReason: null,
      };
      updateSubscription(books, resumed, SUBSCRIPTION_UPDATED);
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
