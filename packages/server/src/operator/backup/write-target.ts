import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { systemClock } from '../../clock/index.ts';
import { BackupError } from './backup-error.ts';
import type { Entry } from './backup-format.ts';
import { formatTarEnd, formatTarEntry } from './tar.ts';

/** Where a backup is written. */
export interface BackupTarget {
  write(entry: Entry): Promise<void>;
  /** Completes the backup durably. */
  finish(): Promise<void>;
  /** Leaves nothing that looks like a backup. */
  abandon(): Promise<void>;
}

/**
 * A folder that must not exist yet. It has another name until the backup is complete, so that an interrupted one is
 * never mistaken for a backup.
 */
export async function createFolderTarget(path: string, id: string): Promise<BackupTarget> {
  const target = path.replace(/[/\\]+$/, '');
  const exists = await stat(target).then(
    () => true,
    () => false,
  );
  if (exists) {
    throw new BackupError('conflict', `${target} already exists. Name a new folder.`);
  }
  const parent = dirname(target);
  const unfinished = join(parent, `${basename(target)}.unfinished-${id.slice(0, 8)}`);
  await mkdir(parent, { recursive: true });
  await mkdir(unfinished, { mode: 0o700 });
  const folders = new Set([unfinished]);
  return {
    write: async ({ name, content }) => {
      const file = join(unfinished, name);
      if (!folders.has(dirname(file))) {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        folders.add(dirname(file));
        folders.add(dirname(dirname(file)));
      }
      await writeFile(file, content, { mode: 0o600, flag: 'wx', flush: true });
    },
    finish: async () => {
      for (const folder of folders) {
        await syncFolder(folder);
      }
      await rename(unfinished, target);
      await syncFolder(parent);
    },
    abandon: () => rm(unfinished, { recursive: true, force: true }),
  };
}

/** A tar stream. It fails with an error if the reader disconnects. */
export function createStreamTarget(stream: Writable): BackupTarget {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const fail = (error: Error) =>
    failed.reject(new BackupError('failed', `The backup could not be written: ${error.message}`, error));
  stream.on('error', fail);
  const send = (bytes: Buffer) =>
    Promise.race([
      failed.promise,
      new Promise<void>((resolve) => {
        stream.write(bytes, (error) => (error ? fail(error) : resolve()));
      }),
    ]);
  return {
    write: async (entry) => {
      for (const bytes of formatTarEntry(entry, systemClock.nowMs())) {
        await send(bytes);
      }
    },
    finish: () => send(formatTarEnd()),
    abandon: () => Promise.resolve(),
  };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => undefined);
  await folder.close();
}
