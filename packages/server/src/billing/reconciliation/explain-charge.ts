import { ApiError } from '../../http/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import type { InvoiceRow } from '../ledger/invoice-queries.ts';
import { type Ledger, withLedger } from '../ledger/ledger.ts';
import { beginPayment } from '../ledger/record-money.ts';
import { isEnded } from '../ledger/subscription-rules.ts';
import type { SubscriptionState } from '../ledger/subscription-state.ts';
import type { ProviderCharge } from '../payment-provider/provider-charge.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { creditInstead } from '../recovery/credit-unrecorded-charge.ts';
import { listUnadoptableRefs, updateAdoptedOrphan } from '../recovery/queries.ts';
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
  /** Not made by this service: the provider's account may be used for other purposes. */
  | { kind: 'foreign' }
  /** It is a payment here, or staff have dealt with it. */
  | { kind: 'known' }
  /** It has just been booked for its purpose. */
  | { kind: 'adopted' }
  /** A due renewal or a payment in flight will take it. */
  | { kind: 'awaited'; organizationId: string }
  | { kind: 'orphaned'; reason: OrphanReason; organizationId: string | null };

/**
 * Finds the purpose of a charge that has no payment here, and books it if that is clear: it pays the open invoice of
 * its period, or becomes credit if the amounts differ. Idempotent.
 */
export async function explainCharge(tools: BillingTools, charge: ProviderCharge): Promise<Explanation> {
  const { database } = tools;
  const organizationId = charge.organizationId ?? (await ownerOf(tools, charge));
  if (organizationId === undefined) {
    return { kind: 'foreign' };
  }
  try {
    return await withLedger(database, tools, organizationId, (ledger) => explain(ledger, charge));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') {
      return { kind: 'orphaned', reason: 'unknown_organization', organizationId };
    }
    throw error;
  }
}

async function ownerOf({ database }: BillingTools, { customerRef }: ProviderCharge): Promise<string | undefined> {
  return customerRef === null ? undefined : findOrganizationOfCustomer(database, { customerRef });
}

async function explain(ledger: Ledger, charge: ProviderCharge): Promise<Explanation> {
  const { organizationId, tx, tools } = ledger;
  const orphaned = (reason: OrphanReason): Explanation => ({ kind: 'orphaned', reason, organizationId });
  const provider = tools.provider?.name ?? 'stripe';
  if ((await listUnadoptableRefs(tx, { provider, refs: [charge.paymentRef] })).length > 0) {
    return { kind: 'known' };
  }
  const { reason } = charge;
  if (reason === undefined) {
    return orphaned('no_reason');
  }
  const subscription = await ledger.subscription(reason.subscriptionId);
  if (subscription === undefined) {
    return orphaned('unknown_subscription');
  }
  if (charge.purpose === 'change') {
    return orphaned('unknown_change');
  }
  return explainPeriod(ledger, charge, subscription, reason.periodIndex);
}

/** Explains a charge for a period of a known subscription. */
async function explainPeriod(
  ledger: Ledger,
  charge: ProviderCharge,
  subscription: SubscriptionState,
  periodIndex: number,
): Promise<Explanation> {
  const { organizationId, tx } = ledger;
  const orphaned = (reason: OrphanReason): Explanation => ({ kind: 'orphaned', reason, organizationId });
  if (isEnded(subscription)) {
    return orphaned('subscription_ended');
  }
  if (periodIndex > subscription.periodIndex) {
    return subscription.cancelAtPeriodEnd ? orphaned('subscription_ended') : { kind: 'awaited', organizationId };
  }
  const invoice = await findPeriodInvoice(tx, { organizationId, subscriptionId: subscription.id, periodIndex });
  if (invoice?.status !== 'open') {
    return orphaned(
      invoice === undefined ? 'no_invoice' : invoice.status === 'paid' ? 'already_paid' : 'invoice_closed',
    );
  }
  if ((await ledger.paymentInFlight(subscription.id)) !== undefined) {
    return { kind: 'awaited', organizationId };
  }
  await adopt(ledger, charge, subscription, invoice);
  return { kind: 'adopted' };
}

/** Books it as the payment of the period's open invoice. */
async function adopt(
  ledger: Ledger,
  charge: ProviderCharge,
  subscription: SubscriptionState,
  invoice: InvoiceRow,
): Promise<void> {
  const { reason, paymentRef, purpose, methodRef, amount, currency } = charge;
  const ref = methodRef ?? 'unknown';
  const method = methodRef === null ? undefined : await ledger.methodOf(methodRef);
  const begun = beginPayment(ledger, {
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
    isLeftToJob: true,
  });
  if (amount !== invoice.amount_due || currency !== invoice.currency) {
    await creditInstead(ledger, begun, charge);
    return;
  }
  ledger.payments.set(begun.id, { ...begun, providerRef: paymentRef });
  await settlePayment(ledger, begun.id, { kind: 'succeeded' });
  const { tx, tools } = ledger;
  await updateAdoptedOrphan(tx, { provider: begun.provider, ref: paymentRef, now: tools.clock.nowMs() });
}
