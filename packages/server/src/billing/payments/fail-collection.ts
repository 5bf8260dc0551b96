import { updateCouponReleased } from '../coupons/queries.ts';
import { SUBSCRIPTION_EXPIRED, SUBSCRIPTION_UPDATED } from '../events.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { listTriedMethods } from '../ledger/payment-queries.ts';
import type { PaymentState } from '../ledger/payment-state.ts';
import { announceDecline, closeUnpaid } from '../ledger/record-invoice.ts';
import { updateSubscription } from '../ledger/record-subscription.ts';
import { expire, isEnded, startDunning } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import { isHardDecline } from '../payment-provider/payment-provider.ts';

/** Why an invoice could not be collected. */
export interface FailedCollection {
  /** Null if no card was declined: the payment was canceled. */
  declineCode: string | null;
  /** Null where there was no card to charge. */
  methodId: string | null;
  purpose: PaymentState['purpose'];
}

/** What an invoice that could not be collected means for its subscription: dunning begins, goes on, or is over. */
export async function failCollection(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  failed: FailedCollection,
): Promise<void> {
  if (subscription.status === 'incomplete') {
    announceDecline(ledger, invoice, { declineCode: failed.declineCode, nextAttemptAtMs: null, canBePaid: false });
    updateSubscription(ledger, subscription, SUBSCRIPTION_UPDATED);
    return;
  }
  const isFirst = subscription.status === 'active';
  const next = isFirst ? startDunning(subscription, ledger.nowMs, ledger.tools.settings.dunningDays) : subscription;
  const isLast = isFirst ? isEnded(next) : next.nextAttemptAtMs === null && failed.purpose === 'retry';
  // If the default card changed during the charge, the new card is tried at once, and that attempt is not counted.
  const isOtherFresh = await isOtherCardFresh(ledger, invoice, failed.methodId);
  const isOver = isLast && (isFirst || !isOtherFresh);
  // A renewal that was canceled at the provider starts dunning and is announced. A canceled retry is not announced.
  const declineCode = failed.declineCode ?? (isFirst ? 'payment_canceled' : null);
  const isHopeless = isOver || (declineCode !== null && isHardDecline(declineCode));
  const nextAttemptAtMs = isHopeless ? null : next.nextAttemptAtMs;
  announceDecline(ledger, invoice, { declineCode, nextAttemptAtMs, canBePaid: !isOver });
  if (isOver) {
    await expireUnpaid(ledger, subscription, invoice);
    return;
  }
  if (isOtherFresh) {
    ledger.dueAtMs.set(next.id, ledger.nowMs);
  }
  updateSubscription(ledger, next, isFirst ? SUBSCRIPTION_UPDATED : undefined);
}

/** Dunning, or the time that a first payment has, is over. */
export async function expireUnpaid(
  ledger: Ledger,
  subscription: SubscriptionState,
  invoice: InvoiceRow | undefined,
): Promise<void> {
  if (invoice?.status === 'open') {
    await closeUnpaid(ledger, invoice, subscription.status === 'incomplete' ? 'void' : 'uncollectible');
  }
  if (subscription.status === 'incomplete' && subscription.coupon !== null) {
    await updateCouponReleased(ledger.tx, { couponId: subscription.coupon.id });
  }
  ledger.mayChangeTier = true;
  // Where the last retry took longer than the license lasted, it ended with the license: nothing expires twice.
  const endedAtMs = Math.min(ledger.nowMs, subscription.dunningEndsAtMs ?? ledger.nowMs);
  updateSubscription(ledger, expire(subscription, endedAtMs), SUBSCRIPTION_EXPIRED);
}

/** Whether the default is another card than the one that has just failed, and was not tried for this invoice either. */
async function isOtherCardFresh(ledger: Ledger, invoice: InvoiceRow, failedId: string | null): Promise<boolean> {
  const { tx, organizationId } = ledger;
  const method = await findDefaultMethod(tx, { organizationId });
  if (method === undefined || method.id === failedId) {
    return false;
  }
  const tried = await listTriedMethods(tx, { organizationId, invoiceId: invoice.id });
  return !tried.some((each) => each.payment_method_id === method.id);
}
