import type { Claimed } from './claim-attempts.ts';
import type { Delivering } from './delivering.ts';
import { listEndpointsWithEndedLeases, returnClaims, returnEndedLeases } from './lease-queries.ts';
import { lockEndpointStates } from './state-queries.ts';

/**
 * Gives back what processes that died had claimed, once their leases have ended. Whether such an attempt was made is not
 * known, so it is made again: at least once. Answers whether there may be more.
 */
export async function returnLostClaims({ database, due, log }: Delivering): Promise<boolean> {
  const keys = await listEndpointsWithEndedLeases(database, PORTION);
  if (keys.length === 0) {
    return false;
  }
  const returned = await database.transaction(async (tx) => {
    await lockEndpointStates(tx, keys);
    return returnEndedLeases(tx, keys);
  });
  if (returned > 0) {
    log.warn({ attempts: returned }, 'attempts of a process that is gone are made again');
    due.swift.ring();
    due.cautious.ring();
  }
  return returned >= PORTION;
}

/** Gives back what this process claimed and did not begin, so that it is claimed again at once. */
export async function handBack(
  { database }: Pick<Delivering, 'database'>,
  attempts: readonly Claimed[],
): Promise<void> {
  if (attempts.length === 0) {
    return;
  }
  await database.transaction(async (tx) => {
    await lockEndpointStates(tx, attempts);
    await returnClaims(tx, attempts);
  });
}

const PORTION = 500;
