import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { updateSubscriptionTier } from '../../organizations/index.ts';
import { updateInvoiceNumber } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { ENTITLEMENTS_CHANGED } from '../events.ts';
import { type CreditEntry, type Ledger, lockLedger } from './ledger.ts';
import type { PaymentState } from './payment-state.ts';
import { findBestTier } from './subscription-queries.ts';
import { nextActionAtMs } from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';
import {
  insertCreditEntries,
  upsertCredits,
  upsertInvoices,
  upsertPayments,
  upsertSubscriptions,
} from './write-queries.ts';

/** Locks an organization's ledger in a transaction of its own, lets `work` decide, and writes what it decided. */
export async function withLedger<T>(
  database: Queries,
  tools: BillingTools,
  organizationId: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const ledger = await lockLedger(tx, tools, organizationId);
    const result = await work(ledger);
    await writeLedger(ledger);
    return result;
  });
}

/** Writes what changed, tells licensing what the subscriptions entitle to, and announces the events: the last thing in a transaction. */
export async function writeLedger(ledger: Ledger): Promise<void> {
  const { tx, tools, account, organizationId } = ledger;
  await writeRows(ledger);
  if (ledger.mayChangeTier) {
    const tier = await findBestTier(tx, { organizationId });
    await updateSubscriptionTier(tx, { organizationId, tier: tier ?? null });
  }
  const entitlements = ledger.changedEntitlements;
  await tools.outbox.announce(tx, organizationId, account.clockOffsetMs, [
    ...(entitlements.length === 0 ? [] : [announcement(ENTITLEMENTS_CHANGED, { entitlements })]),
    ...ledger.events.map((make) => make()),
  ]);
  await tools.queueNotices(tx, account, ledger.notices);
}

async function writeRows(ledger: Ledger): Promise<void> {
  const { tx, organizationId } = ledger;
  const subscriptions = [...ledger.subscriptions.values()].map((each) => subscriptionRow(each, ledger));
  if (subscriptions.length > 0) {
    await upsertSubscriptions(tx, { given: subscriptions });
  }
  const invoices = [...ledger.invoices.values()];
  if (invoices.length > 0) {
    await upsertInvoices(tx, { given: invoices });
  }
  if (ledger.takenInvoiceNumber !== undefined) {
    await updateInvoiceNumber(tx, { organizationId, lastNumber: ledger.takenInvoiceNumber });
  }
  const payments = [...ledger.payments.values()].map(paymentRow);
  if (payments.length > 0) {
    await upsertPayments(tx, { given: payments, claimed: ledger.claimed.map((each) => each.id) });
  }
  const credits = ledger.changedCredits;
  if (credits !== undefined) {
    const entries = ledger.creditEntries.map((entry) => creditRow(entry, organizationId, ledger.nowMs));
    await insertCreditEntries(tx, { entries });
    const balances = [...credits].map(([currency, balance]) => ({ currency, balance }));
    await upsertCredits(tx, { organizationId, credits: balances });
  }
}

/** What can pass 2^53, minor units times seconds, goes as text. */
function subscriptionRow(each: SubscriptionState, ledger: Ledger) {
  return {
    organization_id: each.organizationId,
    id: each.id,
    status: each.status,
    plan_id: each.plan.id,
    quantity: each.quantity,
    currency: each.plan.currency,
    anchor: new Date(each.anchorMs),
    period_index: each.periodIndex,
    current_period_start: new Date(each.periodStartMs),
    current_period_end: new Date(each.periodEndMs),
    period_accrued: String(each.accrued),
    period_billed: String(each.billed),
    coupon_id: each.coupon?.id ?? null,
    cancel_at_period_end: each.cancelAtPeriodEnd,
    canceled_at: timeOrNull(each.canceledAtMs),
    canceled_by: each.canceledBy,
    cancel_reason: each.cancelReason,
    ended_at: timeOrNull(each.endedAtMs),
    latest_invoice_id: each.latestInvoiceId,
    license_id: each.licenseId,
    requires_action: each.requiresAction,
    pending_payment_id: each.pendingPaymentId,
    pending_quantity: each.pending?.quantity ?? null,
    pending_plan_id: each.pending?.planId ?? null,
    pending_expires_at: timeOrNull(each.pending?.expiresAtMs ?? null),
    dunning_retries: each.dunningRetries,
    next_attempt_at: timeOrNull(each.nextAttemptAtMs),
    dunning_ends_at: timeOrNull(each.dunningEndsAtMs),
    next_action_at: timeOrNull(ledger.dueAtMs.get(each.id) ?? nextActionAtMs(each)),
    created_at: new Date(each.createdAtMs),
    updated_at: new Date(ledger.nowMs),
  };
}

function paymentRow(each: PaymentState) {
  return {
    organization_id: each.organizationId,
    id: each.id,
    subscription_id: each.subscriptionId,
    invoice_id: each.invoiceId,
    purpose: each.purpose,
    period_index: each.periodIndex,
    period_start: timeOrNull(each.periodStartMs),
    attempt: each.attempt,
    intent: each.intent,
    amount: each.amount,
    currency: each.currency,
    is_on_session: each.isOnSession,
    sets_up_mandate: each.setsUpMandate,
    payment_method_id: each.paymentMethodId,
    method_ref: each.methodRef,
    customer_ref: each.customerRef,
    provider: each.provider,
    provider_ref: each.providerRef,
    status: each.status,
    decline_code: each.declineCode,
    next_check_at: timeOrNull(each.nextCheckAtMs),
    checks: each.checks,
    request_key: each.requestKey,
    request_hash: each.requestHash,
    created_at: new Date(each.createdAtMs),
    settled_at: timeOrNull(each.settledAtMs),
  };
}

function creditRow(entry: CreditEntry, organizationId: string, nowMs: number) {
  return {
    organization_id: organizationId,
    id: entry.id,
    currency: entry.currency,
    amount: entry.amount,
    reason: entry.reason,
    subscription_id: entry.subscriptionId,
    invoice_id: entry.invoiceId,
    payment_id: entry.paymentId ?? null,
    created_at: new Date(nowMs),
  };
}

function timeOrNull(timeMs: number | null): Date | null {
  return timeMs === null ? null : new Date(timeMs);
}
