import type { Job, Nudge } from '../../jobs/index.ts';
import { Replayer, type ReplayTools } from './replay-deliveries.ts';

/** Continues running replays. */
export function replayJobs(tools: ReplayTools, replayed: Nudge): Job[] {
  const replayer = new Replayer(tools);
  return [{ name: 'webhooks.replay-deliveries', everyMs: WOKEN_MS, nudge: replayed, run: () => replayer.run() }];
}

/** It is woken four times a second while a replay runs, which limits a fast endpoint to 200 deliveries a second. */
const WOKEN_MS = 10_000;
