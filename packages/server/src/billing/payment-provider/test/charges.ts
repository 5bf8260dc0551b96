import type { Queries } from '../../../database/index.ts';
import { isHardDecline } from '../../errors.ts';
import { chargeKeyOf, metadataOf } from '../charge-metadata.ts';
import type { Charge, ChargeOutcome, LookupOutcome } from '../payment-provider.ts';
import { type Behaviour, behaviourOf, isExpired } from './card-behaviour.ts';
import { findCardByName } from './card-list.ts';
import { updateRefusalCount, updateSetUp } from './card-queries.ts';
import {
  type ChargeOfCardRow,
  type ChargeRow,
  findCharge,
  findChargeOfAttempt,
  insertCharge,
  lockCharge,
  lockChargeAndCard,
  updateCanceledCharge,
  updateCharge,
} from './charge-queries.ts';
import { clientSecretOf, verifyClientSecret } from './client-secret.ts';

/** What the customer does when asked to authenticate. */
export type CustomerAct = 'succeed' | 'fail';

/** The charges of the test provider, with the rules of its cards. All changes are committed before a method returns. */
export class TestCharges {
  readonly #database: Queries;
  readonly #key: () => Buffer;

  constructor(database: Queries, key: () => Buffer) {
    this.#database = database;
    this.#key = key;
  }

  /** Prepares a charge. `no_card`: the customer has no such card; `other`: the same attempt has another amount or card. */
  async prepare(charge: Charge): Promise<{ ref: string } | 'no_card' | 'other'> {
    const ref = `pi_test_${charge.attemptId}`;
    const { customerRef, methodRef, amount, currency, isOnSession, purpose } = charge;
    const sought = { attemptId: chargeKeyOf(charge), customerRef, methodRef, amount, currency };
    const row = { ref, ...sought, isOnSession, purpose, metadata: metadataOf(charge) };
    const isNew = (await insertCharge(this.#database, row)) > 0;
    const known = isNew ? { ref, is_same: true } : await findChargeOfAttempt(this.#database, sought);
    if (known === undefined) {
      return 'no_card';
    }
    return known.is_same ? { ref: known.ref } : 'other';
  }

  /** Collects a charge by the rules of its card, once. Later calls only return its state. */
  async confirm(ref: string, nowMs: number): Promise<ChargeOutcome> {
    const first = await this.#database.transaction(async (tx) => {
      const charge = await lockCharge(tx, { ref });
      // Only charges to cards that count them need to be serialized.
      const row = charge !== undefined && isCounting(charge) ? await lockChargeAndCard(tx, ref) : charge;
      return row?.status === 'unconfirmed' ? confirmFirst(tx, row, nowMs) : 'known';
    });
    if (first === 'lost') {
      return { kind: 'unknown', reason: 'no answer came' };
    }
    const outcome = first === 'known' ? await this.lookup(ref, nowMs) : this.#outcomeOf(first);
    return outcome.kind === 'unconfirmed' ? { kind: 'unknown', reason: 'it was not confirmed' } : outcome;
  }

  async lookup(ref: string, nowMs: number): Promise<LookupOutcome> {
    const row = await findCharge(this.#database, ref, nowMs);
    return row === undefined ? { kind: 'unknown', reason: 'there is no such charge' } : this.#outcomeOf(row);
  }

  async cancel(ref: string, nowMs: number): Promise<ChargeOutcome> {
    await updateCanceledCharge(this.#database, { ref });
    const outcome = await this.lookup(ref, nowMs);
    return outcome.kind === 'unconfirmed' ? { kind: 'unknown', reason: 'it was not canceled' } : outcome;
  }

  /**
   * Acts as the customer of the charge with this client secret, who must be `customerRef` if given. `not_waiting`: the
   * payment does not wait for authentication, or no longer does.
   */
  async authenticate(
    clientSecret: string,
    act: CustomerAct,
    nowMs: number,
    customerRef: string | undefined,
  ): Promise<{ paymentRef: string; outcome: ChargeOutcome } | 'not_found' | 'not_waiting'> {
    const paymentRef = verifyClientSecret(this.#key(), clientSecret);
    if (paymentRef === undefined) {
      return 'not_found';
    }
    const state = await this.#database.transaction(async (tx) => {
      const row = await lockCharge(tx, { ref: paymentRef });
      if (row === undefined || (customerRef !== undefined && row.customer_ref !== customerRef)) {
        return 'not_found';
      }
      if (row.status !== 'requires_action') {
        return 'not_waiting';
      }
      await finish(tx, row, act, nowMs);
      return 'done';
    });
    if (state !== 'done') {
      return state;
    }
    const outcome = await this.lookup(paymentRef, nowMs);
    return outcome.kind === 'unconfirmed' ? 'not_waiting' : { paymentRef, outcome };
  }

  #outcomeOf(row: ChargeRow): LookupOutcome {
    switch (row.status) {
      case 'requires_action':
        return { kind: 'requires_action', clientSecret: clientSecretOf(this.#key(), row.ref) };
      case 'processing':
        return { kind: 'processing', ...(row.resolves_at === null ? {} : { checkAtMs: row.resolves_at.getTime() }) };
      case 'declined': {
        const declineCode = row.decline_code ?? 'generic_decline';
        return { kind: 'declined', declineCode, isHard: isHardDecline(declineCode) };
      }
      default:
        return { kind: row.status };
    }
  }
}

function isCounting({ card }: ChargeOfCardRow): boolean {
  return findCardByName(card)?.declinesRenewals !== undefined;
}

const PROCESSING_MS = 2 * 3_600_000;

/** Confirms a charge for the first time and returns it, or `lost` if the caller must not learn the outcome. */
async function confirmFirst(tx: Queries, row: ChargeOfCardRow, nowMs: number): Promise<ChargeRow | 'lost'> {
  const { behaviour, isCountedRefusal } = judge(row, nowMs);
  if (isCountedRefusal) {
    await updateRefusalCount(tx, { ref: row.card_ref });
  }
  const isLost = behaviour.kind === 'loses_request' && row.confirms === 0;
  const written = await updateCharge(tx, {
    ref: row.ref,
    ...stateAfter(behaviour, isLost, nowMs),
    isLost,
  });
  return written === undefined || isLost || behaviour.kind === 'loses_answer' ? 'lost' : written;
}

function judge(row: ChargeOfCardRow, nowMs: number): { behaviour: Behaviour; isCountedRefusal: boolean } {
  const reason = refusalOf(row, nowMs);
  const card = findCardByName(row.card);
  if (reason !== undefined || card === undefined) {
    return { behaviour: { kind: 'declines', code: reason ?? 'invalid_account' }, isCountedRefusal: false };
  }
  const { is_on_session: isOnSession, purpose, is_set_up: isSetUp, refusals } = row;
  return behaviourOf(card, { isOnSession, purpose, isSetUp, refusals });
}

/** Why no charge to this card can succeed, regardless of its behavior. */
function refusalOf(row: ChargeOfCardRow, nowMs: number): string | undefined {
  if (row.is_detached) {
    return 'no_payment_method';
  }
  return isExpired(row.exp_month, row.exp_year, nowMs) ? 'expired_card' : undefined;
}

function stateAfter(behaviour: Behaviour, isLost: boolean, nowMs: number) {
  const state = { declineCode: null, resolvesAt: null };
  switch (behaviour.kind) {
    case 'declines':
      return { ...state, status: 'declined' as const, declineCode: behaviour.code };
    case 'authenticates':
      return { ...state, status: 'requires_action' as const };
    case 'processes': {
      const declineCode = behaviour.declineCode ?? null;
      return { status: 'processing' as const, declineCode, resolvesAt: nowMs + PROCESSING_MS };
    }
    case 'loses_request':
      return { ...state, status: isLost ? ('unconfirmed' as const) : ('succeeded' as const) };
    default:
      return { ...state, status: 'succeeded' as const };
  }
}

/** Records what the customer did with a charge that waited for them. */
async function finish(tx: Queries, row: ChargeOfCardRow, act: CustomerAct, nowMs: number): Promise<void> {
  const declineCode = declineAfter(row, act, nowMs);
  if (act === 'succeed') {
    await updateSetUp(tx, { ref: row.card_ref });
  }
  const status = declineCode === undefined ? 'succeeded' : 'declined';
  await updateCharge(tx, {
    ref: row.ref,
    status,
    declineCode: declineCode ?? null,
    resolvesAt: null,
    isLost: false,
  });
}

function declineAfter(row: ChargeOfCardRow, act: CustomerAct, nowMs: number): string | undefined {
  if (act === 'fail') {
    return 'authentication_failed';
  }
  const { behaviour } = judge(row, nowMs);
  if (behaviour.kind === 'declines') {
    return behaviour.code;
  }
  return behaviour.kind === 'authenticates' ? behaviour.declineCode : undefined;
}
