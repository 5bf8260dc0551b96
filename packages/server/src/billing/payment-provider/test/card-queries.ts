import type { Queries, Statement } from '../../../database/index.ts';

/** A test card as it is kept: never its number. */
export interface CardRow {
  ref: string;
  /** The name in the catalogue. */
  card: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  customer_ref: string | null;
  is_detached: boolean;
}

export interface NewCard {
  ref: string;
  card: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
}

/** Writes a card that nobody has attached yet. */
export async function insertCard(db: Queries, card: NewCard): Promise<void> {
  await db.query(INSERT_CARD, valuesOf(card));
}

/** The customer's card of this name, which is made when there is none. */
export async function insertNamedCard(db: Queries, card: NewCard, customerRef: string): Promise<CardRow> {
  const [known] = await db.query(FIND_NAMED_CARD, [customerRef, card.card]);
  if (known !== undefined) {
    return known;
  }
  const [row] = await db.query(INSERT_NAMED_CARD, [...valuesOf(card), customerRef]);
  if (row === undefined) {
    throw new Error('a test card that was just written is missing');
  }
  return row;
}

/** A card by its reference, detached ones included. */
export async function findCard(db: Queries, ref: string): Promise<CardRow | undefined> {
  return (await db.query(FIND_CARD, [ref]))[0];
}

/** Ties a card to a customer unless it is another's or was untied; answers whether it is tied to this one now. */
export async function tieCard(db: Queries, ref: string, customerRef: string): Promise<boolean> {
  return (await db.query(TIE_CARD, [ref, customerRef])).length > 0;
}

/** Unties a card of a customer for good. */
export async function untieCard(db: Queries, ref: string, customerRef: string): Promise<void> {
  await db.query(UNTIE_CARD, [ref, customerRef]);
}

/** Counts one more renewal that a card declined. */
export async function countRefusal(db: Queries, ref: string): Promise<void> {
  await db.query(COUNT_REFUSAL, [ref]);
}

/** Remembers that the customer has authenticated with a card. */
export async function noteSetUp(db: Queries, ref: string): Promise<void> {
  await db.query(NOTE_SET_UP, [ref]);
}

/** Deletes cards that nobody attached within a day, `limit` at most; answers how many went. */
export async function deleteUnusedCards(db: Queries, limit: number): Promise<number> {
  return (await db.query(DELETE_UNUSED_CARDS, [limit])).length;
}

function valuesOf({ ref, card, brand, last4, expMonth, expYear }: NewCard): unknown[] {
  return [ref, card, brand, last4, expMonth, expYear];
}

const COLUMNS = `ref, card, brand, last4, exp_month, exp_year, customer_ref, detached_at is not null as is_detached`;

const INSERT_CARD: Statement<never> = {
  name: 'insert_test_card',
  text: `insert into test_cards (ref, card, brand, last4, exp_month, exp_year, created_at)
    values ($1, $2, $3, $4, $5, $6, clock_timestamp())`,
};

const FIND_NAMED_CARD: Statement<CardRow> = {
  name: 'find_named_test_card',
  text: `select ${COLUMNS} from test_cards
    where customer_ref = $1 and card = $2 and is_named and detached_at is null`,
};

/** The update changes nothing: it makes the statement answer the card that is there, whoever made it. */
const INSERT_NAMED_CARD: Statement<CardRow> = {
  name: 'insert_named_test_card',
  text: `insert into test_cards (ref, card, brand, last4, exp_month, exp_year, customer_ref, is_named, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, true, clock_timestamp())
    on conflict (customer_ref, card) where is_named and detached_at is null
    do update set is_named = true returning ${COLUMNS}`,
};

const FIND_CARD: Statement<CardRow> = {
  name: 'find_test_card',
  text: `select ${COLUMNS} from test_cards where ref = $1`,
};

const TIE_CARD: Statement<{ ref: string }> = {
  name: 'tie_test_card',
  text: `update test_cards set customer_ref = $2
    where ref = $1 and detached_at is null and coalesce(customer_ref, $2) = $2 returning ref`,
};

const UNTIE_CARD: Statement<never> = {
  name: 'untie_test_card',
  text: `update test_cards set detached_at = clock_timestamp()
    where ref = $1 and customer_ref = $2 and detached_at is null`,
};

const COUNT_REFUSAL: Statement<never> = {
  name: 'count_refusal_of_test_card',
  text: 'update test_cards set refusals = refusals + 1 where ref = $1',
};

const NOTE_SET_UP: Statement<never> = {
  name: 'note_set_up_of_test_card',
  text: 'update test_cards set is_set_up = true where ref = $1 and not is_set_up',
};

const DELETE_UNUSED_CARDS: Statement<{ ref: string }> = {
  name: 'delete_unused_test_cards',
  text: `delete from test_cards where ctid = any(array(
      select ctid from test_cards
      where customer_ref is null and created_at < (select clock_timestamp() - interval '1 day')
      order by created_at limit $1 for update skip locked
    )) returning ref`,
};
