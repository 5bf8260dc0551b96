import type { Job } from '../../jobs/index.ts';
import { Replayer, type ReplayTools } from './replay-deliveries.ts';

/** Continues running replays. */
export function replayJobs(tools: ReplayTools): Job[] {
  const replayer = new Replayer(tools);
  return [{ name: 'webhooks.replay-deliveries', everyMs: POLL_MS, run: () => replayer.run() }];
}

/** Limits a fast endpoint to a portion at each poll, 250 deliveries a second. */
const POLL_MS = 200;
