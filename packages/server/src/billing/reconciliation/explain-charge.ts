import { ApiError } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { Books } from '../books/books.ts';
import { keepBooks } from '../books/close-books.ts';
import type { InvoiceRow } from '../invoices/read-queries.ts';
import type { HeldCharge } from '../payment-provider/held-charge.ts';
import { creditInstead } from '../payments/credit-held-charge.ts';
import { beginPayment } from '../payments/new-payment.ts';
import { closeAdoptedOrphan, listUnadoptable } from '../payments/orphan-queries.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { isEnded } from '../subscriptions/subscription-rules.ts';
import type { SubscriptionState } from '../subscriptions/subscription-state.ts';
import { findOrganizationOfCustomer, findPeriodInvoice } from './queries.ts';

/** Why nothing explains a payment that the provider collected. */
export type OrphanReason =
  | 'unknown_organization'
  | 'unknown_subscription'
  | 'unknown_change'
  | 'no_reason'
  | 'no_invoice'
  | 'already_paid'
  | 'invoice_closed'
  | 'subscription_ended';

export type Explanation =
  /** Not of this service: the provider's account collects other things, too. */
  | { kind: 'foreign' }
  /** It is a payment here, or staff have dealt with it. */
  | { kind: 'known' }
  /** It has paid what it was for, just now. */
  | { kind: 'adopted' }
  /** A renewal that is due, or a payment that is under way, will take it. */
  | { kind: 'awaited'; organizationId: string }
  | { kind: 'orphaned'; reason: OrphanReason; organizationId: string | null };

/**
 * Finds out what money is for that the provider collected and that no payment here names, and books it where that is clear:
 * it pays the open invoice of its period, or becomes credit where the amounts differ. To be called any number of times.
 */
export async function explainCharge(tools: BillingTools, charge: HeldCharge): Promise<Explanation> {
  const { database } = tools;
  const organizationId = charge.organizationId ?? (await ownerOf(tools, charge));
  if (organizationId === undefined) {
    return { kind: 'foreign' };
  }
  try {
    return await keepBooks(tools, database, organizationId, (books) => explain(books, charge));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') {
      return { kind: 'orphaned', reason: 'unknown_organization', organizationId };
    }
    throw error;
  }
}

async function ownerOf({ database }: BillingTools, { customerRef }: HeldCharge): Promise<string | undefined> {
  return customerRef === null ? undefined : findOrganizationOfCustomer(database, customerRef);
}

async function explain(books: Books, charge: HeldCharge): Promise<Explanation> {
  const { organizationId, tx, tools } = books;
  const orphaned = (reason: OrphanReason): Explanation => ({ kind: 'orphaned', reason, organizationId });
  const provider = tools.provider?.name ?? 'stripe';
  if ((await listUnadoptable(tx, provider, [charge.paymentRef])).length > 0) {
    return { kind: 'known' };
  }
  const { reason } = charge;
  if (reason === undefined) {
    return orphaned('no_reason');
  }
  const subscription = await books.subscription(reason.subscriptionId);
  if (subscription === undefined) {
    return orphaned('unknown_subscription');
  }
  if (charge.purpose === 'change') {
    return orphaned('unknown_change');
  }
  return explainPeriod(books, charge, subscription, reason.periodIndex);
}

/** It is for a period of a subscription that is known here. */
async function explainPeriod(
  books: Books,
  charge: HeldCharge,
  subscription: SubscriptionState,
  periodIndex: number,
): Promise<Explanation> {
  const { organizationId, tx } = books;
  const orphaned = (reason: OrphanReason): Explanation => ({ kind: 'orphaned', reason, organizationId });
  if (isEnded(subscription)) {
    return orphaned('subscription_ended');
  }
  if (periodIndex > subscription.periodIndex) {
    return subscription.cancelAtPeriodEnd ? orphaned('subscription_ended') : { kind: 'awaited', organizationId };
  }
  const invoice = await findPeriodInvoice(tx, organizationId, subscription.id, periodIndex);
  if (invoice?.status !== 'open') {
    return orphaned(
      invoice === undefined ? 'no_invoice' : invoice.status === 'paid' ? 'already_paid' : 'invoice_closed',
    );
  }
  if ((await books.paymentInFlight(subscription.id)) !== undefined) {
    return { kind: 'awaited', organizationId };
  }
  await adopt(books, charge, subscription, invoice);
  return { kind: 'adopted' };
}

/** Books it as the payment of the period's open invoice. */
async function adopt(
  books: Books,
  charge: HeldCharge,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
): Promise<void> {
  const { reason, paymentRef, purpose, methodRef, amount, currency } = charge;
  const ref = methodRef ?? 'unknown';
  const method = methodRef === null ? undefined : await books.methodOf(methodRef);
  const begun = beginPayment(books, {
    subscriptionId: subscription.id,
    invoiceId: invoice.id,
    purpose: purpose ?? 'retry',
    periodIndex: invoice.period_index,
    periodStartMs: invoice.period_start.getTime(),
    attempt: reason?.attempt ?? 1,
    intent: { kind: 'collect' },
    amount: invoice.amount_due,
    currency: invoice.currency,
    isOnSession: false,
    method: method ?? { id: ref, provider_ref: ref },
  });
  books.claimed.splice(books.claimed.indexOf(begun), 1);
  if (amount !== invoice.amount_due || currency !== invoice.currency) {
    await creditInstead(books, begun, charge);
    return;
  }
  books.payments.set(begun.id, { ...begun, providerRef: paymentRef });
  await settlePayment(books, begun.id, { kind: 'succeeded' });
  await closeAdoptedOrphan(books.tx, begun.provider, paymentRef, books.tools.clock.nowMs());
}
