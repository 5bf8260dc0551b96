import type { Queries } from '../../database/index.ts';
import type { Job } from '../../jobs/index.ts';
import { holdWaitingDeliveries } from './hold-waiting.ts';

/** Holds what waits for endpoints that were paused or disabled. */
export function holdingJobs(database: Queries): Job[] {
  return [
    {
      name: 'webhooks.hold-waiting',
      everyMs: 1_000,
      maxPauseMs: 1_000,
      run: () => holdWaitingDeliveries(database),
    },
  ];
}
