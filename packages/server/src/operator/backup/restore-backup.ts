import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config, Environment } from '../../config/index.ts';
import { connectDatabases, killPostgresIn, lockFolder } from '../../database/index.ts';
import { createMasterKeyFile, readMasterKeyFile } from '../../security/index.ts';
import { requireConfig } from '../connect-installation.ts';
import { BackupError } from './backup-error.ts';
import { findBackupKey, requireMasterKey } from './find-keys.ts';
import { listEntries } from './list-entries.ts';
import { type LoadedBackup, loadBackup } from './load-backup.ts';

/** The source and target of a restore. */
export interface RestoreRequest {
  /** A folder, a tar file, or `-` for standard input. */
  source: string;
  /** Empty databases to restore into, instead of those of the settings. */
  databaseUrl?: string | undefined;
  sandboxDatabaseUrl?: string | undefined;
  masterKeyFile?: string | undefined;
  keyFile?: string | undefined;
  signal?: AbortSignal;
}

/** The result of a restore. */
export interface RestoredBackup extends LoadedBackup {
  /** The data folder; undefined for external databases. */
  dataDir: string | undefined;
}

/**
 * Restores a backup into the empty data folder, or into empty external databases. Until everything is checked, a
 * service cannot start on it.
 */
export async function restoreBackup(environment: Environment, request: RestoreRequest): Promise<RestoredBackup> {
  const config = requireConfig({
    ...environment,
    ...(request.databaseUrl === undefined ? {} : { DATABASE_URL: request.databaseUrl }),
    ...(request.sandboxDatabaseUrl === undefined ? {} : { SANDBOX_DATABASE_URL: request.sandboxDatabaseUrl }),
  });
  const { keys, ring } = requireMasterKey(config, request.masterKeyFile);
  requireSameKeyFile(config, keys);
  const load = (urls: { production?: string; sandbox?: string | undefined }) =>
    loadBackup(listEntries(request.source), {
      urls: {
        ...(urls.production === undefined ? {} : { production: urls.production }),
        ...(urls.sandbox === undefined ? {} : { sandbox: urls.sandbox }),
      },
      masterKey: ring,
      backupKey: findBackupKey(config, request.keyFile),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
  if (config.databaseUrl !== undefined) {
    const loaded = await load({
      production: config.databaseUrl,
      sandbox: config.sandbox ? config.sandboxDatabaseUrl : undefined,
    });
    await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
    await keepKeyFile(config, keys);
    return { ...loaded, dataDir: undefined };
  }
  return { ...(await restoreFolder(config, keys, load)), dataDir: config.dataDir };
}

/**
 * The cluster is created in a separate folder and moved into place as the last step, so a data folder has a complete
 * one or none.
 */
async function restoreFolder(
  config: Config,
  keys: readonly Buffer[],
  load: (urls: { production: string; sandbox: string | undefined }) => Promise<LoadedBackup>,
): Promise<LoadedBackup> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o711 });
  const dataDir = await realpath(config.dataDir);
  const lock = await lockFolder(dataDir);
  try {
    await requireEmpty(dataDir);
    const unfinished = join(dataDir, `${UNFINISHED}${randomBytes(4).toString('hex')}`);
    const databases = await connectDatabases(
      { dataDir: unfinished, sandbox: config.sandbox, databaseUrl: undefined, sandboxDatabaseUrl: undefined },
      // Rows loaded by the transaction that created the table are then not written to the WAL.
      { report: () => undefined, serverSettings: { wal_level: 'minimal', max_wal_senders: '0' } },
    );
    let loaded: LoadedBackup;
    try {
      loaded = await load(databases);
    } finally {
      await databases.close();
    }
    await keepKeyFile(config, keys);
    await rename(join(unfinished, 'postgres-password'), join(dataDir, 'postgres-password'));
    await rename(join(unfinished, 'postgres'), join(dataDir, 'postgres'));
    await syncFolder(dataDir);
    return loaded;
  } finally {
    await removeUnfinished(dataDir);
    await lock.release();
  }
}

const UNFINISHED = 'restore.unfinished-';

/** Files that an operator may have prepared, and those of a file system's root. */
const MAY_BE_THERE = new Set(['master.key', 'tls', 'log-level', 'lost+found', 'seathold.lock']);

async function requireEmpty(dataDir: string): Promise<void> {
  await removeUnfinished(dataDir);
  const other = (await readdir(dataDir)).find((name) => !MAY_BE_THERE.has(name) && name !== 'postgres-password');
  if (other !== undefined) {
    throw new BackupError(
      'conflict',
      `The data folder ${dataDir} is not empty: it contains ${other}. Set SEATHOLD_DATA_DIR to an empty folder.`,
    );
  }
}

/** A killed restore leaves its folder, and perhaps a PostgreSQL. The lock proves that it is not running. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) {
      await killPostgresIn(join(dataDir, name));
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  }
}

/** The service would use the file in the folder, and not the given key. */
function requireSameKeyFile({ masterKey, dataDir }: Config, keys: readonly Buffer[]): void {
  const there = masterKey === undefined ? readMasterKeyFile(dataDir) : undefined;
  if (there !== undefined && !keys.every((key) => there.some((each) => each.equals(key)))) {
    throw new BackupError(
      'conflict',
      `${join(dataDir, 'master.key')} holds another key than the one given. Remove it.`,
    );
  }
}

/** The service needs the key from now on, unless it is in the settings. */
async function keepKeyFile({ masterKey, dataDir }: Config, keys: readonly Buffer[]): Promise<void> {
  if (masterKey === undefined && readMasterKeyFile(dataDir) === undefined) {
    await createMasterKeyFile(dataDir, keys);
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch(() => undefined);
  await folder.close();
}
