import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MasterKey } from './master-key.ts';

/** The master key of the setting, or else the one in the data folder, made there on first start (mode 0600). */
export async function keepMasterKey(setting: Buffer | undefined, dataDir: string): Promise<MasterKey> {
  return new MasterKey(setting ?? (await readOrMake(dataDir)));
}

async function readOrMake(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'master.key');
  const kept = await readKey(path);
  if (kept !== undefined) {
    return kept;
  }
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  // Linked into place whole: neither a kill nor a second process can leave half a key, or two.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  await link(draft, path).catch(() => undefined);
  await rm(draft, { force: true });
  await syncFolder(dataDir);
  const made = await readKey(path);
  if (made === undefined) {
    throw new Error(`The master key could not be kept in ${path}.`);
  }
  return made;
}

/** The name must survive a power failure like the content: what is encrypted under the key is flushed soon after. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => undefined);
  await folder.close();
}

async function readKey(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== 32) {
    throw new Error(`The master key in ${path} is damaged; restore the file from a backup.`);
  }
  return key;
}
