import type { Queries } from '../../database/index.ts';
import { type EndpointKey, idsOf } from '../endpoint-state/endpoint-key.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { updateReplayRewound } from '../replays/progress-queries.ts';
import { listEndpointsToHold, updateNothingToHold, updateWaitingToHeld } from './hold-queries.ts';

/**
 * Holds deliveries waiting for endpoints that were paused or disabled, a portion at a time, because there may be
 * hundreds of thousands. No attempt begins after the pause, regardless of its progress. Returns whether there may be
 * more.
 */
export async function holdWaitingDeliveries(database: Queries): Promise<boolean> {
  const keys = await listEndpointsToHold(database, { limit: ENDPOINTS });
  let hasMore = keys.length >= ENDPOINTS;
  for (const key of keys) {
    const held = await database.transaction(async (tx) => {
      const [state] = await lockEndpointStates(tx, [key]);
      // If it was enabled again in the meantime, its schedule continues.
      const count = state === undefined || state.status === 'active' ? 0 : await holdPortion(tx, key);
      if (count < PORTION) {
        await updateNothingToHold(tx, idsOf(key));
      }
      return count;
    });
    hasMore ||= held >= PORTION;
  }
  return hasMore;
}

/** Deliveries planned by a replay return to it, and it continues when the endpoint is active again. */
async function holdPortion(tx: Queries, key: EndpointKey): Promise<number> {
  await updateReplayRewound(tx, idsOf(key));
  return updateWaitingToHeld(tx, { ...idsOf(key), limit: PORTION });
}

const ENDPOINTS = 20;
const PORTION = 500;
