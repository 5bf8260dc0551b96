import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailure } from '../command-failure.ts';

/** Does the work while nobody else does any under the same lock, a file that is there for as long. Its folder must be there. */
export async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  await takeLock(path);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** The work takes milliseconds: a lock as old as this is that of a command that was killed. */
const STALE_MS = 10_000;
const PATIENCE_MS = 20_000;
const PAUSE_MS = 25;

async function takeLock(path: string): Promise<void> {
  for (const giveUpAt = performance.now() + PATIENCE_MS; performance.now() < giveUpAt; await sleep(PAUSE_MS)) {
    if (await create(path)) {
      return;
    }
    await clearStale(path);
  }
  throw new CommandFailure('locked', `${path} is held by another command: remove it if there is none.`);
}

async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Only one of those who see a stale lock moves it away, and what was moved is looked at once more before it is dropped. */
async function clearStale(path: string): Promise<void> {
  const seen = await stat(path).catch(() => undefined);
  if (seen === undefined || Date.now() - seen.mtimeMs < STALE_MS) {
    return;
  }
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await stat(aside).catch(() => undefined);
  if (moved === undefined) {
    return;
  }
  if (moved.ino === seen.ino && moved.mtimeMs === seen.mtimeMs) {
    await rm(aside, { force: true });
  } else {
    // Somebody took the lock in between: it is theirs.
    await rename(aside, path);
  }
}
