import type { Queries } from '../../../database/index.ts';
import { readMetadata } from '../charge-metadata.ts';
import type { HeldCharge } from '../held-charge.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { findCharge } from './charge-queries.ts';
import { FIND_HELD_CHARGE, FIND_HELD_CHARGES, type HeldRow, LIST_HELD_CHARGES } from './search-queries.ts';

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
      // A charge that was processing long enough has its outcome now.
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
