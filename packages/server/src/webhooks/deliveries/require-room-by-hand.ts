import type { Queries } from '../../database/index.ts';
import { httpError } from '../../http/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';
import { countWaitingByHand } from './retry-queries.ts';

/** Throws conflict when too many attempts that people asked for wait, of this delivery or its endpoint, whose lock is held. */
export async function requireRoomByHand(tx: Queries, key: EndpointKey, deliveryId: string): Promise<void> {
  const waiting = await countWaitingByHand(tx, key, deliveryId);
  if (waiting.of_delivery >= MOST_OF_A_DELIVERY || waiting.of_endpoint >= MOST_OF_AN_ENDPOINT) {
    throw httpError('conflict', 'Too many attempts by hand wait already; wait until they have ended.');
  }
}

const MOST_OF_A_DELIVERY = 10;
/** Such attempts have priority, and an endpoint that takes its time makes four a minute. What waits is counted at each call. */
const MOST_OF_AN_ENDPOINT = 1_000;
