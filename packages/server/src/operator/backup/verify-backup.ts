import { access, chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../config/index.ts';
import { COMMAND_TIMEOUTS, connectDatabases, Database, findHolder, killPostgresIn } from '../../database/index.ts';
import { MasterKey } from '../../security/index.ts';
import { requireConfig } from '../connect-installation.ts';
import type { Finding } from '../finding.ts';
import { examineInvariants } from '../invariants/examine-invariants.ts';
import { findBackupKey, findMasterKeys } from './find-keys.ts';
import { listEntries } from './list-entries.ts';
import { type LoadedBackup, loadBackup } from './load-backup.ts';

/** The backup to verify, and the keys. */
export interface VerifyRequest {
  source: string;
  masterKeyFile?: string | undefined;
  keyFile?: string | undefined;
  signal?: AbortSignal;
}

/** The contents of a backup, and its faults. */
export interface VerifiedBackup extends LoadedBackup {
  /** Whether the master key was available for the check. */
  isKeyChecked: boolean;
  findings: Finding[];
}

/**
 * Restores a backup into a temporary folder, with a separate PostgreSQL, and checks its data against the invariants.
 * Throws if it cannot be restored.
 */
export async function verifyBackup(environment: Environment, request: VerifyRequest): Promise<VerifiedBackup> {
  const config = requireConfig(environment);
  const keys = findMasterKeys(config, request.masterKeyFile);
  const backupKey = findBackupKey(config, request.keyFile);
  await deleteLeftovers();
  const scratch = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    // PostgreSQL may run as another user, who needs access.
    await chmod(scratch, 0o711);
    const urls = await connectDatabases(
      { dataDir: join(scratch, 'data'), sandbox: true, databaseUrl: undefined, sandboxDatabaseUrl: undefined },
      {
        report: () => undefined,
        isThrownAway: true,
        serverSettings: { wal_level: 'minimal', max_wal_senders: '0' },
      },
    );
    try {
      const loaded = await loadBackup(listEntries(request.source), {
        urls: { production: urls.production, ...(urls.sandbox === undefined ? {} : { sandbox: urls.sandbox }) },
        masterKey: keys === undefined ? undefined : new MasterKey(keys),
        backupKey,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
      });
      const findings: Finding[] = [];
      for (const { environment: name } of loaded.environments) {
        request.signal?.throwIfAborted();
        findings.push(...(await examine(name, urls[name] ?? '', config.retentionDays)));
      }
      return { ...loaded, isKeyChecked: keys !== undefined, findings };
    } finally {
      await urls.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

const PREFIX = 'seathold-verify-';

/** Deletes the remains of a killed verification: an unlocked folder, and perhaps a PostgreSQL. */
async function deleteLeftovers(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const data = join(folder, 'data');
    // Without a cluster, it may be one that is just starting.
    const hasCluster = await access(join(data, 'postgres')).then(
      () => true,
      () => false,
    );
    if (hasCluster && (await findHolder(data).catch(() => 0)) === undefined) {
      await killPostgresIn(await realpath(data));
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function examine(name: 'production' | 'sandbox', url: string, retentionDays: number): Promise<Finding[]> {
  const limits = { connections: 2, maxWaiting: 10, timeouts: COMMAND_TIMEOUTS };
  const database = new Database(url, limits, () => undefined);
  try {
    const findings = await examineInvariants(database, { retentionDays });
    return findings.map((finding) => ({ ...finding, check: `${name}: ${finding.check}` }));
  } finally {
    await database.close();
  }
}
