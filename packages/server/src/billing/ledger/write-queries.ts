import type { Statement } from '../../database/index.ts';

/*
 * Each statement writes any number of rows, given as one JSON array: what one subscription takes and what a hundred take
 * is the same number of round trips. All of an organization, under its account's lock.
 */

const SUBSCRIPTION_COLUMNS = `status, plan_id, quantity, currency, anchor, period_index, current_period_start,
  current_period_end, period_accrued, period_billed, coupon_id, cancel_at_period_end, canceled_at, canceled_by,
  cancel_reason, ended_at, latest_invoice_id, license_id, requires_action, pending_payment_id, pending_quantity,
  pending_plan_id, pending_expires_at, dunning_retries, next_attempt_at, dunning_ends_at,
  next_action_at, created_at, updated_at`;

/** $1 rows of subscriptions. */
export const SAVE_SUBSCRIPTIONS: Statement<never> = {
  name: 'save_subscriptions',
  text: upsert('subscriptions', SUBSCRIPTION_COLUMNS),
};

const INVOICE_COLUMNS = `number, sequence, status, subscription_id, reason, period_index, period_start, period_end,
  currency, subtotal, discount, coupon_code, tax, tax_lines, credit_applied, amount_due, amount_paid, lines, buyer, paid_with, created_at, paid_at,
  closed_at`;

/** $1 rows of invoices. */
export const SAVE_INVOICES: Statement<never> = { name: 'save_invoices', text: upsert('invoices', INVOICE_COLUMNS) };

const PAYMENT_COLUMNS = `subscription_id, invoice_id, purpose, period_index, period_start, attempt, intent, amount, currency, is_on_session,
  sets_up_mandate, payment_method_id, method_ref, customer_ref, provider, provider_ref, status, decline_code, next_check_at, checks,
  request_key, request_hash, created_at, settled_at, claimed_until`;

/**
 * $1 rows of payments, $2 those that the writer goes on with: it claims them for a minute. The claims of the others
 * end.
 */
export const SAVE_PAYMENTS: Statement<never> = {
  name: 'save_payments',
  text: upsert('payments', PAYMENT_COLUMNS, {
    claimed_until: `case when id = any($2::text[]) then clock_timestamp() + interval '60 seconds' end`,
  }),
};

/** $1 rows of entries. */
export const INSERT_CREDIT_ENTRIES: Statement<never> = {
  name: 'insert_credit_entries',
  text: `insert into billing_credit_entries
      (organization_id, id, currency, amount, reason, subscription_id, invoice_id, payment_id, created_at)
    select organization_id, id, currency, amount, reason, subscription_id, invoice_id, payment_id, created_at
    from jsonb_populate_recordset(null::billing_credit_entries, $1::jsonb)`,
};

/** $1 organization, $2 currencies, $3 balances: the account's lock is held, so they are what they were read as and changed by. */
export const SAVE_CREDITS: Statement<never> = {
  name: 'save_credits',
  text: `insert into billing_credits (organization_id, currency, balance)
    select $1::text, c.currency, c.balance from unnest($2::text[], $3::bigint[]) as c (currency, balance)
    on conflict (organization_id, currency) do update set balance = excluded.balance`,
};

/** $1 organization. */
export const LIST_CREDITS: Statement<{ currency: string; balance: number }> = {
  name: 'list_credits',
  text: 'select currency, balance from billing_credits where organization_id = $1',
};

/** `computed`: what columns are instead of what the row says. */
function upsert(table: string, columns: string, computed: Readonly<Record<string, string>> = {}): string {
  const names = columns.split(',').map((name) => name.trim());
  const sets = names.filter((name) => name !== 'created_at').map((name) => `${name} = excluded.${name}`);
  return `insert into ${table} (organization_id, id, ${names.join(', ')})
    select organization_id, id, ${names.map((name) => computed[name] ?? name).join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)
    on conflict (organization_id, id) do update set ${sets.join(', ')}`;
}
