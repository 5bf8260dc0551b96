import { many, recordset, statement } from '../../database/index.ts';
import type { PaymentState } from './payment-state.ts';
import { nextActionAtMs } from './subscription-rules.ts';
import type { SubscriptionState } from './subscription-state.ts';

/*
 * Each statement writes any number of rows: one subscription takes as many round trips as a hundred. All rows are of
 * one organization, under its account's lock.
 */

const SUBSCRIPTION = {
  organization_id: 'text',
  id: 'text',
  status: 'text',
  plan_id: 'text',
  quantity: 'integer',
  currency: 'text',
  anchor: 'timestamptz',
  period_index: 'integer',
  current_period_start: 'timestamptz',
  current_period_end: 'timestamptz',
  period_accrued: 'numeric',
  period_billed: 'numeric',
  coupon_id: 'text | null',
  cancel_at_period_end: 'boolean',
  canceled_at: 'timestamptz | null',
  canceled_by: 'text | null',
  cancel_reason: 'text | null',
  ended_at: 'timestamptz | null',
  latest_invoice_id: 'text | null',
  license_id: 'text | null',
  requires_action: 'boolean',
  pending_payment_id: 'text | null',
  pending_quantity: 'integer | null',
  pending_plan_id: 'text | null',
  pending_expires_at: 'timestamptz | null',
  dunning_retries: 'integer',
  next_attempt_at: 'timestamptz | null',
  dunning_ends_at: 'timestamptz | null',
  next_action_at: 'timestamptz | null',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

export const upsertSubscriptions = statement({
  name: 'upsert_subscriptions',
  parameters: { given: recordset(SUBSCRIPTION) },
  sql: ({ given }) => upsert('subscriptions', given, Object.keys(SUBSCRIPTION)),
});

const INVOICE = {
  organization_id: 'text',
  id: 'text',
  number: 'text',
  sequence: 'integer',
  status: 'text',
  subscription_id: 'text',
  reason: 'text',
  period_index: 'integer',
  period_start: 'timestamptz',
  period_end: 'timestamptz',
  currency: 'text',
  lines: 'jsonb',
  subtotal: 'bigint',
  discount: 'bigint',
  coupon_code: 'text | null',
  tax: 'bigint',
  tax_lines: 'jsonb',
  credit_applied: 'bigint',
  amount_due: 'bigint',
  amount_paid: 'bigint',
  buyer: 'jsonb',
  paid_with: 'jsonb | null',
  created_at: 'timestamptz',
  paid_at: 'timestamptz | null',
  closed_at: 'timestamptz | null',
} as const;

export const upsertInvoices = statement({
  name: 'upsert_invoices',
  parameters: { given: recordset(INVOICE) },
  sql: ({ given }) => upsert('invoices', given, Object.keys(INVOICE)),
});

const PAYMENT = {
  organization_id: 'text',
  id: 'text',
  subscription_id: 'text',
  invoice_id: 'text | null',
  purpose: 'text',
  period_index: 'integer | null',
  period_start: 'timestamptz | null',
  attempt: 'integer | null',
  intent: 'jsonb',
  amount: 'bigint',
  currency: 'text',
  is_on_session: 'boolean',
  sets_up_mandate: 'boolean',
  payment_method_id: 'text',
  method_ref: 'text',
  customer_ref: 'text',
  provider: 'text',
  provider_ref: 'text | null',
  status: 'text',
  decline_code: 'text | null',
  next_check_at: 'timestamptz | null',
  checks: 'integer',
  request_key: 'bytea | null',
  request_hash: 'bytea | null',
  created_at: 'timestamptz',
  settled_at: 'timestamptz | null',
} as const;

/** `claimed`: the payments that the caller continues with and claims for a minute. The claims of the others end. */
export const upsertPayments = statement({
  name: 'upsert_payments',
  parameters: { given: recordset(PAYMENT), claimed: 'text[]' },
  sql: ({ given, claimed }) =>
    upsert('payments', given, Object.keys(PAYMENT), {
      claimed_until: `case when id = any(${claimed}) then clock_timestamp() + interval '60 seconds' end`,
    }),
});

/** Credit that was given or used. */
export interface CreditEntry {
  id: string;
  currency: string;
  /** Minor units; negative when it is used. */
  amount: number;
  /** `late_payment`: money for something that had ended, for a payment booked as failed, or for one without a record here. */
  reason: 'decrease' | 'applied' | 'returned' | 'late_payment' | 'granted';
  /** Null for credit granted by the vendor. */
  subscriptionId: string | null;
  invoiceId: string | null;
  /** The payment whose money became credit, if any. */
  paymentId?: string;
  /** Why the vendor granted it. */
  note?: string;
}

export const insertCreditEntries = statement({
  name: 'insert_credit_entries',
  parameters: {
    entries: recordset({
      organization_id: 'text',
      id: 'text',
      currency: 'text',
      amount: 'bigint',
      reason: 'text',
      subscription_id: 'text | null',
      invoice_id: 'text | null',
      payment_id: 'text | null',
      note: 'text | null',
      created_at: 'timestamptz',
    }),
  },
  sql: ({ entries }) => `insert into billing_credit_entries
      (organization_id, id, currency, amount, reason, subscription_id, invoice_id, payment_id, note, created_at)
    select organization_id, id, currency, amount, reason, subscription_id, invoice_id, payment_id, note, created_at
    from ${entries}`,
});

/** Writes balances: the account's lock is held, so they are the balances as read plus the changes. */
export const upsertCredits = statement({
  name: 'upsert_credits',
  parameters: { organizationId: 'text', credits: recordset({ currency: 'text', balance: 'bigint' }) },
  sql: ({ organizationId, credits }) => `insert into billing_credits (organization_id, currency, balance)
    select ${organizationId}, currency, balance from ${credits}
    on conflict (organization_id, currency) do update set balance = excluded.balance`,
});

export const listCredits = statement({
  name: 'list_credits',
  parameters: { organizationId: 'text' },
  returns: many<{ currency: string; balance: number }>(),
  sql: ({ organizationId }) =>
    `select currency, balance from billing_credits where organization_id = ${organizationId}`,
});

/** Writes rows by their ids. `computed`: further columns and their expressions. */
function upsert(
  table: string,
  given: string,
  columns: readonly string[],
  computed: Readonly<Record<string, string>> = {},
): string {
  const names = [...columns, ...Object.keys(computed)];
  const kept = new Set(['organization_id', 'id', 'created_at']);
  const sets = names.filter((name) => !kept.has(name)).map((name) => `${name} = excluded.${name}`);
  return `insert into ${table} (${names.join(', ')})
    select ${[...columns, ...Object.values(computed)].join(', ')} from ${given}
    on conflict (organization_id, id) do update set ${sets.join(', ')}`;
}

/** `dueAtMs`: when it is due next, if its state does not say so. */
export function subscriptionRow(each: SubscriptionState, nowMs: number, dueAtMs: number | undefined) {
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
    next_action_at: timeOrNull(dueAtMs ?? nextActionAtMs(each)),
    created_at: new Date(each.createdAtMs),
    updated_at: new Date(nowMs),
  };
}

export function paymentRow(each: PaymentState) {
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

export function creditRow(entry: CreditEntry, organizationId: string, nowMs: number) {
  return {
    organization_id: organizationId,
    id: entry.id,
    currency: entry.currency,
    amount: entry.amount,
    reason: entry.reason,
    subscription_id: entry.subscriptionId,
    invoice_id: entry.invoiceId,
    payment_id: entry.paymentId ?? null,
    note: entry.note ?? null,
    created_at: new Date(nowMs),
  };
}

function timeOrNull(timeMs: number | null): Date | null {
  return timeMs === null ? null : new Date(timeMs);
}
