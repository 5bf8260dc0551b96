import type { Books } from '../books/books.ts';
import { releaseCoupon } from '../coupons/queries.ts';
import { SUBSCRIPTION_EXPIRED, SUBSCRIPTION_UPDATED } from '../events.ts';
import type { InvoiceRow } from '../invoices/read-queries.ts';
import { closeUnpaid, tellOfDecline } from '../invoices/write-invoices.ts';
import { findDefaultMethod } from '../payment-methods/queries.ts';
import { isHardDecline } from '../payment-provider/payment-provider.ts';
import { expired, inDunning, isEnded } from '../subscriptions/subscription-rules.ts';
import type { SubscriptionState } from '../subscriptions/subscription-state.ts';
import { updateSubscription } from '../subscriptions/write-subscriptions.ts';
import type { PaymentState } from './payment-state.ts';

/** Why an invoice could not be collected. */
export interface FailedCollection {
  /** Null where nobody declined it: the payment was given up. */
  declineCode: string | null;
  /** The card, when it is never to be charged again. */
  refusedMethodId: string | null;
  purpose: PaymentState['purpose'];
}

/** What an invoice that could not be collected means for its subscription: dunning begins, goes on, or is over. */
export async function failCollection(
  books: Books,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
  failed: FailedCollection,
): Promise<void> {
  if (subscription.status === 'incomplete') {
    tellOf(books, invoice, failed.declineCode, null, false);
    updateSubscription(books, subscription, SUBSCRIPTION_UPDATED);
    return;
  }
  const isFirst = subscription.status === 'active';
  const next = isFirst ? inDunning(subscription, books.nowMs, books.tools.settings.dunningDays) : subscription;
  const isOver = isFirst ? isEnded(next) : next.nextAttemptAtMs === null && failed.purpose === 'retry';
  // A renewal that was given up at the provider begins dunning, and is told as such; a retry that was is no news.
  const declineCode = failed.declineCode ?? (isFirst ? 'payment_canceled' : null);
  const isHopeless = isOver || (declineCode !== null && isHardDecline(declineCode));
  tellOf(books, invoice, declineCode, isHopeless ? null : next.nextAttemptAtMs, !isOver);
  if (isOver) {
    await expireUnpaid(books, subscription, invoice);
    return;
  }
  const refusedMethodId = failed.refusedMethodId ?? next.refusedMethodId;
  updateSubscription(books, { ...next, refusedMethodId }, isFirst ? SUBSCRIPTION_UPDATED : undefined);
}

/** Dunning, or the time that a first payment has, is over. */
export async function expireUnpaid(
  books: Books,
  subscription: SubscriptionState,
  invoice: InvoiceRow | undefined,
): Promise<void> {
  if (invoice?.status === 'open') {
    await closeUnpaid(books, invoice, subscription.status === 'incomplete' ? 'void' : 'uncollectible');
  }
  if (subscription.status === 'incomplete' && subscription.coupon !== null) {
    await releaseCoupon(books.tx, subscription.coupon.id);
  }
  books.mayChangeTier = true;
  updateSubscription(books, expired(subscription, books.nowMs), SUBSCRIPTION_EXPIRED);
}

/**
 * A card that became the default while another was being charged is tried as soon as that one is declined: like any new
 * default card of what is past due, at once and without being counted.
 */
export async function letOtherCardBeTried(
  books: Books,
  { subscriptionId, paymentMethodId }: PaymentState,
): Promise<void> {
  const subscription = await books.subscription(subscriptionId);
  if (subscription?.status !== 'past_due' || subscription.nextAttemptAtMs === null) {
    return;
  }
  const method = await findDefaultMethod(books.tx, books.organizationId);
  if (method !== undefined && method.id !== paymentMethodId) {
    books.dueAtMs.set(subscriptionId, books.nowMs);
  }
}

/** Tells of a decline, if it was one. `canBePaid`: whether another card would still pay the invoice. */
export function tellOf(
  books: Books,
  invoice: InvoiceRow,
  declineCode: string | null,
  nextAttemptAtMs: number | null,
  canBePaid: boolean,
): void {
  if (declineCode !== null) {
    tellOfDecline(books, invoice, { declineCode, nextAttemptAtMs, canBePaid });
  }
}
