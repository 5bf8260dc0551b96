import { type Queries, type Statement, wallTime } from '../../database/index.ts';
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

/** A payment, and whether a process is working on it. */
export interface ClaimedPayment {
  payment: PaymentState;
  /** Whether a process is working on it now. */
  isClaimed: boolean;
}

/** A payment of the organization, or undefined. */
export async function findPayment(
  database: Queries,
  organizationId: string,
  id: string,
): Promise<PaymentState | undefined> {
  return paymentOf((await database.query(FIND_PAYMENT, [organizationId, id]))[0]);
}

/** Some of the organization's payments, by their ids. */
export async function listPaymentsById(
  database: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<PaymentState[]> {
  return (await database.query(LIST_PAYMENTS_BY_ID, [organizationId, ids])).map(stateOf);
}

/** The payment of the organization that this request began. */
export async function findPaymentOfRequest(
  database: Queries,
  organizationId: string,
  requestKey: Buffer,
): Promise<ClaimedPayment | undefined> {
  const [row] = await database.query(FIND_PAYMENT_OF_REQUEST, [organizationId, requestKey]);
  const payment = paymentOf(row);
  return payment === undefined ? undefined : { payment, isClaimed: row?.is_claimed === true };
}

/** The payment that a provider's event names, of any organization. */
export async function findPaymentByRef(
  database: Queries,
  provider: string,
  providerRef: string,
): Promise<PaymentState | undefined> {
  return paymentOf((await database.query(FIND_PAYMENT_BY_REF, [provider, providerRef]))[0]);
}

/** Whether a payment in flight charges a method, by the provider's name for it. */
export async function isBeingCharged(database: Queries, organizationId: string, methodRef: string): Promise<boolean> {
  return (await database.query(FIND_CHARGE_OF_METHOD, [organizationId, methodRef])).length > 0;
}

/** The cards that declined an invoice, by our id, with the decline codes. */
export async function listTriedMethods(
  tx: Queries,
  organizationId: string,
  invoiceId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.query(LIST_TRIED_METHODS, [organizationId, invoiceId]);
  return new Map(rows.map((row) => [row.payment_method_id, row.decline_codes]));
}

/** Whether a card has ever paid anything. */
export async function hasPaid(tx: Queries, organizationId: string, methodId: string): Promise<boolean> {
  return (await tx.query(FIND_PAID_BY_METHOD, [organizationId, methodId])).length > 0;
}

/** The payments in flight of these subscriptions, at most one of each. */
export async function listPaymentsInFlight(
  tx: Queries,
  organizationId: string,
  subscriptionIds: readonly string[],
): Promise<PaymentState[]> {
  return (await tx.query(LIST_PAYMENTS_IN_FLIGHT, [organizationId, subscriptionIds])).map(stateOf);
}

/**
 * Notes the provider's identifiers of payments of one organization before the provider is told to charge; returns which of them
 * still wait. It waits for the account's lock, so that nobody gives one up meanwhile as one that the provider has not heard of.
 */
export async function notePaymentRefs(
  database: Queries,
  noted: ReadonlyArray<{ payment: PaymentState; ref: string; attempt: number | null }>,
  realNowMs: number,
): Promise<ReadonlySet<string>> {
  const [first] = noted;
  if (first === undefined) {
    return new Set();
  }
  const rows = await database.query(UPDATE_PAYMENT_REFS, [
    first.payment.organizationId,
    noted.map(({ payment }) => payment.id),
    noted.map(({ ref }) => ref),
    noted.map(({ attempt }) => attempt),
    first.payment.provider,
    realNowMs,
  ]);
  return new Set(rows.map((row) => row.id));
}

/** Claims payments whose outcome is due to be looked up, for a minute. */
export async function claimPaymentsToCheck(database: Queries, limit: number): Promise<PaymentState[]> {
  return (await database.query(CLAIM_PAYMENTS_TO_CHECK, [limit])).map(stateOf);
}

/** The same of one organization. */
export async function claimPaymentsToCheckOf(
  database: Queries,
  organizationId: string,
  limit: number,
): Promise<PaymentState[]> {
  return (await database.query(CLAIM_PAYMENTS_TO_CHECK_OF, [organizationId, limit])).map(stateOf);
}

/** Claims one payment to continue it, unless another process is working on it. */
export async function claimPayment(
  database: Queries,
  organizationId: string,
  id: string,
): Promise<PaymentState | undefined> {
  return paymentOf((await database.query(CLAIM_PAYMENT, [organizationId, id]))[0]);
}

function paymentOf(row: PaymentRow | undefined): PaymentState | undefined {
  return row === undefined ? undefined : stateOf(row);
}

function stateOf(row: PaymentRow): PaymentState {
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

const FIND_PAYMENT: Statement<PaymentRow> = {
  name: 'find_payment',
  text: `select ${COLUMNS} from payments p where p.organization_id = $1 and p.id = $2`,
};

const LIST_PAYMENTS_BY_ID: Statement<PaymentRow> = {
  name: 'list_payments_by_id',
  text: `select ${COLUMNS} from payments p where p.organization_id = $1 and p.id = any($2::text[])`,
};

/** A key counts for 24 hours, as with every request; then it is free for another one. */
const FIND_PAYMENT_OF_REQUEST: Statement<PaymentRow & { is_claimed: boolean }> = {
  name: 'find_payment_of_request',
  text: `with forgotten as (
      update payments set request_key = null
      where organization_id = $1 and request_key = $2 and settled_at is not null
        and requested_at < clock_timestamp() - interval '24 hours'
      returning id
    )
    select ${COLUMNS}, coalesce(p.claimed_until > clock_timestamp(), false) as is_claimed from payments p
    where p.organization_id = $1 and p.request_key = $2 and not exists (select from forgotten f where f.id = p.id)`,
};

const LIST_TRIED_METHODS: Statement<{ payment_method_id: string; decline_codes: string[] }> = {
  name: 'list_tried_methods',
  text: `select payment_method_id, array_agg(decline_code) as decline_codes from payments
    where organization_id = $1 and invoice_id = $2 and status = 'declined' group by payment_method_id`,
};

const FIND_PAID_BY_METHOD: Statement<{ id: string }> = {
  name: 'find_paid_by_method',
  text: `select id from payments
    where organization_id = $1 and payment_method_id = $2 and status = 'succeeded' limit 1`,
};

const FIND_PAYMENT_BY_REF: Statement<PaymentRow> = {
  name: 'find_payment_by_ref',
  text: `select ${COLUMNS} from payments p where p.provider = $1 and p.provider_ref = $2`,
};

const FIND_CHARGE_OF_METHOD: Statement<{ id: string }> = {
  name: 'find_charge_of_method',
  text: `select p.id from payments p
    where p.organization_id = $1 and p.method_ref = $2 and p.settled_at is null limit 1`,
};

const LIST_PAYMENTS_IN_FLIGHT: Statement<PaymentRow> = {
  name: 'list_payments_in_flight',
  text: `select ${COLUMNS} from payments p
    where p.organization_id = $1 and p.subscription_id = any($2::text[]) and p.settled_at is null`,
};

const UPDATE_PAYMENT_REFS: Statement<{ id: string }> = {
  name: 'update_payment_refs',
  // A payment that was kept as orphaned has found what it is for.
  text: `with account as (select organization_id from billing_accounts where organization_id = $1 for update),
    adopted as (
      update orphaned_payments set status = 'adopted', review_at = null, closed_at = to_timestamp($6::float8 / 1000)
      where provider = $5 and provider_ref = any($3::text[]) and status in ('awaited', 'orphaned') returning id
    )
    update payments p set provider_ref = n.ref, attempt = n.attempt
    from account a, unnest($2::text[], $3::text[], $4::int[]) as n (id, ref, attempt)
    where p.organization_id = a.organization_id and p.id = n.id and p.settled_at is null returning p.id`,
};

/** A minute, in real time: longer than announcing, charging and looking up once take at the most. */
const CLAIM = `claimed_until = clock_timestamp() + interval '60 seconds'`;
const IS_FREE = 'p.settled_at is null and (p.claimed_until is null or p.claimed_until <= clock_timestamp())';

/** Organizations on real time by the index, the few whose clock runs ahead apart, as everywhere. */
const CLAIM_PAYMENTS_TO_CHECK: Statement<PaymentRow> = {
  name: 'claim_payments_to_check',
  text: `with on_time as (
      select p.organization_id, p.id from payments p
      where p.next_check_at <= (select clock_timestamp()) and ${IS_FREE}
      order by p.next_check_at limit $1 for update of p skip locked
    ), ahead as (
      select p.organization_id, p.id from organizations o
      join payments p on p.organization_id = o.id and p.settled_at is null
      where o.clock_offset_ms > 0 and p.next_check_at > (select clock_timestamp())
        and p.next_check_at <= ${wallTime('o.clock_offset_ms')} and ${IS_FREE}
      limit $1 for update of p skip locked
    ), due as (select * from on_time union all select * from ahead)
    update payments p set ${CLAIM} from due where p.organization_id = due.organization_id and p.id = due.id
    returning ${COLUMNS}`,
};

const CLAIM_PAYMENTS_TO_CHECK_OF: Statement<PaymentRow> = {
  name: 'claim_payments_to_check_of',
  text: `with due as (
      select p.organization_id, p.id from payments p
      where p.organization_id = $1 and ${IS_FREE} and p.next_check_at <= (
        select ${wallTime('o.clock_offset_ms')} from organizations o where o.id = $1)
      order by p.next_check_at, p.id limit $2 for update of p skip locked
    )
    update payments p set ${CLAIM} from due where p.organization_id = due.organization_id and p.id = due.id
    returning ${COLUMNS}`,
};

const CLAIM_PAYMENT: Statement<PaymentRow> = {
  name: 'claim_payment',
  text: `update payments p set ${CLAIM} where p.organization_id = $1 and p.id = $2 and ${IS_FREE} returning ${COLUMNS}`,
};
