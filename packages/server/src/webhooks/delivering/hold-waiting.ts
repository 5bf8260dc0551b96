import type { Queries } from '../../database/index.ts';
import { rewindReplay } from '../replays/progress-queries.ts';
import type { Delivering, EndpointKey } from './delivering.ts';
import { holdWaitingDeliveries, listEndpointsToHold, updateNothingToHold } from './hold-queries.ts';
import { lockEndpointStates } from './state-queries.ts';

/**
 * Makes what waits for endpoints that were paused or disabled held, a portion at a time: there may be hundreds of thousands.
 * Nothing of it is attempted from the moment of the pause, whatever this has reached. Answers whether there may be more.
 */
export async function holdWaiting({ database }: Delivering): Promise<boolean> {
  const keys = await listEndpointsToHold(database, ENDPOINTS);
  let hasMore = keys.length >= ENDPOINTS;
  for (const key of keys) {
    const held = await database.transaction(async (tx) => {
      const [state] = await lockEndpointStates(tx, [key]);
      // Meanwhile it may have been enabled again, and then its schedule goes on.
      const count = state === undefined || state.status === 'active' ? 0 : await holdPortion(tx, key);
      if (count < PORTION) {
        await updateNothingToHold(tx, key);
      }
      return count;
    });
    hasMore ||= held >= PORTION;
  }
  return hasMore;
}

/** What a replay planned goes back to it, whole, and is taken up again when the endpoint is active. */
async function holdPortion(tx: Queries, key: EndpointKey): Promise<number> {
  await rewindReplay(tx, key);
  return holdWaitingDeliveries(tx, key, PORTION);
}

const ENDPOINTS = 20;
const PORTION = 500;
