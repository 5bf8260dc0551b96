import type { Queries, Statement } from '../../../database/index.ts';
import { readMetadata } from '../charge-metadata.ts';
import type { HeldCharge } from '../held-charge.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { findCharge } from './charge-queries.ts';

/** Finds charges of the test provider by what they are for. */
export function openTestSearches(
  database: Queries,
): Pick<PaymentProvider, 'findCharges' | 'listCharges' | 'describeCharge'> {
  return {
    findCharges: async ({ customerRef, subscriptionIds, requests, sinceMs }) => {
      const rows = await database.query(FIND_HELD_CHARGES, [customerRef, subscriptionIds, sinceMs, requests]);
      return { kind: 'found', charges: rows.map(heldOf) };
    },
    listCharges: async ({ sinceMs, cursor }) => {
      const [createdMs, ref] = cursor === undefined ? [null, null] : readCursor(cursor);
      const rows = await database.query(LIST_HELD_CHARGES, [sinceMs, createdMs, ref, PAGE + 1]);
      const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
      const next = last === undefined ? undefined : `${last.created_at.getTime()} ${last.ref}`;
      return { kind: 'page', charges: rows.slice(0, PAGE).map(heldOf), next };
    },
    describeCharge: async ({ paymentRef, nowMs }) => {
      // One that was processed long enough has its outcome, whoever asks first.
      await findCharge(database, paymentRef, nowMs);
      const [row] = await database.query(FIND_HELD_CHARGE, [paymentRef]);
      return row === undefined ? { kind: 'missing' } : { kind: 'found', charge: heldOf(row) };
    },
  };
}

const PAGE = 100;

function readCursor(cursor: string): [number, string] {
  const [createdMs = '', ref = ''] = cursor.split(' ');
  return [Number(createdMs), ref];
}

interface HeldRow {
  ref: string;
  customer_ref: string;
  card_ref: string;
  amount: number;
  currency: string;
  status: Exclude<HeldCharge['status'], 'failed' | 'unknown'>;
  created_at: Date;
  metadata: Record<string, unknown> | null;
}

function heldOf(row: HeldRow): HeldCharge {
  return {
    paymentRef: row.ref,
    customerRef: row.customer_ref,
    methodRef: row.card_ref,
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    createdAtMs: row.created_at.getTime(),
    ...readMetadata(row.metadata),
  };
}

const COLUMNS = 'ref, customer_ref, card_ref, amount, currency, status, created_at, metadata';

/** $1 customer, $2 subscriptions, $3 since, in milliseconds of real time, $4 requests. */
const FIND_HELD_CHARGES: Statement<HeldRow> = {
  name: 'find_held_test_charges',
  text: `select ${COLUMNS} from test_charges
    where customer_ref = $1 and created_at >= to_timestamp($3::float8 / 1000)
      and (metadata ->> 'subscription_id' = any($2::text[]) or metadata ->> 'request' = any($4::text[]))
    order by created_at desc, ref desc`,
};

/** $1 since, in milliseconds of real time; $2 and $3 the last of the page before, or nulls; $4 limit. */
const LIST_HELD_CHARGES: Statement<HeldRow> = {
  name: 'list_held_test_charges',
  text: `select ${COLUMNS} from test_charges
    where created_at >= to_timestamp($1::float8 / 1000)
      and (created_at, ref) < (coalesce(to_timestamp($2::float8 / 1000), 'infinity'), coalesce($3::text, ''))
    order by created_at desc, ref desc limit $4`,
};

/** $1 reference. */
const FIND_HELD_CHARGE: Statement<HeldRow> = {
  name: 'find_held_test_charge',
  text: `select ${COLUMNS} from test_charges where ref = $1`,
};
