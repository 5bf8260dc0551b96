import type { Statement } from '../../../database/index.ts';
import type { HeldCharge } from '../held-charge.ts';

/** A charge as it is searched for. */
export interface HeldRow {
  ref: string;
  customer_ref: string;
  card_ref: string;
  amount: number;
  currency: string;
  status: Exclude<HeldCharge['status'], 'failed' | 'unknown'>;
  created_at: Date;
  metadata: Record<string, unknown> | null;
}

const COLUMNS = 'ref, customer_ref, card_ref, amount, currency, status, created_at, metadata';

/** $1 customer, $2 subscriptions, $3 since, in milliseconds of real time, $4 requests. */
export const FIND_HELD_CHARGES: Statement<HeldRow> = {
  name: 'find_held_test_charges',
  text: `select ${COLUMNS} from test_charges
    where customer_ref = $1 and created_at >= to_timestamp($3::float8 / 1000)
      and (metadata ->> 'subscription_id' = any($2::text[]) or metadata ->> 'request' = any($4::text[]))
    order by created_at desc, ref desc`,
};

/** $1 since, in milliseconds of real time; $2 and $3 the last of the page before, or nulls; $4 limit. */
export const LIST_HELD_CHARGES: Statement<HeldRow> = {
  name: 'list_held_test_charges',
  text: `select ${COLUMNS} from test_charges
    where created_at >= to_timestamp($1::float8 / 1000)
      and (created_at, ref) < (coalesce(to_timestamp($2::float8 / 1000), 'infinity'), coalesce($3::text, ''))
    order by created_at desc, ref desc limit $4`,
};

/** $1 reference. */
export const FIND_HELD_CHARGE: Statement<HeldRow> = {
  name: 'find_held_test_charge',
  text: `select ${COLUMNS} from test_charges where ref = $1`,
};
