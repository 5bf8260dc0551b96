import type { Logger } from '../log/index.ts';
import { JobWatch } from './job-watch.ts';

export { JobWatch } from './job-watch.ts';
export { endOfRetention, RetentionWalk, type RetentionWalking } from './retention-walk.ts';
export type { TimeTraveler } from './time-traveler.ts';

/**
 * Work that is done again and again in the background. Any number of processes run the same jobs: a job finds what is
 * due in rows and claims it there, so nothing is done twice.
 */
export interface Job {
  /** `room.verb-noun`. */
  name: string;
  /** The pause between two runs that found nothing, in milliseconds. */
  everyMs: number;
  /** Does one bounded portion; returns true when there is more to do at once. What waits long for others ends on `stopping`. */
  run(stopping?: AbortSignal): Promise<boolean>;
  /** The longest pause after failures, in milliseconds; 5,000 unless said otherwise. */
  maxPauseMs?: number;
  /** Ends the pause early when there is known to be work. */
  nudge?: Nudge;
  /** Ends what the runs left under way, when the last of them is over. */
  finish?(): Promise<void>;
  /** What it writes is in this process's own memory, so that no other process can do it. */
  runsInEveryRole?: true;
}

/** Wakes one job; a ring while it works makes it look once more. */
export class Nudge {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Calls `wake` at the next ring, or at once when there was one since the last call. Returns how to stop listening. */
  onRing(wake: () => void): () => void {
    this.#wake = () => {
      this.#isRung = false;
      this.#wake = undefined;
      wake();
    };
    if (this.#isRung) {
      this.#wake();
    }
    return () => {
      this.#wake = undefined;
    };
  }
}

/** Jobs that run until they are stopped. */
export interface RunningJobs {
  /** Lets what runs finish, and starts nothing more. */
  stop(): Promise<void>;
}

/** Runs each job in a loop of its own. A failure is logged and tried again after a growing pause. */
export function runJobs(jobs: readonly Job[], log: Logger, watch = new JobWatch()): RunningJobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => runJob(job, log, stopping.signal, watch));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

const MAX_PAUSE_MS = 5_000;

async function runJob(job: Job, log: Logger, stopping: AbortSignal, watch: JobWatch): Promise<void> {
  let failures = 0;
  watch.done(job);
  while (!stopping.aborted) {
    let pauseMs = job.everyMs;
    try {
      pauseMs = (await job.run(stopping)) ? 0 : job.everyMs;
      failures = 0;
      watch.done(job);
    } catch (error) {
      failures += 1;
      watch.failed(job);
      pauseMs = Math.min(job.everyMs * 2 ** failures, job.maxPauseMs ?? MAX_PAUSE_MS);
      log.warn({ err: error, job: job.name, failures }, 'a job failed and will be tried again');
    }
    await pause(pauseMs, stopping, failures === 0 ? job.nudge : undefined);
  }
  watch.stopped(job);
  await job.finish?.().catch((error: unknown) => log.warn({ err: error, job: job.name }, 'a job did not end cleanly'));
}

/** Ends early when the service stops or the nudge is rung. */
function pause(milliseconds: number, stopping: AbortSignal, nudge: Nudge | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', done);
      stopListening?.();
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    stopping.addEventListener('abort', done, { once: true });
    const stopListening = nudge?.onRing(() => setImmediate(done));
    if (stopping.aborted) {
      done();
    }
  });
}
