import type { Writable } from 'node:stream';
import { systemClock } from '../../clock/index.ts';
import type { Config, Environment } from '../../config/index.ts';
import { Database, type DatabaseUrls, findMissingMigration, joinDatabases } from '../../database/index.ts';
import { keepMasterKey } from '../../security/index.ts';
import { requireConfig, requireInstallation } from '../connect-installation.ts';
import type { Header, Manifest } from './backup-format.ts';
import { findBackupKey, requireOtherThan } from './find-keys.ts';
import { updateBackupNoted } from './queries.ts';
import { type BackupSources, createHeader, writeEntries } from './write-backup.ts';
import { type BackupTarget, createFolderTarget, createStreamTarget } from './write-target.ts';

/** The target and the encryption key of a backup. */
export interface BackupRequest {
  /** A new folder, or a stream for a tar archive. */
  target: string | Writable;
  keyFile?: string | undefined;
  serviceVersion: string;
  signal?: AbortSignal;
}

/** What a backup contains. */
export interface CreatedBackup {
  id: string;
  createdAt: string;
  isEncrypted: boolean;
  seconds: number;
  environments: Array<{ environment: string; tables: number; rows: number; bytes: number }>;
}

/**
 * Backs up the databases of all enabled environments, with or without a running service. Each database is copied as of
 * one moment after the call, without blocking anything.
 */
export async function createBackup(environment: Environment, request: BackupRequest): Promise<CreatedBackup> {
  const config = requireConfig(environment);
  await requireInstallation(config);
  return backUp(config, request);
}

/** The settings that a backup depends on. */
export type BackupConfig = Pick<
  Config,
  'databaseUrl' | 'sandboxDatabaseUrl' | 'dataDir' | 'sandbox' | 'masterKey' | 'backupKey'
>;

/** The same with loaded settings. */
export async function backUp(config: BackupConfig, request: BackupRequest): Promise<CreatedBackup> {
  const startedMs = performance.now();
  const backupKey = findBackupKey(config, request.keyFile);
  const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
  requireOtherThan(masterKey, backupKey);
  const urls = await joinDatabases(config, () => undefined);
  try {
    const sources: BackupSources = {
      databases: [
        { environment: 'production', url: urls.production },
        ...(urls.sandbox === undefined ? [] : [{ environment: 'sandbox' as const, url: urls.sandbox }]),
      ],
      masterKey,
      backupKey,
      serviceVersion: request.serviceVersion,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    };
    const header = createHeader(sources);
    const target =
      typeof request.target === 'string'
        ? await createFolderTarget(request.target, header.id)
        : createStreamTarget(request.target);
    const manifest = await writeAll(header, sources, target);
    await noteBackup(urls);
    return describe(header, manifest, performance.now() - startedMs);
  } finally {
    await urls.close();
  }
}

async function writeAll(header: Header, sources: BackupSources, target: BackupTarget): Promise<Manifest> {
  const entries = writeEntries(header, sources);
  try {
    for (let next = await entries.next(); ; next = await entries.next()) {
      if (next.done === true) {
        await target.finish();
        return next.value;
      }
      await target.write(next.value);
    }
  } catch (error) {
    await entries.return(undefined as never).catch(() => undefined);
    await target.abandon();
    throw error;
  }
}

/** For metrics and `doctor`. A database about to be upgraded may not have the column yet. */
async function noteBackup({ production }: DatabaseUrls): Promise<void> {
  const limits = { connections: 1, maxWaiting: 1, preparesStatements: false };
  const database = new Database(production, limits, () => undefined);
  try {
    if ((await findMissingMigration(database)) === undefined) {
      await updateBackupNoted(database, { at: systemClock.nowMs() });
    }
  } finally {
    await database.close();
  }
}

function describe(header: Header, { environments }: Manifest, elapsedMs: number): CreatedBackup {
  return {
    id: header.id,
    createdAt: header.created_at,
    isEncrypted: header.encryption !== null,
    seconds: Math.round(elapsedMs / 100) / 10,
    environments: environments.map(({ environment, tables }) => ({
      environment,
      tables: tables.length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    })),
  };
}
