import { columnsOf, keyOf } from '../endpoint-state/endpoint-key.ts';
import { ringBothLanes } from '../endpoint-state/lanes.ts';
import { lockEndpointStates } from '../endpoint-state/state-queries.ts';
import { planTakenDeliveries } from '../endpoint-state/taken-queries.ts';
import type { ClaimedAttempt } from './claim-attempts.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import { listEndpointsWithExpiredLeases, updateExpiredLeases, updateReleasedClaims } from './lease-queries.ts';
import { takenOf } from './record-attempts.ts';
import { listEndpointsToPlanFor } from './take-queries.ts';

/**
 * Releases claims of dead processes after the leases have expired. Whether such an attempt was made is unknown, so it
 * is made again: delivery is at least once. Returns whether there may be more.
 */
export async function releaseExpiredLeases({ database, due, log, clock }: DeliveryTools): Promise<boolean> {
  const taken = await listEndpointsToPlanFor(database, { now: new Date(clock.nowMs()), limit: PORTION });
  if (taken.length > 0) {
    await database.transaction(async (tx) => {
      await lockEndpointStates(tx, [...new Map(taken.map((each) => [keyOf(each), each])).values()]);
      await planTakenDeliveries(tx, taken);
    });
  }
  const keys = await listEndpointsWithExpiredLeases(database, { limit: PORTION });
  if (keys.length === 0) {
    return false;
  }
  const released = await database.transaction(async (tx) => {
    await lockEndpointStates(tx, keys);
    return updateExpiredLeases(tx, columnsOf(keys));
  });
  if (released > 0) {
    log.warn({ attempts: released }, 'attempts of a process that is gone are made again');
    ringBothLanes(due);
  }
  return released >= PORTION;
}

/** Releases attempts that this process claimed but did not begin, so that they can be claimed again immediately. */
export async function releaseClaims(
  { database }: Pick<DeliveryTools, 'database'>,
  attempts: readonly ClaimedAttempt[],
): Promise<void> {
  if (attempts.length === 0) {
    return;
  }
  // Only the key, because attempts contain the bodies of their events.
  const claims = attempts.map(({ organization_id, endpoint_id, id, claimId }) => ({
    organization_id,
    endpoint_id,
    id,
    claim_id: claimId,
  }));
  await database.transaction(async (tx) => {
    await lockEndpointStates(tx, attempts);
    await planTakenDeliveries(tx, takenOf(attempts));
    await updateReleasedClaims(tx, { claims });
  });
}

const PORTION = 500;
