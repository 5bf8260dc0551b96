import { systemPause } from '../clock/index.ts';
import type { TimeTraveler } from '../jobs/index.ts';
import type { Delivering } from './delivering/delivering.ts';
import type { DeliveringWork } from './delivering/jobs.ts';
import { lockEndpointStates } from './delivering/state-queries.ts';
import { listEndpointIds } from './endpoints/queries.ts';
import { findNextRetryMs, hasAttemptsDue, shiftRetries } from './travel-queries.ts';

/**
 * Retries follow an organization's clock although they are planned in real time: they are moved with it. Whatever is due is
 * attempted before the clock moves on, so that a receiver is told of things in their order; one that takes its time is waited
 * for, but not for ever. What is then still due stays so, and is attempted as soon as its endpoint has room.
 */
export function webhooksTraveler(
  delivering: Delivering,
  work: DeliveringWork,
  settings: { timeoutMs: number; deliversHere: boolean },
): TimeTraveler {
  const { database } = delivering;
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const dueMs = await findNextRetryMs(database, organizationId);
      return dueMs !== undefined && dueMs <= untilMs ? dueMs : undefined;
    },
    runDue: async (organizationId, ending) => {
      const givenUpAtMs = performance.now() + settings.timeoutMs + MARGIN_MS;
      let pauseMs = 0;
      while (await hasAttemptsDue(database, organizationId)) {
        if (performance.now() >= givenUpAtMs || ending.aborted) {
          return 0;
        }
        if (settings.deliversHere) {
          await work.begin();
        }
        pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * 2 || 1);
        await systemPause(pauseMs);
      }
      return pauseMs > 0 ? 1 : 0;
    },
    shift: async (tx, organizationId, milliseconds) => {
      const endpointIds = await listEndpointIds(tx, organizationId);
      if (endpointIds.length > 0) {
        await lockEndpointStates(
          tx,
          endpointIds.map((endpointId) => ({ organization_id: organizationId, endpoint_id: endpointId })),
        );
        await shiftRetries(tx, organizationId, milliseconds);
      }
    },
  };
}

/** For fanning out and for writing what came of an attempt. */
const MARGIN_MS = 5_000;
/** As often as the jobs look; a receiver that answers at once is not kept waiting for that long. */
const MOST_PAUSE_MS = 100;
