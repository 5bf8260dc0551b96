import type { Queries } from '../../database/index.ts';
import { announcement } from '../../events/index.ts';
import { updateSubscriptionTier } from '../../organizations/index.ts';
import { UPDATE_INVOICE_NUMBER } from '../accounts/queries.ts';
import type { BillingTools } from '../billing-tools.ts';
import { ENTITLEMENTS_CHANGED } from '../events.ts';
import type { InvoiceRow } from './invoice-queries.ts';
import { type CreditEntry, type Ledger, lockLedger } from './ledger.ts';
import type { PaymentState } from './payment-state.ts';
import { findBestTier } from './subscription-queries.ts';
import { nextActionAtMs } from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';
import {
  INSERT_CREDIT_ENTRIES,
  SAVE_CREDITS,
  SAVE_INVOICES,
  SAVE_PAYMENTS,
  SAVE_SUBSCRIPTIONS,
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
  await saveRows(ledger);
  if (ledger.mayChangeTier) {
    const tier = await findBestTier(tx, organizationId);
    await updateSubscriptionTier(tx, { organizationId, tier: tier ?? null });
  }
  const entitlements = ledger.changedEntitlements;
  await tools.outbox.announce(tx, organizationId, account.clockOffsetMs, [
    ...(entitlements.length === 0 ? [] : [announcement(ENTITLEMENTS_CHANGED, { entitlements })]),
    ...ledger.events.map((make) => make()),
  ]);
  for (const queue of ledger.mails) {
    await queue(tx);
  }
  for (const raise of ledger.alarms) {
    raise();
  }
}

async function saveRows(ledger: Ledger): Promise<void> {
  const { tx, organizationId } = ledger;
  const rows = <T, Row>(map: ReadonlyMap<string, T>, rowOf: (each: T) => Row) =>
    JSON.stringify([...map.values()].map(rowOf));
  if (ledger.subscriptions.size > 0) {
    await tx.query(SAVE_SUBSCRIPTIONS, [rows(ledger.subscriptions, (each) => subscriptionRow(each, ledger))]);
  }
  if (ledger.invoices.size > 0) {
    await tx.query(SAVE_INVOICES, [rows(ledger.invoices, invoiceRow)]);
  }
  if (ledger.takenInvoiceNumber !== undefined) {
    await tx.query(UPDATE_INVOICE_NUMBER, [organizationId, ledger.takenInvoiceNumber]);
  }
  if (ledger.payments.size > 0) {
    const claimed = ledger.claimed.map((each) => each.id);
    await tx.query(SAVE_PAYMENTS, [rows(ledger.payments, paymentRow), claimed]);
  }
  const credits = ledger.changedCredits;
  if (credits !== undefined) {
    const entries = ledger.creditEntries.map((entry) => creditRow(entry, organizationId, ledger.nowMs));
    await tx.query(INSERT_CREDIT_ENTRIES, [JSON.stringify(entries)]);
    await tx.query(SAVE_CREDITS, [organizationId, [...credits.keys()], [...credits.values()]]);
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

/** Its columns are its members. */
function invoiceRow(each: InvoiceRow): InvoiceRow {
  return each;
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
    request_key: bytesOrNull(each.requestKey),
    request_hash: bytesOrNull(each.requestHash),
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

/** How bytea is written in JSON for PostgreSQL. */
function bytesOrNull(bytes: Buffer | null): string | null {
  return bytes === null ? null : `\\x${bytes.toString('hex')}`;
}
