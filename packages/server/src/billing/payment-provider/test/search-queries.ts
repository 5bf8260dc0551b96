import { many, maybeOne, statement } from '../../../database/index.ts';
import type { ProviderCharge } from '../provider-charge.ts';

/** A charge as found by a search. */
export interface FoundChargeRow {
  ref: string;
  customer_ref: string;
  card_ref: string;
  amount: number;
  currency: string;
  status: Exclude<ProviderCharge['status'], 'failed' | 'unknown'>;
  created_at: Date;
  metadata: Record<string, unknown> | null;
}

const COLUMNS = 'ref, customer_ref, card_ref, amount, currency, status, created_at, metadata';

/** A customer's charges for these subscriptions or requests, made at `since` (real time) or later, newest first. */
export const listChargesOfCustomer = statement({
  name: 'list_test_charges_of_customer',
  parameters: { customerRef: 'text', subscriptionIds: 'text[]', requests: 'text[]', since: 'instant' },
  returns: many<FoundChargeRow>(),
  sql: ({ customerRef, subscriptionIds, requests, since }) => `select ${COLUMNS} from test_charges
    where customer_ref = ${customerRef} and created_at >= ${since}
      and (metadata ->> 'subscription_id' = any(${subscriptionIds}) or metadata ->> 'request' = any(${requests}))
    order by created_at desc, ref desc`,
});

/**
 * A page of all charges made at `since` (real time) or later, newest first, after the last one of the previous page.
 */
export const listChargesAfter = statement({
  name: 'list_test_charges_after',
  parameters: { since: 'instant', lastCreated: 'instant | null', lastRef: 'text | null', limit: 'integer' },
  returns: many<FoundChargeRow>(),
  sql: ({ since, lastCreated, lastRef, limit }) => `select ${COLUMNS} from test_charges
    where created_at >= ${since}
      and (created_at, ref) < (coalesce(${lastCreated}, 'infinity'), coalesce(${lastRef}, ''))
    order by created_at desc, ref desc limit ${limit}`,
});

export const findFoundCharge = statement({
  name: 'find_found_test_charge',
  parameters: { ref: 'text' },
  returns: maybeOne<FoundChargeRow>(),
  sql: ({ ref }) => `select ${COLUMNS} from test_charges where ref = ${ref}`,
});
