import type { Delivering } from './delivering.ts';
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
      const count =
        state === undefined || state.status === 'active' ? 0 : await holdWaitingDeliveries(tx, key, PORTION);
      if (count < PORTION) {
        await updateNothingToHold(tx, key);
      }
      return count;
    });
    hasMore ||= held >= PORTION;
  }
  return hasMore;
}

const ENDPOINTS = 20;
const PORTION = 500;
