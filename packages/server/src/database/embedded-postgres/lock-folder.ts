import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess } from './process-table.ts';

export interface FolderLock {
  release(): Promise<void>;
}

const turnPattern = /^seathold\.lock\.turn\.(\d+)\.(.+)\.[0-9a-f]{16}$/;

/**
 * Takes the data folder for this process by `seathold.lock`, or throws an Error that names the folder and the pid that
 * has it. The file holds pid and start time, so that a pid used again does not pass for the holder.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const path = join(dataDir, 'seathold.lock');
  const identity = (await identifyProcess(process.pid)) ?? '';
  await takeTurn(dataDir, identity, async () => {
    const holder = await liveHolder(path);
    if (holder !== undefined) {
      throw new Error(`The data folder ${dataDir} is already in use by another Seathold process (pid ${holder}).`);
    }
    // Written aside and renamed, so that no kill leaves a lock that is empty.
    await writeFile(`${path}.new`, `${process.pid} ${identity}\n`, { mode: 0o600 });
    await rename(`${path}.new`, path);
  });
  return { release: () => rm(path, { force: true }) };
}

/** The pid of the live process that has the folder, if there is one. */
export async function findHolder(dataDir: string): Promise<number | undefined> {
  return liveHolder(join(dataDir, 'seathold.lock'));
}

/**
 * Runs the body while no other process runs its own. Node.js has no flock, and a stale lock file cannot be replaced in
 * one step by O_EXCL alone: of two that judge it stale, the slower removes what the faster has just made (tried with
 * twenty at once: two got the folder). So everyone first puts up a ticket of a name never used again and enters
 * only after a look that shows no other; tickets of the dead can be removed by anybody without harm.
 */
async function takeTurn(dataDir: string, identity: string, body: () => Promise<void>): Promise<void> {
  const name = `seathold.lock.turn.${process.pid}.${encodeURIComponent(identity)}.${randomBytes(8).toString('hex')}`;
  const ticket = join(dataDir, name);
  try {
    for (;;) {
      await waitForTurns(dataDir, () => true);
      await writeFile(ticket, '', { mode: 0o600 });
      // The first name waits with its ticket up, the others withdraw theirs: somebody always gets on.
      const rivals = await listTurns(dataDir, name);
      if (rivals.some((rival) => rival < name)) {
        await rm(ticket);
        continue;
      }
      if (rivals.length > 0) await waitForTurns(dataDir, (rival) => rival !== name);
      return await body();
    }
  } finally {
    await rm(ticket, { force: true });
  }
}

async function waitForTurns(dataDir: string, counts: (name: string) => boolean): Promise<void> {
  while ((await listTurns(dataDir)).some(counts)) await sleep(5 + Math.random() * 10);
}

/** The tickets of the living; those of the dead are removed. */
async function listTurns(dataDir: string, except?: string): Promise<string[]> {
  const alive: string[] = [];
  for (const name of await readdir(dataDir)) {
    const [, pid, identity] = turnPattern.exec(name) ?? [];
    if (pid === undefined || identity === undefined || name === except) continue;
    if ((await identifyProcess(Number(pid))) === decodeURIComponent(identity)) alive.push(name);
    else await rm(join(dataDir, name), { force: true });
  }
  return alive;
}

async function liveHolder(path: string): Promise<number | undefined> {
  const [pidText = '', ...identity] = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return (await identifyProcess(pid)) === identity.join(' ') ? pid : undefined;
}
