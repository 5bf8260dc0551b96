import type { Logger } from '../log/index.ts';
import type { Job, Nudge } from './job.ts';
import { JobWatch } from './job-watch.ts';

/** Jobs that run until they are stopped. */
export interface RunningJobs {
  /** Lets current runs finish, and starts no more. */
  stop(): Promise<void>;
}

/** Runs each job in its own loop. A failure is logged and retried after a growing pause. */
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
      log.warn({ err: error, job: job.name, failures }, 'a job failed and will be retried');
    }
    await pause(alignedMs(pauseMs), stopping, failures === 0 ? job.nudge : undefined);
  }
  watch.stopped(job);
  await job.finish?.().catch((error: unknown) => log.warn({ err: error, job: job.name }, 'a job did not end cleanly'));
}

/**
 * Aligns short pauses to a common grid, so that jobs wake the process together: for an idle process, waking up costs
 * more than the work.
 */
function alignedMs(pauseMs: number): number {
  return pauseMs === 0 || pauseMs > MAX_ALIGNED_MS ? pauseMs : pauseMs - (performance.now() % pauseMs);
}

const MAX_ALIGNED_MS = 10_000;

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
