import type { Logger } from '../log/index.ts';

/**
 * Work that is done again and again in the background. Any number of processes run the same jobs: a job finds what is
 * due in rows and claims it there, so nothing is done twice.
 */
export interface Job {
  /** `room.verb-noun`. */
  name: string;
  /** The pause between two runs that found nothing, in milliseconds. */
  everyMs: number;
  /** Does one bounded portion; answers true when there is more to do at once. What waits long for others ends on `stopping`. */
  run(stopping?: AbortSignal): Promise<boolean>;
  /** What it writes is in this process's own memory, so that no other process can do it. */
  runsInEveryRole?: true;
}

/** Jobs that run until they are stopped. */
export interface RunningJobs {
  /** Lets what runs finish, and starts nothing more. */
  stop(): Promise<void>;
}

/** Runs each job in a loop of its own. A failure is logged and tried again after a growing pause of at most 5 s. */
export function runJobs(jobs: readonly Job[], log: Logger): RunningJobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => runJob(job, log, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

const MAX_PAUSE_MS = 5_000;

async function runJob(job: Job, log: Logger, stopping: AbortSignal): Promise<void> {
  let failures = 0;
  while (!stopping.aborted) {
    let pauseMs = job.everyMs;
    try {
      pauseMs = (await job.run(stopping)) ? 0 : job.everyMs;
      failures = 0;
    } catch (error) {
      failures += 1;
      pauseMs = Math.min(job.everyMs * 2 ** failures, MAX_PAUSE_MS);
      log.warn({ err: error, job: job.name, failures }, 'a job failed and will be tried again');
    }
    await pause(pauseMs, stopping);
  }
}

/** Ends early when the service stops. */
function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    stopping.addEventListener('abort', done, { once: true });
    if (stopping.aborted) {
      done();
    }
  });
}
