import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of a scheduled backup that begins now. */
export function nameBackup(nowMs: number): string {
  return `seathold-${new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

/** Deletes the remains of killed backups. Only one backup runs at a time, so none of them is in use. */
export async function deleteUnfinished(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (UNFINISHED.test(name)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

/** Deletes the oldest scheduled backups beyond this number, and returns them. Other files and folders stay. */
export async function deleteOldBackups(folder: string, keep: number): Promise<string[]> {
  const complete: string[] = [];
  for (const name of (await readdir(folder)).filter((each) => NAME.test(each)).sort()) {
    const isComplete = await access(join(folder, name, 'manifest.json')).then(
      () => true,
      () => false,
    );
    if (isComplete) {
      complete.push(name);
    }
  }
  const old = complete.slice(0, Math.max(0, complete.length - keep));
  for (const name of old) {
    // The manifest first, so that a partly deleted one no longer counts as a backup.
    await rm(join(folder, name, 'manifest.json'));
    await rm(join(folder, name), { recursive: true, force: true });
  }
  return old;
}

const NAME = /^seathold-\d{8}T\d{6}Z$/;
const UNFINISHED = /^seathold-\d{8}T\d{6}Z\.unfinished-[0-9a-f]{8}$/;
