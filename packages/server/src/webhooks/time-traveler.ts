import { systemPause } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { TimeTraveler } from '../jobs/index.ts';
import { findClockEvenIfDeleted } from '../organizations/index.ts';
import type { DeliveryWork } from './delivering/jobs.ts';
import { lockEndpointStates } from './endpoint-state/state-queries.ts';
import { listEndpointKeys } from './endpoints/queries.ts';
import { findNextRetry, findWhetherDue, updateRetryTimes } from './travel-queries.ts';

/**
 * Retries follow an organization's clock although they are planned in real time: they are shifted with it. All due
 * attempts are made before the clock moves on, so that a receiver gets events in order. A slow receiver is waited for,
 * but not forever. Attempts still due then are made as soon as the endpoint has capacity.
 */
export function webhooksTraveler(
  database: Queries,
  work: DeliveryWork,
  settings: { timeoutMs: number; deliversHere: boolean },
): TimeTraveler {
  return {
    nextDueMs: async (organizationId, untilMs) => {
      const { due_ms: dueMs } = await findNextRetry(database, { organizationId });
      const clock = await findClockEvenIfDeleted(database, { organizationId });
      if (dueMs === null || clock === undefined || dueMs + clock.clock_offset_ms > untilMs) {
        return undefined;
      }
      return dueMs + clock.clock_offset_ms;
    },
    runDue: async (organizationId, ending) => {
      const giveUpAtMs = performance.now() + settings.timeoutMs + MARGIN_MS;
      let pauseMs = 0;
      while ((await findWhetherDue(database, { organizationId })).is_due) {
        if (performance.now() >= giveUpAtMs || ending.aborted) {
          return 0;
        }
        if (settings.deliversHere) {
          await work.begin();
        }
        pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2 || 1);
        await systemPause(pauseMs);
      }
      return pauseMs > 0 ? 1 : 0;
    },
    shift: async (tx, organizationId, milliseconds) => {
      const keys = await listEndpointKeys(tx, { organizationId });
      if (keys.length > 0) {
        await lockEndpointStates(tx, keys);
        await updateRetryTimes(tx, { organizationId, milliseconds });
      }
    },
  };
}

/** To fan out, and to record the outcome of an attempt. */
const MARGIN_MS = 5_000;
/** The polling interval of the jobs. The pause starts shorter, for receivers that respond immediately. */
const MAX_PAUSE_MS = 100;
