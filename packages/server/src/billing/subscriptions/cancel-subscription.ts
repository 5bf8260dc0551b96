import { actorOf, recordAudit } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  httpError,
  notFound,
  runBeginning,
  type Unfinished,
} from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { type Books, openBooks } from '../books/books.ts';
import { closeBooks } from '../books/close-books.ts';
import { releaseCoupon } from '../coupons/queries.ts';
import { SUBSCRIPTION_CANCELED } from '../events.ts';
import { closeUnpaid } from '../invoices/write-invoices.ts';
import { type BegunPayment, beginGivingWay, paymentUnderWay } from '../payments/give-way.ts';
import { presentSubscription } from './present-subscription.ts';
import type { Cancellation } from './schemas.ts';
import { canceled, isEnded } from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';

/**
 * Cancels a subscription: at the end of its period, or now, without a refund. What has not been paid for yet, incomplete or
 * past due, ends now either way, and its open invoice is void: nothing is tried again. Throws conflict when it has ended,
 * or is canceled for the same time already.
 */
export async function cancelSubscription(
  tools: BillingTools,
  context: AuthorizedContext,
  id: string,
  cancellation: Cancellation,
): Promise<Answer<unknown>> {
  const outcome = await beginGivingWay(tools, () =>
    runBeginning(context, (tx) => cancel(tools, tx, context, id, cancellation)),
  );
  if ('unfinished' in outcome) {
    throw paymentUnderWay();
  }
  return outcome;
}

async function cancel(
  tools: BillingTools,
  tx: Queries,
  context: AuthorizedContext,
  id: string,
  { cancel_immediately: isAsked = false, reason = '' }: Cancellation,
): Promise<Answer<unknown> | Unfinished<BegunPayment>> {
  const books = await openBooks(tools, tx, context.principal.organizationId);
  const subscription = await books.subscription(id);
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  const isNow = isAsked || subscription.status !== 'active';
  requireCancelable(subscription, isNow);
  const payment = await books.paymentInFlight(id);
  if (payment !== undefined && isNow) {
    if (payment.status !== 'requires_action') {
      throw paymentUnderWay();
    }
    return { unfinished: { payment, nowMs: books.nowMs, isInTheWay: true } };
  }
  const noted: SubscriptionState = {
    ...subscription,
    canceledAtMs: books.nowMs,
    canceledBy: context.principal.userId,
    cancelReason: reason,
  };
  const after = isNow
    ? canceled({ ...noted, cancelAtPeriodEnd: false }, books.nowMs)
    : { ...noted, cancelAtPeriodEnd: true };
  books.subscriptions.set(id, after);
  if (isNow) {
    await leaveUnpaid(books, subscription);
  }
  books.events.push(() =>
    announcement(SUBSCRIPTION_CANCELED, {
      subscription_id: id,
      plan_id: after.plan.id,
      cancel_at_period_end: after.cancelAtPeriodEnd,
      current_period_end: isoTime(after.periodEndMs),
      canceled_by: context.principal.userId,
      reason,
    }),
  );
  await closeBooks(books);
  await recordAudit(tx, actorOf(context), {
    action: 'subscription.canceled',
    targetType: 'subscription',
    targetId: id,
    before: { status: subscription.status, cancel_at_period_end: subscription.cancelAtPeriodEnd },
    after: { status: after.status, cancel_at_period_end: after.cancelAtPeriodEnd, reason },
  });
  return { data: presentSubscription(after) };
}

function requireCancelable(subscription: SubscriptionState, isNow: boolean): void {
  if (isEnded(subscription)) {
    throw httpError('conflict', `The subscription is ${subscription.status} already.`);
  }
  if (subscription.cancelAtPeriodEnd && !isNow) {
    throw httpError('conflict', 'The subscription is canceled for the end of its period already.');
  }
}

/** Its open invoice is void. A coupon of a subscription that never was is free again. */
async function leaveUnpaid(books: Books, before: SubscriptionState): Promise<void> {
  books.mayChangeTier = true;
  const invoice = before.latestInvoiceId === null ? undefined : await books.invoice(before.latestInvoiceId);
  if (invoice?.status === 'open') {
    await closeUnpaid(books, invoice, 'void');
  }
  if (before.status === 'incomplete' && before.coupon !== null) {
    await releaseCoupon(books.tx, before.coupon.id);
  }
}
