import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the tests of this run keep databases and other files: in memory, if the machine lets it have enough. Copying a
 * database is half a thousand small files, which takes 20 times as long on a disk.
 */
export function makeScratchFolder(): string {
  if (freeBytesOf(MEMORY) < ENOUGH_BYTES || process.availableMemory() < 2 * ENOUGH_BYTES) {
    return tmpdir();
  }
  const runs = join(MEMORY, 'seathold-tests');
  const own = join(runs, String(process.pid));
  mkdirSync(own, { recursive: true, mode: 0o777 });
  for (const run of readdirSync(runs).filter((pid) => !isRunning(Number(pid)))) {
    rmSync(join(runs, run), { recursive: true, force: true });
  }
  process.on('exit', () => rmSync(own, { recursive: true, force: true }));
  return own;
}

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** A run that was killed leaves its folder behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
