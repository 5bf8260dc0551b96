import { mkdir, rmdir, stat } from 'node:fs/promises';
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
/** The library refreshes a held lock. It must not remove a stale one, because two waiters could then both get the lock. */
const HOLDING = { stale: 2 ** 31, update: STALE_MS / 2 };
const PATIENCE_MS = 20_000;
const PAUSE_MS = 25;

async function takeLock(path: string): Promise<() => Promise<void>> {
  // Loaded here, so that commands without a lock start faster.
  const { lock } = await import('proper-lockfile');
  // The library's own retries would repeat every error, even for a folder that is not writable.
  for (const giveUpAt = performance.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    try {
      return await lock(path, { ...HOLDING, lockfilePath: path, realpath: false, onCompromised: () => undefined });
    } catch (error) {
      if (codeOf(error) !== 'ELOCKED') {
        throw error;
      }
      if (performance.now() >= giveUpAt || !(await removeIfStale(path))) {
        throw new CommandFailure('locked', `${path} is locked by another command. If none is running, remove it.`);
      }
    }
  }
}

/** Removes the lock of a killed command. Returns false if that is impossible: version 0.1 left files, not folders. */
async function removeIfStale(path: string): Promise<boolean> {
  if (!(await isStale(path))) {
    return true;
  }
  // Only one waiter at a time checks again and removes it. Otherwise, a slower one would remove the lock of a faster one.
  const guard = `${path}.removing`;
  try {
    await mkdir(guard);
  } catch {
    if (await isStale(guard)) {
      await rmdir(guard).catch(() => undefined);
    }
    return true;
  }
  try {
    if (await isStale(path)) {
      await rmdir(path);
    }
    return true;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  } finally {
    await rmdir(guard).catch(() => undefined);
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
