import {
  ALIVE_EVERY_MS,
  FOLLOW_KEYS_EVERY_MS,
  type KeyHolder,
  type Queries,
  updateServiceClock,
} from './database/index.ts';
import { type Job, type JobWatch, runJobs } from './jobs/index.ts';
import type { Logger } from './log/index.ts';

/** What a process does: answer requests, work in the background, or both. */
export type Role = 'all' | 'api' | 'worker';

/** The background work of one environment in this process. */
export interface RunningWork {
  /** Stops the jobs. If requests are still answered, the service clock keeps beating, or service time would stop. */
  stopJobs(): Promise<void>;
  /** Stops everything. */
  stop(): Promise<void>;
}

interface WorkTools {
  jobs: readonly Job[];
  log: Logger;
  holder: KeyHolder;
  watch?: JobWatch;
}

/** The background work of one environment for a process of this role. */
export function startWork(database: Queries, { jobs, log, holder, watch }: WorkTools, role: Role): RunningWork {
  // Only processes that answer heartbeats say that the service is alive: while none does, no seat may time out.
  const beat: Job = {
    name: 'database.beat-service-clock',
    everyMs: ALIVE_EVERY_MS,
    run: async () => {
      await updateServiceClock(database);
      return false;
    },
  };
  const followKeys: Job = {
    name: 'database.follow-master-keys',
    everyMs: FOLLOW_KEYS_EVERY_MS,
    run: async () => {
      await holder.follow(database);
      return false;
    },
    finish: () => holder.leave(database),
  };
  const own = runJobs(
    jobs.filter((job) => role !== 'api' || job.runsInEveryRole === true),
    log,
    watch,
  );
  // The process reports its keys as long as it may encrypt.
  const signs = runJobs([...(role === 'worker' ? [] : [beat]), followKeys], log, watch);
  return {
    stopJobs: () => own.stop(),
    stop: async () => {
      await Promise.all([own.stop(), signs.stop()]);
    },
  };
}
