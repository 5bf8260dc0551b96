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
import { listTriedMethods } from './queries.ts';

/** Why an invoice could not be collected. */
export interface FailedCollection {
  /** Null where nobody declined it: the payment was given up. */
  declineCode: string | null;
  /** Null where there was no card to charge. */
  methodId: string | null;
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
  const isLast = isFirst ? isEnded(next) : next.nextAttemptAtMs === null && failed.purpose === 'retry';
  // If the default card changed during the charge, the new card is tried at once, and that attempt is not counted.
  const isOtherFresh = await isOtherCardFresh(books, invoice, failed.methodId);
  const isOver = isLast && (isFirst || !isOtherFresh);
  // A renewal that was given up at the provider begins dunning, and is told as such; a retry that was is no news.
  const declineCode = failed.declineCode ?? (isFirst ? 'payment_canceled' : null);
  const isHopeless = isOver || (declineCode !== null && isHardDecline(declineCode));
  tellOf(books, invoice, declineCode, isHopeless ? null : next.nextAttemptAtMs, !isOver);
  if (isOver) {
    await expireUnpaid(books, subscription, invoice);
    return;
  }
  if (isOtherFresh) {
    books.dueAtMs.set(next.id, books.nowMs);
  }
  updateSubscription(books, next, isFirst ? SUBSCRIPTION_UPDATED : undefined);
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
  // Where the last retry took longer than the license lasted, it ended with the license: nothing expires twice.
  const endedAtMs = Math.min(books.nowMs, subscription.dunningEndsAtMs ?? books.nowMs);
  updateSubscription(books, expired(subscription, endedAtMs), SUBSCRIPTION_EXPIRED);
}

/** Whether the default is another card than the one that has just failed, and was not tried for this invoice either. */
async function isOtherCardFresh(books: Books, invoice: InvoiceRow, failedId: string | null): Promise<boolean> {
  const method = await findDefaultMethod(books.tx, books.organizationId);
  if (method === undefined || method.id === failedId) {
    return false;
  }
  return !(await listTriedMethods(books.tx, books.organizationId, invoice.id)).has(method.id);
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
