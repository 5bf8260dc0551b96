import { actorOf, recordAudit } from '../../audit/index.ts';
import { isoTime } from '../../clock/index.ts';
import { announcement } from '../../events/index.ts';
import { type Answer, type Answered, type AuthorizedContext, httpError, notFound } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { updateCouponReleased } from '../coupons/queries.ts';
import { SUBSCRIPTION_CANCELED } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { closeUnpaid } from '../ledger/record-money.ts';
import { presentSubscription } from '../ledger/record-subscription.ts';
import { endCanceled, isEnded } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { type Blocked, begin, paymentInProgress } from '../payments/charge-flow.ts';
import type { Cancellation } from './schemas.ts';

/**
 * Cancels a subscription: at the end of its period, or now, without a refund. An unpaid one, incomplete or past due,
 * ends now either way; its open invoice is voided and not retried. Throws conflict if it has ended, or is already
 * canceled for the same time.
 */
export async function cancelSubscription(
  context: AuthorizedContext,
  tools: BillingTools,
  id: string,
  cancellation: Cancellation,
): Promise<Answer<unknown>> {
  const { answer } = await begin<never>(context, tools, (ledger) => cancel(ledger, context, id, cancellation));
  return answer;
}

async function cancel(
  ledger: Ledger,
  context: AuthorizedContext,
  id: string,
  { cancel_immediately: isAsked = false, reason = '' }: Cancellation,
): Promise<Answered | Blocked> {
  const subscription = await ledger.subscription(id);
  if (subscription === undefined) {
    throw notFound('subscription');
  }
  const isNow = isAsked || subscription.status !== 'active';
  requireCancelable(subscription, isNow);
  const payment = await ledger.paymentInFlight(id);
  if (payment !== undefined && isNow) {
    if (payment.status !== 'requires_action') {
      throw paymentInProgress();
    }
    return { kind: 'blocked', payment, nowMs: ledger.nowMs };
  }
  const noted: SubscriptionState = {
    ...subscription,
    canceledAtMs: ledger.nowMs,
    canceledBy: context.principal.userId,
    cancelReason: reason,
  };
  const after = isNow
    ? endCanceled({ ...noted, cancelAtPeriodEnd: false }, ledger.nowMs)
    : { ...noted, cancelAtPeriodEnd: true };
  ledger.subscriptions.set(id, after);
  if (isNow) {
    await voidUnpaid(ledger, subscription);
  }
  ledger.events.push(() =>
    announcement(SUBSCRIPTION_CANCELED, {
      subscription_id: id,
      plan_id: after.plan.id,
      cancel_at_period_end: after.cancelAtPeriodEnd,
      current_period_end: isoTime(after.periodEndMs),
      canceled_by: context.principal.userId,
      reason,
    }),
  );
  await recordAudit(ledger.tx, actorOf(context), {
    action: 'subscription.canceled',
    targetType: 'subscription',
    targetId: id,
    before: { status: subscription.status, cancel_at_period_end: subscription.cancelAtPeriodEnd },
    after: { status: after.status, cancel_at_period_end: after.cancelAtPeriodEnd, reason },
  });
  return { kind: 'answered', answer: { data: presentSubscription(after) } };
}

function requireCancelable(subscription: SubscriptionState, isNow: boolean): void {
  if (isEnded(subscription)) {
    throw httpError('conflict', `The subscription is already ${subscription.status}.`);
  }
  if (subscription.cancelAtPeriodEnd && !isNow) {
    throw httpError('conflict', 'The subscription is already set to cancel at the end of its period.');
  }
}

/** Voids the open invoice. A subscription that never started also releases its coupon. */
async function voidUnpaid(ledger: Ledger, before: SubscriptionState): Promise<void> {
  ledger.mayChangeTier = true;
  const invoice = before.latestInvoiceId === null ? undefined : await ledger.invoice(before.latestInvoiceId);
  if (invoice?.status === 'open') {
    await closeUnpaid(ledger, invoice, 'void');
  }
  if (before.status === 'incomplete' && before.coupon !== null) {
    await updateCouponReleased(ledger.tx, { couponId: before.coupon.id });
  }
}
