import type { Job } from '../../jobs/index.ts';
import type { Delivering } from '../delivering/delivering.ts';
import { Replayer } from './replay-deliveries.ts';

/** Goes on with the replays that run. */
export function replayJobs(delivering: Pick<Delivering, 'database' | 'due'>): Job[] {
  const replayer = new Replayer(delivering);
  return [{ name: 'webhooks.replay-deliveries', everyMs: POLL_MS, run: () => replayer.run() }];
}

/** Sets the pace where the endpoint is quicker: a portion at each look, 250 deliveries a second. */
const POLL_MS = 200;
