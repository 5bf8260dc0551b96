import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersHere } from './answers-here.ts';
import { describeOurselves, formatLock, isOfOldVersion, judgeOwner, type LockOwner, readLock } from './lock-file.ts';

export interface FolderLock {
  /** Whether this process still has the folder: it may have been presumed dead while it was frozen. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

export interface LockOptions {
  /** Called once, when another process has taken the folder. */
  onLost?: () => void;
  log?: (message: string, fields?: object) => void;
  /** How long a lock must not change before its owner counts as dead, if nothing proves it. */
  watchMs?: number;
}

/** The heartbeat interval of a folder's owner. */
const BEAT_MS = 2_000;

/** Seven missed beats. A PostgreSQL that still answers also counts as a sign of life. */
const WATCH_MS = 15_000;

/**
 * Takes the data folder for this process by `seathold.lock`, or throws an Error that names the folder and the PID of
 * its owner. The file contains the owner and a heartbeat, because a PID proves nothing across containers and machines.
 * Decision 0026.
 */
export async function lockFolder(dataDir: string, options: LockOptions = {}): Promise<FolderLock> {
  const path = join(dataDir, LOCK_FILE);
  const owner = await describeOurselves();
  for (;;) {
    const handle = (await createLock(path, owner)) ?? (await takeOver(dataDir, owner, options));
    if (handle !== undefined) {
      return keepLock(path, owner, handle, options);
    }
  }
}

/** The PID of the live process that has the folder, if any. */
export async function findHolder(dataDir: string, options: LockOptions = {}): Promise<number | undefined> {
  const found = await readLock(join(dataDir, LOCK_FILE));
  return found !== undefined && (await isHeld(dataDir, found, options)) ? found.owner.pid : undefined;
}

const LOCK_FILE = 'seathold.lock';

/** Undefined if there already is a lock: the file system lets only one of several concurrent attempts succeed. */
async function createLock(path: string, owner: LockOwner): Promise<FileHandle | undefined> {
  const handle = await open(path, 'wx', 0o600).catch(ignoreExisting);
  await handle?.write(formatLock(owner, 0), 0);
  return handle;
}

/**
 * Replaces the lock of a dead owner, and throws if it is alive. Undefined means that another process was faster, and
 * the caller has to retry. Only the process that holds the file named after the dead owner may replace its lock:
 * otherwise, if two processes consider a lock stale, the slower one would remove the lock that the faster one just
 * created.
 */
async function takeOver(dataDir: string, owner: LockOwner, options: LockOptions): Promise<FileHandle | undefined> {
  const path = join(dataDir, LOCK_FILE);
  const found = await readLock(path);
  if (found === undefined) {
    return undefined;
  }
  if (await isHeld(dataDir, found, options)) {
    throw new Error(refusal(dataDir, found.owner, owner));
  }
  const permit = `${path}.takeover-${found.owner.id}`;
  const permitted = await createLock(permit, owner);
  if (permitted === undefined) {
    await waitForPermit(permit, options);
    return undefined;
  }
  await permitted.close();
  try {
    if ((await readLock(path))?.owner.id !== found.owner.id) {
      return undefined;
    }
    // Written to another file and renamed, so that a lock exists at every moment.
    const handle = await open(`${path}.${owner.id}`, 'wx', 0o600);
    await handle.write(formatLock(owner, 0), 0);
    await rename(`${path}.${owner.id}`, path);
    return handle;
  } finally {
    await rm(permit, { force: true });
  }
}

/** A takeover takes milliseconds. The permit of a process killed during one is removed. */
async function waitForPermit(permit: string, { watchMs = WATCH_MS }: LockOptions): Promise<void> {
  for (const deadline = performance.now() + watchMs; ; await sleep(5 + Math.random() * 10)) {
    const found = await readLock(permit);
    if (found === undefined) {
      return;
    }
    if ((await judgeOwner(found.owner, false)) === 'dead' || performance.now() > deadline) {
      await rm(permit, { force: true });
      return;
    }
  }
}

/** If nothing proves that the owner is dead, it has to be silent for a while. */
async function isHeld(
  dataDir: string,
  found: { owner: LockOwner; text: string },
  { watchMs = WATCH_MS, log }: LockOptions,
): Promise<boolean> {
  const judgement = await judgeOwner(found.owner, isOfOldVersion(found.text));
  if (judgement !== 'unknown') {
    return judgement === 'runs';
  }
  log?.('the data folder is locked by a process elsewhere; waiting to see whether it is alive', {
    host: found.owner.host,
    pid: found.owner.pid,
    seconds: watchMs / 1_000,
  });
  for (const deadline = performance.now() + watchMs; performance.now() < deadline; await sleep(100)) {
    const now = await readLock(join(dataDir, LOCK_FILE));
    if (now === undefined || (await answersHere(dataDir))) {
      return now !== undefined;
    }
    if (now.text !== found.text) {
      return true;
    }
  }
  return answersHere(dataDir);
}

function refusal(dataDir: string, holder: LockOwner, ourselves: LockOwner): string {
  const elsewhere = holder.place === undefined || holder.place === ourselves.place ? '' : ` on ${holder.host}`;
  const hint =
    elsewhere === '' ? '' : ' It runs in another container or on another machine. Give each its own data folder.';
  return `The data folder ${dataDir} is already in use by another Seathold process (pid ${holder.pid}${elsewhere}).${hint}`;
}

function keepLock(path: string, owner: LockOwner, first: FileHandle, { onLost }: LockOptions): FolderLock {
  let handle = first;
  let beats = 0;
  let isLost = false;
  const isOurs = async () => {
    const found = await readLock(path);
    isLost ||= found !== undefined && found.owner.id !== owner.id;
    return !isLost;
  };
  const beat = async () => {
    if (!(await isOurs())) {
      clearInterval(timer);
      onLost?.();
      return;
    }
    beats += 1;
    // In place, through the handle: if the lock now belongs to another process, this only writes to our old file.
    await handle.write(formatLock(owner, beats), 0);
    // The file may have been removed by hand. Recreate it, unless another process was faster.
    const recreated = await createLock(path, owner);
    if (recreated !== undefined) {
      await handle.close();
      handle = recreated;
    }
  };
  // A write that fails because of a full or missing disk is retried with the next beat.
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS);
  timer.unref();
  return {
    isOurs,
    release: async () => {
      clearInterval(timer);
      if (await isOurs().catch(() => false)) {
        await rm(path, { force: true });
      }
      await handle.close().catch(() => undefined);
    },
  };
}

function ignoreExisting(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
    return undefined;
  }
  throw error;
}
