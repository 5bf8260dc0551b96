import {
  anyRow,
  arrays,
  defineDueCheck,
  exists,
  many,
  maybeOne,
  one,
  statement,
  wallTime,
} from '../../database/index.ts';
import type { PaymentIntent, PaymentState, PaymentStatus } from './payment-state.ts';

interface PaymentRow {
  organization_id: string;
  id: string;
  subscription_id: string;
  invoice_id: string | null;
  purpose: PaymentState['purpose'];
  period_index: number | null;
  period_start: Date | null;
  attempt: number | null;
  intent: PaymentIntent;
  amount: number;
  currency: string;
  is_on_session: boolean;
  sets_up_mandate: boolean;
  payment_method_id: string;
  method_ref: string;
  customer_ref: string;
  provider: PaymentState['provider'];
  provider_ref: string | null;
  status: PaymentStatus;
  decline_code: string | null;
  next_check_at: Date | null;
  checks: number;
  request_key: Buffer | null;
  request_hash: Buffer | null;
  created_at: Date;
  settled_at: Date | null;
}

function paymentOf(row: PaymentRow): PaymentState {
  return {
    organizationId: row.organization_id,
    id: row.id,
    subscriptionId: row.subscription_id,
    invoiceId: row.invoice_id,
    purpose: row.purpose,
    periodIndex: row.period_index,
    periodStartMs: row.period_start?.getTime() ?? null,
    attempt: row.attempt,
    intent: row.intent,
    amount: row.amount,
    currency: row.currency,
    isOnSession: row.is_on_session,
    setsUpMandate: row.sets_up_mandate,
    paymentMethodId: row.payment_method_id,
    methodRef: row.method_ref,
    customerRef: row.customer_ref,
    provider: row.provider,
    providerRef: row.provider_ref,
    status: row.status,
    declineCode: row.decline_code,
    nextCheckAtMs: row.next_check_at?.getTime() ?? null,
    checks: row.checks,
    requestKey: row.request_key,
    requestHash: row.request_hash,
    createdAtMs: row.created_at.getTime(),
    settledAtMs: row.settled_at?.getTime() ?? null,
  };
}

const COLUMNS = `p.organization_id, p.id, p.subscription_id, p.invoice_id, p.purpose, p.period_index, p.period_start,
  p.attempt, p.intent, p.amount, p.currency,
  p.is_on_session, p.sets_up_mandate, p.payment_method_id, p.method_ref, p.customer_ref, p.provider, p.provider_ref, p.status,
  p.decline_code, p.next_check_at, p.checks, p.request_key, p.request_hash, p.created_at, p.settled_at`;

/** A payment of the organization. */
export const findPayment = statement({
  name: 'find_payment',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne(paymentOf),
  sql: ({ organizationId, id }) =>
    `select ${COLUMNS} from payments p where p.organization_id = ${organizationId} and p.id = ${id}`,
});

export const listPaymentsByIds = statement({
  name: 'list_payments_by_ids',
  parameters: { organizationId: 'text', ids: 'text[]' },
  returns: many(paymentOf),
  sql: ({ organizationId, ids }) =>
    `select ${COLUMNS} from payments p where p.organization_id = ${organizationId} and p.id = any(${ids})`,
});

/** The payments in flight of these subscriptions, at most one of each. */
export const listPaymentsInFlight = statement({
  name: 'list_payments_in_flight',
  parameters: { organizationId: 'text', subscriptionIds: 'text[]' },
  returns: many(paymentOf),
  sql: ({ organizationId, subscriptionIds }) => `select ${COLUMNS} from payments p
    where p.organization_id = ${organizationId} and p.subscription_id = any(${subscriptionIds}) and p.settled_at is null`,
});

/**
 * The payment of the organization that this request began. A key is valid for 24 hours, as for every request; after
 * that it can be reused.
 */
export const findPaymentOfRequest = statement({
  name: 'find_payment_of_request',
  parameters: { organizationId: 'text', requestKey: 'bytea' },
  returns: maybeOne(paymentOf),
  sql: ({ organizationId, requestKey }) => `with forgotten as (
      update payments set request_key = null
      where organization_id = ${organizationId} and request_key = ${requestKey} and settled_at is not null
        and requested_at < clock_timestamp() - interval '24 hours'
      returning id
    )
    select ${COLUMNS} from payments p
    where p.organization_id = ${organizationId} and p.request_key = ${requestKey}
      and not exists (select from forgotten f where f.id = p.id)`,
});

/** The payment that a provider's event names, of any organization. */
export const findPaymentByRef = statement({
  name: 'find_payment_by_ref',
  parameters: { provider: 'text', ref: 'text' },
  returns: maybeOne(paymentOf),
  sql: ({ provider, ref }) =>
    `select ${COLUMNS} from payments p where p.provider = ${provider} and p.provider_ref = ${ref}`,
});

/** The cards that declined an invoice, by our id, with the decline codes. */
export const listTriedMethods = statement({
  name: 'list_tried_methods',
  parameters: { organizationId: 'text', invoiceId: 'text' },
  returns: many<{ payment_method_id: string; decline_codes: string[] }>(),
  sql: ({ organizationId, invoiceId }) => `select payment_method_id, array_agg(decline_code) as decline_codes
    from payments where organization_id = ${organizationId} and invoice_id = ${invoiceId} and status = 'declined'
    group by payment_method_id`,
});

/** Whether a card has ever paid anything. */
export const hasPaidByMethod = statement({
  name: 'has_paid_by_method',
  parameters: { organizationId: 'text', methodId: 'text' },
  returns: exists(),
  sql: ({ organizationId, methodId }) => `select id from payments
    where organization_id = ${organizationId} and payment_method_id = ${methodId} and status = 'succeeded' limit 1`,
});

/** The number of the next attempt to collect a period of a subscription. */
export const findNextAttempt = statement({
  name: 'find_next_attempt',
  parameters: { organizationId: 'text', subscriptionId: 'text', periodIndex: 'integer' },
  returns: one(({ attempt }: { attempt: number }) => attempt),
  sql: ({ organizationId, subscriptionId, periodIndex }) => `select coalesce(max(attempt), 0) + 1 as attempt
    from payments where organization_id = ${organizationId} and subscription_id = ${subscriptionId}
      and period_index = ${periodIndex} and purpose <> 'change'`,
});

/** The number of the next change of a subscription that is paid for. */
export const findNextChange = statement({
  name: 'find_next_change',
  parameters: { organizationId: 'text', subscriptionId: 'text' },
  returns: one(({ attempt }: { attempt: number }) => attempt),
  sql: ({ organizationId, subscriptionId }) => `select coalesce(max(attempt), 0) + 1 as attempt from payments
    where organization_id = ${organizationId} and subscription_id = ${subscriptionId} and purpose = 'change'`,
});

/**
 * Writes the provider's references of payments before they are charged; returns the IDs of those that are not settled.
 * It waits for the account's lock, so that none is canceled in the meantime as unknown to the provider. Orphaned
 * payments with these references are adopted. `now` is real time.
 */
export const updatePaymentRefs = statement({
  name: 'update_payment_refs',
  parameters: {
    organizationId: 'text',
    provider: 'text',
    prepared: arrays({ id: 'text', ref: 'text', attempt: 'integer | null' }),
    now: 'instant',
  },
  returns: many(({ id }: { id: string }) => id),
  sql: ({ organizationId, provider, prepared, now }) => `with account as (
      select organization_id from billing_accounts where organization_id = ${organizationId} for update
    ), adopted as (
      update orphaned_payments set status = 'adopted', review_at = null, closed_at = ${now}
      where provider = ${provider} and provider_ref = any(array(select ref from ${prepared}))
        and status in ('awaited', 'orphaned')
      returning id
    )
    update payments p set provider_ref = prepared.ref, attempt = prepared.attempt
    from account a, ${prepared}
    where p.organization_id = a.organization_id and p.id = prepared.id and p.settled_at is null returning p.id`,
});

/** A minute, in real time: the maximum time for announcing, charging and one look-up is shorter. */
const CLAIM = `claimed_until = clock_timestamp() + interval '60 seconds'`;
const IS_FREE = 'p.settled_at is null and (p.claimed_until is null or p.claimed_until <= clock_timestamp())';

const ON_TIME = `select p.organization_id, p.id from payments p
      where p.next_check_at <= (select clock_timestamp()) and ${IS_FREE}
      order by p.next_check_at`;
const AHEAD = `select p.organization_id, p.id from organizations o
      join payments p on p.organization_id = o.id and p.settled_at is null
      where o.clock_offset_ms > 0 and p.next_check_at > (select clock_timestamp())
        and p.next_check_at <= ${wallTime('o.clock_offset_ms')} and ${IS_FREE}`;

export const paymentsToCheckAreDue = defineDueCheck({
  name: 'payments_to_check_are_due',
  sql: () => anyRow(`(${ON_TIME} limit 1) union all (${AHEAD} limit 1)`),
});

/**
 * Claims payments whose outcome is due to be looked up, for a minute. Organizations on real time are found by the
 * index; the few whose clock runs ahead are queried separately, as everywhere.
 */
export const claimPaymentsToCheck = statement({
  name: 'claim_payments_to_check',
  parameters: { limit: 'integer' },
  returns: many(paymentOf),
  sql: ({ limit }) => `with on_time as (
      ${ON_TIME} limit ${limit} for update of p skip locked
    ), ahead as (
      ${AHEAD} limit ${limit} for update of p skip locked
    ), due as (select * from on_time union all select * from ahead)
    update payments p set ${CLAIM} from due where p.organization_id = due.organization_id and p.id = due.id
    returning ${COLUMNS}`,
});

/** The same of one organization. */
export const claimPaymentsToCheckOf = statement({
  name: 'claim_payments_to_check_of',
  parameters: { organizationId: 'text', limit: 'integer' },
  returns: many(paymentOf),
  sql: ({ organizationId, limit }) => `with due as (
      select p.organization_id, p.id from payments p
      where p.organization_id = ${organizationId} and ${IS_FREE} and p.next_check_at <= (
        select ${wallTime('o.clock_offset_ms')} from organizations o where o.id = ${organizationId})
      order by p.next_check_at, p.id limit ${limit} for update of p skip locked
    )
    update payments p set ${CLAIM} from due where p.organization_id = due.organization_id and p.id = due.id
    returning ${COLUMNS}`,
});

/** Claims one payment to continue it, unless another process is working on it. */
export const claimPayment = statement({
  name: 'claim_payment',
  parameters: { organizationId: 'text', id: 'text' },
  returns: maybeOne(paymentOf),
  sql: ({ organizationId, id }) => `update payments p set ${CLAIM}
    where p.organization_id = ${organizationId} and p.id = ${id} and ${IS_FREE} returning ${COLUMNS}`,
});
