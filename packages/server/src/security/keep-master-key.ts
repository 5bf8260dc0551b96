import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chown, link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MasterKey } from './master-key.ts';

/** The master keys of the setting, otherwise those in the data folder, created there on first start (mode 0600). */
export async function keepMasterKey(setting: readonly Buffer[] | undefined, dataDir: string): Promise<MasterKey> {
  if (setting !== undefined) {
    return new MasterKey(setting);
  }
  const made = await readOrMake(dataDir);
  return new MasterKey(made, rereading(join(dataDir, FILE)));
}

/** The keys in the data folder, newest first; undefined if there is no file. */
export function readMasterKeyFile(dataDir: string): readonly Buffer[] | undefined {
  return readMasterKeys(join(dataDir, FILE));
}

/**
 * Atomically replaces the keys in the data folder, newest first, so that a kill leaves either the old file or the new
 * one.
 */
export async function writeMasterKeyFile(dataDir: string, keys: readonly Buffer[]): Promise<void> {
  const path = join(dataDir, FILE);
  const { uid, gid } = await stat(path);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, textOf(keys), { mode: 0o600, flush: true });
  // Root may rotate keys for a service that runs as another user, which has to read the file afterwards.
  await chown(draft, uid, gid);
  await rename(draft, path);
  await syncFolder(dataDir);
}

/** Writes keys to a data folder that has none, owned by the owner of the folder. Throws if there already is a file. */
export async function createMasterKeyFile(dataDir: string, keys: readonly Buffer[]): Promise<void> {
  const path = join(dataDir, FILE);
  const { uid, gid } = await stat(dataDir);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, textOf(keys), { mode: 0o600, flush: true });
  try {
    await chown(draft, uid, gid);
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dataDir);
}

/** 32 random bytes. */
export function newMasterKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

const FILE = 'master.key';
const KEY_BYTES = 32;

/** A missing or damaged file adds no key; at startup it is refused. */
function rereading(path: string): () => readonly Buffer[] {
  return () => {
    try {
      return readMasterKeys(path) ?? [];
    } catch {
      return [];
    }
  };
}

async function readOrMake(dataDir: string): Promise<readonly Buffer[]> {
  const path = join(dataDir, FILE);
  const kept = readMasterKeys(path);
  if (kept !== undefined) {
    return kept;
  }
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  // Linked into place when complete: neither a kill nor a second process can leave half a key, or two.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, textOf([newMasterKey()]), { mode: 0o600, flush: true });
  await link(draft, path).catch(() => undefined);
  await rm(draft, { force: true });
  await syncFolder(dataDir);
  const made = readMasterKeys(path);
  if (made === undefined) {
    throw new Error(`The master key could not be stored in ${path}.`);
  }
  return made;
}

/**
 * The name must survive a power failure like the content, because data encrypted under the key is flushed soon after.
 */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => undefined);
  await folder.close();
}

function textOf(keys: readonly Buffer[]): string {
  return keys.map((key) => `${key.toString('base64')}\n`).join('');
}

/**
 * The keys of a file, one per line; undefined if there is none. Read synchronously, because a ciphertext with an
 * unknown key waits for it.
 */
export function readMasterKeys(path: string): readonly Buffer[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  const keys = text
    .trim()
    .split(/\s+/)
    .map((line) => Buffer.from(line, 'base64'));
  if (keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(`The master key in ${path} is damaged; restore the file from a backup.`);
  }
  return keys;
}
