import type { Static } from 'typebox';
import type { PaymentMethod } from '../schemas.ts';
import type { MethodRow } from './queries.ts';

/** A payment method as the API shows it. */
export function presentMethod(row: MethodRow): Static<typeof PaymentMethod> {
  return {
    id: row.id,
    type: row.type,
    card: { brand: row.brand, last4: row.last4, exp_month: row.exp_month, exp_year: row.exp_year },
    is_default: row.is_default,
    created_at: row.created_at.toISOString(),
  };
}
