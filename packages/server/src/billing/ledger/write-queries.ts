import { many, recordset, statement } from '../../database/index.ts';

/*
 * Each statement writes any number of rows: what one subscription takes and what a hundred take is the same number of round
 * trips. All rows are of one organization, under its account's lock.
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

/** `claimed`: those that the writer goes on with, which it claims for a minute. The claims of the others end. */
export const upsertPayments = statement({
  name: 'upsert_payments',
  parameters: { given: recordset(PAYMENT), claimed: 'text[]' },
  sql: ({ given, claimed }) =>
    upsert('payments', given, Object.keys(PAYMENT), {
      claimed_until: `case when id = any(${claimed}) then clock_timestamp() + interval '60 seconds' end`,
    }),
});

export const insertCreditEntries = statement({
  name: 'insert_credit_entries',
  parameters: {
    entries: recordset({
      organization_id: 'text',
      id: 'text',
      currency: 'text',
      amount: 'bigint',
      reason: 'text',
      subscription_id: 'text',
      invoice_id: 'text | null',
      payment_id: 'text | null',
      created_at: 'timestamptz',
    }),
  },
  sql: ({ entries }) => `insert into billing_credit_entries
      (organization_id, id, currency, amount, reason, subscription_id, invoice_id, payment_id, created_at)
    select organization_id, id, currency, amount, reason, subscription_id, invoice_id, payment_id, created_at
    from ${entries}`,
});

/** Writes balances: the account's lock is held, so they are what they were read as and changed by. */
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

/** Writes rows by their ids. `computed`: further columns, and what they are. */
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
