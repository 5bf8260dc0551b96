import type { Queries } from '../../database/index.ts';
import {
  deleteAllOfDeliveries,
  deleteEndpointRow,
  deletePlannedAttempts,
  deleteReplays,
  takeDeletedEndpoint,
} from './clear-queries.ts';

/**
 * Clears away one portion of what a deleted endpoint left, and the endpoint itself when nothing is left. What is planned goes
 * before all else: an attempt that is under way finds it gone when it ends, and writes nothing more. Answers whether there
 * may be more.
 */
export async function clearDeletedEndpoints(database: Queries): Promise<boolean> {
  return database.transaction(async (tx) => {
    const key = await takeDeletedEndpoint(tx);
    if (key === undefined) {
      return false;
    }
    const isCleared =
      (await deletePlannedAttempts(tx, key, PORTION)) < PORTION &&
      (await deleteAllOfDeliveries(tx, key, PORTION)) < PORTION &&
      (await deleteReplays(tx, key, PORTION)) < PORTION;
    if (isCleared) {
      await deleteEndpointRow(tx, key);
    }
    return true;
  });
}

const PORTION = 500;
