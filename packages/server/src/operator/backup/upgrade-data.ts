import { randomBytes } from 'node:crypto';
import { readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../config/index.ts';
import {
  connectDatabases,
  DATABASES,
  killPostgresIn,
  lockFolder,
  replaceCluster,
  startOldCluster,
} from '../../database/index.ts';
import { keepMasterKey } from '../../security/index.ts';
import { requireConfig } from '../connect-installation.ts';
import { BackupError } from './backup-error.ts';
import { type LoadedBackup, loadBackup } from './load-backup.ts';
import { createHeader, writeEntries } from './write-backup.ts';

/** The data to upgrade, and the programs to read it with. */
export interface UpgradeRequest {
  /** The folder of the PostgreSQL that created the data. */
  oldBinaries: string;
  serviceVersion: string;
  signal?: AbortSignal;
}

/** The result of an upgrade. */
export interface UpgradedData extends LoadedBackup {
  from: number;
  to: number;
  /** Where the old cluster is, unchanged. */
  kept: string;
}

/**
 * Moves the embedded database to the installed PostgreSQL, with the service stopped: reads the old cluster with its own
 * programs, loads a new one table by table, reads every table back, and only then swaps them. The old cluster stays.
 */
export async function upgradeData(environment: Environment, request: UpgradeRequest): Promise<UpgradedData> {
  const config = requireConfig(environment);
  if (config.databaseUrl !== undefined) {
    throw new BackupError(
      'invalid_argument',
      'DATABASE_URL names an external PostgreSQL. Upgrade it with its own tools, such as pg_upgrade.',
    );
  }
  const dataDir = await realpath(config.dataDir);
  const lock = await lockFolder(dataDir);
  try {
    await deleteUnfinished(dataDir);
    const old = await startOldCluster(dataDir, request.oldBinaries);
    const unfinished = join(dataDir, `${UNFINISHED}${randomBytes(4).toString('hex')}`);
    // A disabled sandbox still has data.
    const sandbox = old.databases.includes(DATABASES.sandbox);
    let loaded: LoadedBackup;
    try {
      const urls = await connectDatabases(
        { dataDir: unfinished, sandbox, databaseUrl: undefined, sandboxDatabaseUrl: undefined },
        { report: () => undefined, serverSettings: { wal_level: 'minimal', max_wal_senders: '0' } },
      );
      try {
        const masterKey = await keepMasterKey(config.masterKey, dataDir);
        const names = sandbox ? (['production', 'sandbox'] as const) : (['production'] as const);
        const sources = {
          databases: names.map((name) => ({ environment: name, url: old.urlOf(DATABASES[name]) })),
          masterKey,
          backupKey: undefined,
          serviceVersion: request.serviceVersion,
        };
        loaded = await loadBackup(writeEntries(createHeader(sources), sources), {
          urls: { production: urls.production, ...(urls.sandbox === undefined ? {} : { sandbox: urls.sandbox }) },
          masterKey,
          backupKey: undefined,
          readsBack: true,
          ...(request.signal === undefined ? {} : { signal: request.signal }),
        });
      } finally {
        await urls.close();
      }
    } finally {
      await old.stop();
    }
    const kept = await replaceCluster(dataDir, unfinished, old.major);
    return { ...loaded, from: old.major, to: old.installed, kept };
  } finally {
    await deleteUnfinished(dataDir);
    await lock.release();
  }
}

const UNFINISHED = 'upgrade.unfinished-';

/** Also the remains of a killed upgrade, with a PostgreSQL that may still run on them. */
async function deleteUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) {
      await killPostgresIn(join(dataDir, name));
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  }
}
