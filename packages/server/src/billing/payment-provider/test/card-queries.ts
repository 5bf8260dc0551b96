import { count, maybeOne, one, type Queries, recordset, statement } from '../../../database/index.ts';

/** A test card as stored: never its number. */
export interface CardRow {
  ref: string;
  /** The name in the list of test cards. */
  card: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  customer_ref: string | null;
  is_detached: boolean;
}

/** A card to insert. */
export type NewCard = Omit<CardRow, 'customer_ref' | 'is_detached'>;

const COLUMNS = `ref, card, brand, last4, exp_month, exp_year, customer_ref, detached_at is not null as is_detached`;

const NEW_CARD = recordset({
  ref: 'text',
  card: 'text',
  brand: 'text',
  last4: 'text',
  exp_month: 'integer',
  exp_year: 'integer',
});

/** Inserts a card that is not attached yet. */
export const insertCard = statement({
  name: 'insert_test_card',
  parameters: { cards: NEW_CARD },
  sql: ({ cards }) => `insert into test_cards (ref, card, brand, last4, exp_month, exp_year, created_at)
    select ref, card, brand, last4, exp_month, exp_year, clock_timestamp() from ${cards}`,
});

/** The customer's card of this name, which is created if there is none. */
export async function upsertNamedCard(db: Queries, card: NewCard, customerRef: string): Promise<CardRow> {
  return (
    (await findNamedCard(db, { customerRef, card: card.card })) ??
    (await insertNamedCard(db, { cards: [card], customerRef }))
  );
}

const findNamedCard = statement({
  name: 'find_named_test_card',
  parameters: { customerRef: 'text', card: 'text' },
  returns: maybeOne<CardRow>(),
  sql: ({ customerRef, card }) => `select ${COLUMNS} from test_cards
    where customer_ref = ${customerRef} and card = ${card} and is_named and detached_at is null`,
});

/** Returns the existing card if there is one: the update changes nothing, but makes the statement return the row. */
const insertNamedCard = statement({
  name: 'insert_named_test_card',
  parameters: { cards: NEW_CARD, customerRef: 'text' },
  returns: one<CardRow>(),
  sql: ({ cards, customerRef }) => `insert into test_cards (ref, card, brand, last4, exp_month, exp_year, customer_ref,
      is_named, created_at)
    select ref, card, brand, last4, exp_month, exp_year, ${customerRef}, true, clock_timestamp() from ${cards}
    on conflict (customer_ref, card) where is_named and detached_at is null
    do update set is_named = true returning ${COLUMNS}`,
});

/** A card by its reference, including detached ones. */
export const findCard = statement({
  name: 'find_test_card',
  parameters: { ref: 'text' },
  returns: maybeOne<CardRow>(),
  sql: ({ ref }) => `select ${COLUMNS} from test_cards where ref = ${ref}`,
});

/**
 * Attaches a card to a customer, unless it belongs to another or was detached. Counts one if it is now attached to this
 * one.
 */
export const updateAttachedCard = statement({
  name: 'update_attached_test_card',
  parameters: { ref: 'text', customerRef: 'text' },
  returns: count(),
  sql: ({ ref, customerRef }) => `update test_cards set customer_ref = ${customerRef}
    where ref = ${ref} and detached_at is null and coalesce(customer_ref, ${customerRef}) = ${customerRef}`,
});

/** Detaches a customer's card permanently. */
export const updateDetachedCard = statement({
  name: 'update_detached_test_card',
  parameters: { ref: 'text', customerRef: 'text' },
  sql: ({ ref, customerRef }) => `update test_cards set detached_at = clock_timestamp()
    where ref = ${ref} and customer_ref = ${customerRef} and detached_at is null`,
});

/** Counts one more renewal that a card declined. */
export const updateRefusalCount = statement({
  name: 'update_refusals_of_test_card',
  parameters: { ref: 'text' },
  sql: ({ ref }) => `update test_cards set refusals = refusals + 1 where ref = ${ref}`,
});

/** Remembers that the customer has authenticated with a card. */
export const updateSetUp = statement({
  name: 'update_set_up_test_card',
  parameters: { ref: 'text' },
  sql: ({ ref }) => `update test_cards set is_set_up = true where ref = ${ref} and not is_set_up`,
});

/** Deletes cards that were not attached within a day, at most `limit`. */
export const deleteUnusedCards = statement({
  name: 'delete_unused_test_cards',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `delete from test_cards where ctid = any(array(
      select ctid from test_cards
      where customer_ref is null and created_at < (select clock_timestamp() - interval '1 day')
      order by created_at limit ${limit} for update skip locked
    ))`,
});
