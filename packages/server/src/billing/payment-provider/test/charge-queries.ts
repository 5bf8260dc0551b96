import type { Queries, Statement } from '../../../database/index.ts';
import { chargeKeyOf, metadataOf } from '../charge-metadata.ts';
import type { Charge } from '../payment-provider.ts';

/** A charge as it is kept. */
export interface ChargeRow {
  ref: string;
  customer_ref: string;
  card_ref: string;
  is_on_session: boolean;
  purpose: Charge['purpose'];
  status: 'unconfirmed' | 'requires_action' | 'processing' | 'succeeded' | 'declined' | 'canceled';
  /** Of one that is declined, or will be when it is processed. */
  decline_code: string | null;
  resolves_at: Date | null;
  confirms: number;
}

/** A charge with the card that it is to. */
export interface ChargeOfCardRow extends ChargeRow {
  card: string;
  exp_month: number;
  exp_year: number;
  is_set_up: boolean;
  refusals: number;
  is_detached: boolean;
}

/** Writes an announced charge unless its attempt has one, or the customer has no such card; answers whether it did. */
export async function insertCharge(db: Queries, ref: string, charge: Charge): Promise<boolean> {
  const { customerRef, methodRef, amount, currency, isOnSession, purpose } = charge;
  const metadata = JSON.stringify(metadataOf(charge));
  const values = [ref, chargeKeyOf(charge), customerRef, methodRef, amount, currency, isOnSession, purpose, metadata];
  return (await db.query(INSERT_CHARGE, values)).length > 0;
}

/** The charge that was announced for the same, if there is one, and whether it is of this amount and card. */
export async function findChargeOfAttempt(
  db: Queries,
  charge: Charge,
): Promise<{ ref: string; is_same: boolean } | undefined> {
  const { customerRef, methodRef, amount, currency } = charge;
  return (await db.query(FIND_CHARGE_OF_ATTEMPT, [chargeKeyOf(charge), customerRef, methodRef, amount, currency]))[0];
}

/** A charge with its card; the charge is locked until the transaction ends. */
export async function lockCharge(tx: Queries, ref: string): Promise<ChargeOfCardRow | undefined> {
  return (await tx.query(LOCK_CHARGE, [ref]))[0];
}

/** The same, and the card as well: charges to it come one after the other. */
export async function lockChargeAndCard(tx: Queries, ref: string): Promise<ChargeOfCardRow | undefined> {
  await tx.query(LOCK_CARD_OF_CHARGE, [ref]);
  return lockCharge(tx, ref);
}

/** How a charge stands at this time of the organization's clock. */
export async function findCharge(db: Queries, ref: string, nowMs: number): Promise<ChargeRow | undefined> {
  await db.query(RESOLVE_CHARGE, [ref, nowMs]);
  return (await db.query(FIND_CHARGE, [ref]))[0];
}

/** Writes how a locked charge stands from now on, and answers it. */
export async function updateCharge(
  tx: Queries,
  ref: string,
  change: { status: ChargeRow['status']; declineCode: string | null; resolvesAtMs: number | null; isLost: boolean },
): Promise<ChargeRow | undefined> {
  const { status, declineCode, resolvesAtMs, isLost } = change;
  return (await tx.query(UPDATE_CHARGE, [ref, status, declineCode, resolvesAtMs, isLost]))[0];
}

/** Gives up a charge unless it is collected, declined, or being processed. */
export async function cancelCharge(db: Queries, ref: string): Promise<void> {
  await db.query(CANCEL_CHARGE, [ref]);
}

const COLUMNS = 'ref, customer_ref, card_ref, is_on_session, purpose, status, decline_code, resolves_at, confirms';

const INSERT_CHARGE: Statement<{ ref: string }> = {
  name: 'insert_test_charge',
  text: `insert into test_charges (ref, attempt_id, customer_ref, card_ref, amount, currency, is_on_session, purpose, status,
      metadata, created_at)
    select $1, $2, $3, ref, $5, $6, $7, $8, 'unconfirmed', $9::jsonb, clock_timestamp() from test_cards
    where ref = $4 and customer_ref = $3::text and detached_at is null
    on conflict do nothing returning ref`,
};

const FIND_CHARGE_OF_ATTEMPT: Statement<{ ref: string; is_same: boolean }> = {
  name: 'find_test_charge_of_attempt',
  text: `select ref, customer_ref = $2 and card_ref = $3 and amount = $4 and currency = $5 as is_same
    from test_charges where attempt_id = $1`,
};

const LOCK_CARD_OF_CHARGE: Statement<{ ref: string }> = {
  name: 'lock_test_card_of_charge',
  text: `select ref from test_cards where ref = (select card_ref from test_charges where ref = $1) for update`,
};

const LOCK_CHARGE: Statement<ChargeOfCardRow> = {
  name: 'lock_test_charge',
  text: `select h.ref, h.customer_ref, h.card_ref, h.is_on_session, h.purpose, h.status, h.decline_code, h.resolves_at,
      h.confirms, c.card, c.exp_month, c.exp_year, c.is_set_up, c.refusals, c.detached_at is not null as is_detached
    from test_charges h join test_cards c on c.ref = h.card_ref where h.ref = $1 for update of h`,
};

/** One that is processed long enough has its outcome, whoever asks first. */
const RESOLVE_CHARGE: Statement<never> = {
  name: 'resolve_test_charge',
  text: `update test_charges set status = case when decline_code is null then 'succeeded' else 'declined' end
    where ref = $1 and status = 'processing' and resolves_at <= to_timestamp($2::float8 / 1000)`,
};

const FIND_CHARGE: Statement<ChargeRow> = {
  name: 'find_test_charge',
  text: `select ${COLUMNS} from test_charges where ref = $1`,
};

const UPDATE_CHARGE: Statement<ChargeRow> = {
  name: 'update_test_charge',
  text: `update test_charges set status = $2, decline_code = $3, resolves_at = to_timestamp($4::float8 / 1000),
      confirms = confirms + $5::boolean::int
    where ref = $1 returning ${COLUMNS}`,
};

const CANCEL_CHARGE: Statement<never> = {
  name: 'cancel_test_charge',
  text: `update test_charges set status = 'canceled' where ref = $1 and status in ('unconfirmed', 'requires_action')`,
};
