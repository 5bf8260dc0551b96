import { createHash, createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isoTime, systemClock } from '../../clock/index.ts';
import { type DatabaseSnapshot, findKeyOfCheck, type TableShape, takeSnapshot } from '../../database/index.ts';
import type { MasterKey } from '../../security/index.ts';
import { BackupError } from './backup-error.ts';
import {
  authenticatedText,
  type Entry,
  type EnvironmentName,
  FORMAT_VERSION,
  formatEntry,
  HEADER_NAME,
  type Header,
  MANIFEST_NAME,
  type Manifest,
  PART_BYTES,
  partName,
  schemaName,
  type TableSum,
} from './backup-format.ts';
import { createSealing, describeEncryption } from './seal-entries.ts';

/** The sources of a backup. */
export interface BackupSources {
  /** The databases in order, production first. */
  databases: ReadonlyArray<{ environment: EnvironmentName; url: string }>;
  masterKey: MasterKey;
  /** The key for encrypting the entries; undefined leaves them unencrypted. */
  backupKey: Buffer | undefined;
  serviceVersion: string;
  /** Ends the work early, with an error. */
  signal?: AbortSignal;
}

/** The first entry of a new backup. */
export function createHeader({ backupKey, serviceVersion }: BackupSources): Header {
  return {
    format: 'seathold-backup',
    format_version: FORMAT_VERSION,
    id: randomBytes(16).toString('hex'),
    created_at: isoTime(systemClock.nowMs()),
    service_version: serviceVersion,
    encryption: describeEncryption(backupKey),
  };
}

/**
 * All entries of a backup, ready to be written. Keeps only one part of a table in memory, and a snapshot of one
 * database. Returns the manifest.
 */
export async function* writeEntries(header: Header, sources: BackupSources): AsyncGenerator<Entry, Manifest> {
  const seal = createSealing(header, sources.backupKey);
  const head = { name: HEADER_NAME, content: formatEntry(header) };
  yield head;
  const environments: Manifest['environments'] = [];
  let macKey = '';
  for (const { environment, url } of sources.databases) {
    const snapshot = await takeSnapshot(url);
    try {
      const keyIds = requireMasterKey(snapshot, environment, sources.masterKey);
      macKey ||= keyIds[0];
      environments.push(yield* writeEnvironment(environment, snapshot, { keyIds, seal, signal: sources.signal }));
    } finally {
      await snapshot.close();
    }
  }
  const unsigned = {
    id: header.id,
    ended_at: isoTime(systemClock.nowMs()),
    header_sha256: sha256(head.content),
    environments,
    mac_key: macKey,
    mac: '',
  };
  const manifest = { ...unsigned, mac: authenticate(unsigned, sources.masterKey) };
  yield seal({ name: MANIFEST_NAME, content: formatEntry(manifest) });
  return manifest;
}

/** A value that requires the master key, so that a manifest cannot be altered together with the rows. */
export function authenticate(manifest: Manifest, masterKey: MasterKey): string {
  const key = masterKey.deriveKeyOf(manifest.mac_key, 'backup-manifest');
  return createHmac('sha256', key).update(authenticatedText(manifest)).digest('hex');
}

/** A backup without a matching master key could not be restored. Returns the identifiers of the keys that it needs. */
function requireMasterKey(
  { keyCheck, masterKeyIds }: DatabaseSnapshot,
  environment: EnvironmentName,
  masterKey: MasterKey,
): readonly [string, ...string[]] {
  if (keyCheck === undefined) {
    throw new BackupError(
      'not_found',
      `The database of ${environment} contains no installation. Start the service once.`,
    );
  }
  const keyId = findKeyOfCheck(masterKey, keyCheck);
  if (keyId === undefined) {
    throw new BackupError(
      'wrong_key',
      `The master key is not the one of ${environment}. Set SEATHOLD_MASTER_KEY, or SEATHOLD_DATA_DIR to the folder with master.key.`,
    );
  }
  return [keyId, ...(masterKeyIds ?? []).filter((each) => each !== keyId)];
}

interface EnvironmentTools {
  keyIds: readonly string[];
  seal: (entry: Entry) => Entry;
  signal: AbortSignal | undefined;
}

async function* writeEnvironment(
  environment: EnvironmentName,
  snapshot: DatabaseSnapshot,
  { keyIds, seal, signal }: EnvironmentTools,
): AsyncGenerator<Entry, Manifest['environments'][number]> {
  const schema = formatEntry({
    environment,
    taken_at: snapshot.takenAt,
    master_keys: [...keyIds],
    migrations: [...snapshot.migrations],
    tables: [...snapshot.tables],
  });
  yield seal({ name: schemaName(environment), content: schema });
  const tables: TableSum[] = [];
  for (const table of snapshot.tables) {
    const parts = writeTable(environment, table, snapshot);
    for (let next = await parts.next(); ; next = await parts.next()) {
      signal?.throwIfAborted();
      if (next.done === true) {
        tables.push(next.value);
        break;
      }
      yield seal(next.value);
    }
  }
  const sequences = await snapshot.listSequences();
  await snapshot.requireSameSchema();
  return { environment, schema_sha256: sha256(schema), tables, sequences };
}

async function* writeTable(
  environment: EnvironmentName,
  table: TableShape,
  snapshot: DatabaseSnapshot,
): AsyncGenerator<Entry, TableSum> {
  const hash = createHash('sha256');
  const rows = snapshot.copyTable(table);
  const pending: Buffer[] = [];
  let [bytes, pendingBytes, parts] = [0, 0, 0];
  const cut = async (): Promise<Entry> => {
    const plain = Buffer.concat(pending.splice(0));
    pendingBytes = 0;
    hash.update(plain);
    parts += 1;
    return { name: partName(environment, table.name, parts), content: await compress(plain, { level: 1 }) };
  };
  for (let next = await rows.next(); ; next = await rows.next()) {
    if (next.done === true) {
      if (pendingBytes > 0) {
        yield await cut();
      }
      return { name: table.name, rows: next.value, bytes, parts, sha256: hash.digest('hex') };
    }
    pending.push(next.value);
    bytes += next.value.length;
    pendingBytes += next.value.length;
    if (pendingBytes >= PART_BYTES) {
      yield await cut();
    }
  }
}

const compress = promisify(gzip);

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
