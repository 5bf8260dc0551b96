import type { Queries } from '../../../database/index.ts';
import { parseMetadata } from '../charge-metadata.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import type { ProviderCharge } from '../provider-charge.ts';
import { findCharge } from './charge-queries.ts';
import { type FoundChargeRow, findFoundCharge, listChargesAfter, listChargesOfCustomer } from './search-queries.ts';

/** Finds charges of the test provider by their purpose. */
export function createTestSearches(
  database: Queries,
): Pick<PaymentProvider, 'findCharges' | 'listCharges' | 'describeCharge'> {
  return {
    findCharges: async ({ customerRef, subscriptionIds, requests, sinceMs }) => {
      const rows = await listChargesOfCustomer(database, { customerRef, subscriptionIds, requests, since: sinceMs });
      return { kind: 'found', charges: rows.map(presentCharge) };
    },
    listCharges: async ({ sinceMs, cursor }) => {
      const position = cursor === undefined ? FIRST_PAGE : parseCursor(cursor);
      const rows = await listChargesAfter(database, { since: sinceMs, ...position, limit: PAGE + 1 });
      const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
      const next = last === undefined ? undefined : `${last.created_at.getTime()} ${last.ref}`;
      return { kind: 'page', charges: rows.slice(0, PAGE).map(presentCharge), next };
    },
    describeCharge: async ({ paymentRef, nowMs }) => {
      // Resolves a charge whose processing time is over.
      await findCharge(database, paymentRef, nowMs);
      const row = await findFoundCharge(database, { ref: paymentRef });
      return row === undefined ? { kind: 'missing' } : { kind: 'found', charge: presentCharge(row) };
    },
  };
}

const PAGE = 100;
const FIRST_PAGE = { lastCreated: null, lastRef: null };

function parseCursor(cursor: string): { lastCreated: number; lastRef: string } {
  const [created = '', lastRef = ''] = cursor.split(' ');
  return { lastCreated: Number(created), lastRef };
}

function presentCharge(row: FoundChargeRow): ProviderCharge {
  return {
    paymentRef: row.ref,
    customerRef: row.customer_ref,
    methodRef: row.card_ref,
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    createdAtMs: row.created_at.getTime(),
    ...parseMetadata(row.metadata),
  };
}
