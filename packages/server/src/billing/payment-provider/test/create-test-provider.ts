import { randomBytes } from 'node:crypto';
import type { Queries } from '../../../database/index.ts';
import type { MasterKey } from '../../../security/index.ts';
import type { AttachOutcome, PaymentProvider } from '../payment-provider.ts';
import { isExpired, type TestCard } from './card-behaviour.ts';
import { findCardByName } from './card-list.ts';
import { type CardRefusal, judgeTypedCard, type TypedCard } from './card-number-rules.ts';
import {
  type CardRow,
  deleteUnusedCards,
  findCard,
  insertCard,
  type NewCard,
  updateAttachedCard,
  updateDetachedCard,
  upsertNamedCard,
} from './card-queries.ts';
import { type CustomerAct, TestCharges } from './charges.ts';
import { clientSecretOf } from './client-secret.ts';
import { createTestSearches } from './searches.ts';

/** What the sandbox simulates around the test provider: the browser's form and the customer. */
export interface TestCards {
  /**
   * Creates a card from a test number: `ref` can be attached once. Only the brand, the last four digits and the expiry
   * are stored.
   */
  make(
    typed: TypedCard,
    nowMs: number,
  ): Promise<{ kind: 'made'; card: MadeCard } | ({ kind: 'refused' } & CardRefusal)>;
  /**
   * Acts as the customer who is asked to authenticate a charge, of this organization if given; returns the charge's
   * reference with the outcome.
   */
  playCustomer(
    clientSecret: string,
    outcome: CustomerAct,
    nowMs: number,
    organizationId: string | undefined,
  ): ReturnType<TestCharges['authenticate']>;
  /** Deletes cards that were not attached within a day, at most `limit`; returns how many. */
  deleteUnused(limit: number): Promise<number>;
}

export interface MadeCard {
  ref: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

/**
 * The built-in provider, which moves no money and needs no network. It simulates an external system: it has its own
 * tables, and commits each call separately, so that a rollback of ours does not undo it.
 */
export function createTestProvider({
  database,
  masterKey,
}: {
  database: Queries;
  masterKey: MasterKey;
}): PaymentProvider & { cards: TestCards } {
  const key = () => masterKey.deriveKey('test-provider');
  const charges = new TestCharges(database, key);
  return {
    name: 'test',
    maxAmount: () => 99_999_999,
    minAmount: () => 1,
    cards: createTestCards(database, charges),
    createCustomer: async ({ organizationId }) => ({ kind: 'ready', customerRef: customerRefOf(organizationId) }),
    attachMethod: ({ customerRef, token, nowMs }) => attach(database, customerRef, token, nowMs),
    detachMethod: async ({ customerRef, methodRef }) => {
      await updateDetachedCard(database, { ref: methodRef, customerRef });
      return { kind: 'detached' };
    },
    prepare: async (charge) => {
      const announced = await charges.prepare(charge);
      if (announced === 'no_card') {
        return { kind: 'declined', declineCode: 'no_payment_method', isHard: true };
      }
      return announced === 'other'
        ? { kind: 'unknown', reason: 'a different amount or card was prepared for the same attempt' }
        : { kind: 'prepared', paymentRef: announced.ref, clientSecret: clientSecretOf(key(), announced.ref) };
    },
    confirm: ({ paymentRef, nowMs }) => charges.confirm(paymentRef, nowMs),
    lookup: ({ paymentRef, nowMs }) => charges.lookup(paymentRef, nowMs),
    cancel: ({ paymentRef, nowMs }) => charges.cancel(paymentRef, nowMs),
    ...createTestSearches(database),
    parseWebhook: () => ({ kind: 'forged', reason: 'the test provider sends no webhooks' }),
  };
}

function createTestCards(database: Queries, charges: TestCharges): TestCards {
  return {
    make: async (typed, nowMs) => {
      const judged = judgeTypedCard(typed, nowMs);
      if ('refusal' in judged) {
        return { kind: 'refused', ...judged.refusal };
      }
      const made = newCard(judged.card, typed.exp_month, typed.exp_year);
      await insertCard(database, { cards: [made] });
      return { kind: 'made', card: presentCard(made) };
    },
    playCustomer: (clientSecret, act, nowMs, organizationId) =>
      charges.authenticate(
        clientSecret,
        act,
        nowMs,
        organizationId === undefined ? undefined : customerRefOf(organizationId),
      ),
    deleteUnused: (limit) => deleteUnusedCards(database, { limit }),
  };
}

/** Always the same for an organization, so it is not stored. */
function customerRefOf(organizationId: string): string {
  return `cus_test_${organizationId}`;
}

/** Never in the format of our own IDs, which have no second underscore. */
function newCard(card: TestCard, expMonth: number, expYear: number): NewCard {
  const ref = `pm_test_${randomBytes(16).toString('hex')}`;
  return {
    ref,
    card: card.name,
    brand: card.brand,
    last4: card.number.slice(-4),
    exp_month: expMonth,
    exp_year: expYear,
  };
}

async function attach(database: Queries, customerRef: string, token: string, nowMs: number): Promise<AttachOutcome> {
  const named = findCardByName(token);
  return named === undefined
    ? attachMade(database, customerRef, token, nowMs)
    : attachNamed(database, customerRef, named, nowMs);
}

const YEARS_OF_NAMED_CARDS = 10;

/** A name stands for one card per customer at a time, so attaching it again does not create another. */
async function attachNamed(
  database: Queries,
  customerRef: string,
  card: TestCard,
  nowMs: number,
): Promise<AttachOutcome> {
  if (card.attachDecline !== undefined) {
    return { kind: 'declined', declineCode: card.attachDecline };
  }
  const expYear = new Date(nowMs).getUTCFullYear() + YEARS_OF_NAMED_CARDS;
  const row = await upsertNamedCard(database, newCard(card, 12, expYear), customerRef);
  return isExpired(row.exp_month, row.exp_year, nowMs) ? { kind: 'refused', reason: 'expired' } : attached(row);
}

async function attachMade(database: Queries, customerRef: string, ref: string, nowMs: number): Promise<AttachOutcome> {
  const row = await findCard(database, { ref });
  const card = row === undefined ? undefined : findCardByName(row.card);
  if (row === undefined || card === undefined || row.is_detached) {
    return { kind: 'refused', reason: 'unknown' };
  }
  if (isExpired(row.exp_month, row.exp_year, nowMs)) {
    return { kind: 'refused', reason: 'expired' };
  }
  if (card.attachDecline !== undefined) {
    return { kind: 'declined', declineCode: card.attachDecline };
  }
  return (await updateAttachedCard(database, { ref, customerRef })) > 0
    ? attached(row)
    : { kind: 'refused', reason: 'in_use' };
}

function attached(row: CardRow): AttachOutcome {
  return { kind: 'attached', method: presentCard(row) };
}

function presentCard({ ref, brand, last4, exp_month: expMonth, exp_year: expYear }: NewCard): MadeCard {
  return { ref, brand, last4, expMonth, expYear };
}
