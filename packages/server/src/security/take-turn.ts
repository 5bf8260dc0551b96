import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process runs its own with the same lock file: several processes that start at the same
 * time on a new folder would otherwise each create their own secrets. The lock of a killed process is broken after a
 * while.
 */
export async function takeTurn<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(lockFile))) {
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}

/** Far longer than it takes to create a certificate. */
const STALE_MS = 10_000;

async function tryLock(lockFile: string): Promise<boolean> {
  try {
    await (await open(lockFile, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw error;
    }
    const found = await stat(lockFile).catch(() => undefined);
    // Measured against the file system's clock, which is this machine's.
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_MS) {
      await rm(lockFile, { force: true });
    }
    return false;
  }
}
