import { createHash } from 'node:crypto';
import type { PaymentState } from '../ledger/payment-state.ts';

/**
 * What the provider keeps of the request that began a purchase, if that had an Idempotency-Key: who repeats it after the rows
 * of the first run are lost finds by it what was paid. Null for everything else, which is known by its subscription.
 */
export function requestDigestOf({ purpose, requestKey, requestHash }: PaymentState): string | null {
  return purpose !== 'create' || requestKey === null || requestHash === null
    ? null
    : createHash('sha256').update(requestKey).update(requestHash).digest('hex').slice(0, DIGITS);
}

const DIGITS = 40;
