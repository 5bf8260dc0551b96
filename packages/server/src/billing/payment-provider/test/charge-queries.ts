import { count, maybeOne, type Queries, statement } from '../../../database/index.ts';
import type { Charge } from '../payment-provider.ts';

/** A charge as stored. */
export interface ChargeRow {
  ref: string;
  customer_ref: string;
  card_ref: string;
  is_on_session: boolean;
  purpose: Charge['purpose'];
  status: 'unconfirmed' | 'requires_action' | 'processing' | 'succeeded' | 'declined' | 'canceled';
  /** Set if it is declined, or will be once it is processed. */
  decline_code: string | null;
  resolves_at: Date | null;
  confirms: number;
}

/** A charge with its card. */
export interface ChargeOfCardRow extends ChargeRow {
  card: string;
  exp_month: number;
  exp_year: number;
  is_set_up: boolean;
  refusals: number;
  is_detached: boolean;
}

const COLUMNS = 'ref, customer_ref, card_ref, is_on_session, purpose, status, decline_code, resolves_at, confirms';

/** Inserts a prepared charge. Counts none if its attempt already has one, or the customer has no such card. */
export const insertCharge = statement({
  name: 'insert_test_charge',
  parameters: {
    ref: 'text',
    attemptId: 'text',
    customerRef: 'text',
    methodRef: 'text',
    amount: 'bigint',
    currency: 'text',
    isOnSession: 'boolean',
    purpose: 'text',
    metadata: 'jsonb',
  },
  returns: count(),
  sql: (
    charge,
  ) => `insert into test_charges (ref, attempt_id, customer_ref, card_ref, amount, currency, is_on_session, purpose,
      status, metadata, created_at)
    select ${charge.ref}, ${charge.attemptId}, ${charge.customerRef}, ref, ${charge.amount}, ${charge.currency},
      ${charge.isOnSession}, ${charge.purpose}, 'unconfirmed', ${charge.metadata}, clock_timestamp() from test_cards
    where ref = ${charge.methodRef} and customer_ref = ${charge.customerRef} and detached_at is null
    on conflict do nothing`,
});

/** The charge prepared for the same attempt, if any, and whether it has this amount and card. */
export const findChargeOfAttempt = statement({
  name: 'find_test_charge_of_attempt',
  parameters: { attemptId: 'text', customerRef: 'text', methodRef: 'text', amount: 'bigint', currency: 'text' },
  returns: maybeOne<{ ref: string; is_same: boolean }>(),
  sql: ({ attemptId, customerRef, methodRef, amount, currency }) => `select ref,
      customer_ref = ${customerRef} and card_ref = ${methodRef} and amount = ${amount} and currency = ${currency} as is_same
    from test_charges where attempt_id = ${attemptId}`,
});

/** A charge with its card. The charge is locked until the transaction ends. */
export const lockCharge = statement({
  name: 'lock_test_charge',
  parameters: { ref: 'text' },
  returns: maybeOne<ChargeOfCardRow>(),
  sql: ({ ref }) => `select h.ref, h.customer_ref, h.card_ref, h.is_on_session, h.purpose, h.status, h.decline_code,
      h.resolves_at, h.confirms, c.card, c.exp_month, c.exp_year, c.is_set_up, c.refusals,
      c.detached_at is not null as is_detached
    from test_charges h join test_cards c on c.ref = h.card_ref where h.ref = ${ref} for update of h`,
});

/** The same, with the card locked as well, so that charges to it are serialized. */
export async function lockChargeAndCard(tx: Queries, ref: string): Promise<ChargeOfCardRow | undefined> {
  await lockCardOfCharge(tx, { ref });
  return lockCharge(tx, { ref });
}

const lockCardOfCharge = statement({
  name: 'lock_test_card_of_charge',
  parameters: { ref: 'text' },
  sql: ({ ref }) =>
    `select ref from test_cards where ref = (select card_ref from test_charges where ref = ${ref}) for update`,
});

/** The state of a charge at this time of the organization's clock. */
export async function findCharge(db: Queries, ref: string, nowMs: number): Promise<ChargeRow | undefined> {
  await updateResolvedCharge(db, { ref, now: nowMs });
  return findChargeRow(db, { ref });
}

/** Writes the outcome of a charge whose processing time is over. Any later call finds nothing to write. */
const updateResolvedCharge = statement({
  name: 'update_resolved_test_charge',
  parameters: { ref: 'text', now: 'instant' },
  sql: ({ ref, now }) => `update test_charges
    set status = case when decline_code is null then 'succeeded' else 'declined' end
    where ref = ${ref} and status = 'processing' and resolves_at <= ${now}`,
});

const findChargeRow = statement({
  name: 'find_test_charge',
  parameters: { ref: 'text' },
  returns: maybeOne<ChargeRow>(),
  sql: ({ ref }) => `select ${COLUMNS} from test_charges where ref = ${ref}`,
});

/** Writes the new state of a locked charge, and returns it. */
export const updateCharge = statement({
  name: 'update_test_charge',
  parameters: {
    ref: 'text',
    status: 'text',
    declineCode: 'text | null',
    resolvesAt: 'instant | null',
    isLost: 'boolean',
  },
  returns: maybeOne<ChargeRow>(),
  sql: ({ ref, status, declineCode, resolvesAt, isLost }) => `update test_charges set status = ${status},
      decline_code = ${declineCode}, resolves_at = ${resolvesAt}, confirms = confirms + ${isLost}::int
    where ref = ${ref} returning ${COLUMNS}`,
});

/** Cancels a charge unless it is collected, declined, or being processed. */
export const updateCanceledCharge = statement({
  name: 'update_canceled_test_charge',
  parameters: { ref: 'text' },
  sql: ({ ref }) =>
    `update test_charges set status = 'canceled' where ref = ${ref} and status in ('unconfirmed', 'requires_action')`,
});
