import type { Queries } from '../../database/index.ts';
import type { Job, Nudge } from '../../jobs/index.ts';
import { holdWaitingDeliveries } from './hold-waiting.ts';

/** Holds deliveries waiting for endpoints that were paused or disabled. */
export function holdingJobs(database: Queries, held: Nudge): Job[] {
  return [
    {
      name: 'webhooks.hold-waiting',
      everyMs: WOKEN_MS,
      nudge: held,
      maxPauseMs: 1_000,
      run: () => holdWaitingDeliveries(database),
    },
  ];
}

/** It is woken when there is something to hold. */
const WOKEN_MS = 10_000;
