import {
  ALIVE_EVERY_MS,
  FOLLOW_KEYS_EVERY_MS,
  type KeyHolder,
  type Queries,
  type Standing,
  updateNothing,
  updateServiceClock,
} from './database/index.ts';
import { type Job, type JobWatch, runJobs } from './jobs/index.ts';
import type { Logger } from './log/index.ts';

/**
 * The role of a process: answering requests, background work, or both. An `idle` one does neither itself: its request
 * processes do.
 */
export type Role = 'all' | 'api' | 'worker' | 'idle';

/** Whether a process of this role answers requests. */
export function answersRequests(role: Role): boolean {
  return role === 'all' || role === 'api';
}

/** Whether a process of this role works in the background. */
export function worksInBackground(role: Role): boolean {
  return role === 'all' || role === 'worker';
}

/** The background work of one environment in this process. */
export interface RunningWork {
  /** Stops the jobs. If requests are still answered, the service clock keeps beating, or service time would stop. */
  stopJobs(): Promise<void>;
  /** Stops everything. */
  stop(): Promise<void>;
}

/** The dependencies of the background work of one environment. */
interface WorkTools {
  jobs: readonly Job[];
  log: Logger;
  holder: KeyHolder;
  standing: Standing;
  watch?: JobWatch;
  /** Tells the process that runs a job about new work; by default no one, and the job's next run finds it. */
  ring?: ((job: string) => void) | undefined;
}

/** The background work of one environment for a process of this role. */
export function startWork(
  database: Queries,
  { jobs, log, holder, standing, watch, ring }: WorkTools,
  role: Role,
): RunningWork {
  // Only processes that answer heartbeats report that the service is alive: while there is none, no seat may time out.
  const sendSign = answersRequests(role) ? updateServiceClock : updateNothing;
  const beat: Job = {
    name: answersRequests(role) ? 'database.beat-service-clock' : 'database.probe-writes',
    everyMs: ALIVE_EVERY_MS,
    // The first one that succeeds ends the refusal of writes.
    maxPauseMs: ALIVE_EVERY_MS,
    run: async () => {
      await standing
        .beat(() => sendSign(database))
        .catch((error: unknown) => {
          // The failure has been reported, and cannot be handled here.
          if (!standing.isOutdated) {
            throw error;
          }
        });
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
  const runsHere = (job: Job) => worksInBackground(role) || job.runsInEveryRole === true;
  const own = runJobs(jobs.filter(runsHere), log, watch);
  const passedOn = ring === undefined ? [] : jobs.filter((job) => !runsHere(job)).map((job) => passOn(job, ring));
  // The process registers its keys as long as it may encrypt.
  const signs = runJobs([...(role === 'idle' ? [] : [beat]), followKeys], log, watch);
  return {
    stopJobs: () => own.stop(),
    stop: async () => {
      await Promise.all([own.stop(), signs.stop()]);
      for (const end of passedOn) {
        end();
      }
    },
  };
}

/** Passes the nudges of a job on to the process that runs it; those of one turn of the event loop are combined. */
function passOn({ name, nudge }: Job, ring: (job: string) => void): () => void {
  let stopListening: (() => void) | undefined;
  let hasEnded = false;
  const listen = () => {
    if (!hasEnded) {
      stopListening = nudge?.onRing(() => {
        ring(name);
        setImmediate(listen);
      });
    }
  };
  listen();
  return () => {
    hasEnded = true;
    stopListening?.();
  };
}
