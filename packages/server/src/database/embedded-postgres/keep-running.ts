import { setTimeout as sleep } from 'node:timers/promises';
import { abandonPostgres, endLeftovers, endPostmaster } from './end-postgres.ts';
import { type Postmaster, type PostmasterOptions, runPostmaster } from './run-postmaster.ts';

export interface RunningServer {
  pid(): number;
  stop(): Promise<void>;
  /** Kills the server without touching its files, and does not restart it. */
  abandon(): Promise<void>;
  onExit(listener: (reason: string) => void): void;
}

export interface FolderRights {
  /** Whether the folder is still ours: checked before a server is restarted, and before files are removed. */
  ownsFolder(): Promise<boolean>;
}

const firstDelayMs = 100;
const longestDelayMs = 10_000;
const steadyAfterMs = 60_000;

/**
 * Runs the server and restarts it whenever it ends unexpectedly, immediately the first time and with growing delays
 * after that.
 */
export async function keepRunning(options: PostmasterOptions & FolderRights): Promise<RunningServer> {
  const { runtime, clusterDir, log } = options;
  const listeners: ((reason: string) => void)[] = [];
  const stopping = new AbortController();
  let postmaster = await runPostmaster(options);
  const endOnExit = () => interrupt(postmaster.pid);
  process.once('exit', endOnExit);

  const watch = async () => {
    let delayMs = firstDelayMs;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const reason = await postmaster.ended;
      if (stopping.signal.aborted) return;
      log('the embedded PostgreSQL ended and is being restarted', { reason });
      for (const listener of listeners) listener(reason);
      if (performance.now() - since > steadyAfterMs) delayMs = firstDelayMs;
      postmaster = (await restart(options, delayMs, stopping.signal)) ?? postmaster;
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  };
  const watching = watch();

  const abandon = async () => {
    stopping.abort();
    process.removeListener('exit', endOnExit);
    await abandonPostgres(postmaster.pid, clusterDir, runtime.binaries);
    await watching;
  };

  return {
    pid: () => postmaster.pid,
    onExit: (listener) => {
      listeners.push(listener);
    },
    abandon,
    stop: async () => {
      // A clean shutdown would write to files that now belong to another server.
      if (!(await options.ownsFolder())) return abandon();
      stopping.abort();
      process.removeListener('exit', endOnExit);
      const isUp = await Promise.race([postmaster.ended.then(() => false), sleep(0, true)]);
      if (isUp) await endPostmaster(postmaster.pid, runtime.binaries);
      await watching;
      // A restart may have been in progress, so its processes are stopped as well.
      await endLeftovers(clusterDir, runtime.binaries);
    },
  };
}

/** Tries until the server is up again; undefined if it was stopped in the meantime. */
async function restart(
  options: PostmasterOptions & FolderRights,
  firstDelay: number,
  stopping: AbortSignal,
): Promise<Postmaster | undefined> {
  const { clusterDir, runtime, log } = options;
  let delayMs = firstDelay;
  while (!stopping.aborted) {
    try {
      await sleep(delayMs, undefined, { signal: stopping });
      if (!(await options.ownsFolder())) throw new Error('another process has taken the data folder');
      await endLeftovers(clusterDir, runtime.binaries);
      return await runPostmaster(options);
    } catch (error) {
      if (stopping.aborted) break;
      log('the embedded PostgreSQL could not be restarted yet', { err: error });
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }
  return undefined;
}

/**
 * Our process is ending without stop(), so there is only time for a signal. After a kill -9, the next start cleans up.
 */
function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has already ended.
  }
}
