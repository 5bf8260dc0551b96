import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from '../command-failure.ts';

/**
 * Runs the work while holding a lock: a folder that exists until the work ends. Its parent folder must exist. A lock
 * that a killed command left behind is removed.
 */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const release = await takeLock(path);
  try {
    return await work();
  } finally {
    // This fails if another command removed the lock in the meantime; the work is done anyway.
    await release().catch(() => undefined);
  }
}

/** The work takes milliseconds: a lock as old as this belongs to a killed command. */
const STALE_MS = 10_000;
const PATIENCE_MS = 20_000;
const PAUSE_MS = 25;

async function takeLock(path: string): Promise<() => Promise<void>> {
  // Loaded here, so that commands without a lock start faster.
  const { lock } = await import('proper-lockfile');
  // The library's own retries would repeat every error, even for a folder that is not writable.
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await lock(path, {
        lockfilePath: path,
        realpath: false,
        stale: STALE_MS,
        onCompromised: () => undefined,
      });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // Version 0.1 left files, which are not folders.
      if (code === 'ENOTDIR' || (code === 'ELOCKED' && performance.now() >= giveUpAt)) {
        throw new CommandFailure('locked', `${path} is locked by another command. If none is running, remove it.`);
      }
      if (code !== 'ELOCKED') {
        throw error;
      }
    }
  }
}
