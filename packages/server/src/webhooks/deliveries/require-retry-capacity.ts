import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import { countWaitingManualAttempts } from './retry-queries.ts';

/**
 * Throws conflict if too many manual attempts of this delivery or its endpoint are waiting; the endpoint's lock is
 * held.
 */
export async function requireRetryCapacity(tx: Queries, key: EndpointKey, deliveryId: string): Promise<void> {
  const waiting = await countWaitingManualAttempts(tx, { ...idsOf(key), deliveryId });
  if (waiting.of_delivery >= MAX_OF_A_DELIVERY || waiting.of_endpoint >= MAX_OF_AN_ENDPOINT) {
    throw httpError('conflict', 'Too many manual attempts are already waiting. Try again when some have completed.');
  }
}

const MAX_OF_A_DELIVERY = 10;
/**
 * Manual attempts have priority, and a slow endpoint handles four per minute. Waiting attempts are counted at each
 * call.
 */
const MAX_OF_AN_ENDPOINT = 1_000;
