import { createHash } from 'node:crypto';
import { beginLoad, type DatabaseLoad, DatabaseUnavailable, migrate, type TableShape } from '../../database/index.ts';
import type { MasterKey } from '../../security/index.ts';
import { BackupError, damaged } from './backup-error.ts';
import {
  type Entry,
  type EnvironmentName,
  type EnvironmentSchema,
  type Header,
  type Manifest,
  parseEnvironmentSchema,
  parseManifest,
  schemaName,
  type TableSum,
} from './backup-format.ts';
import { EntryReader } from './entry-reader.ts';
import { authenticate } from './write-backup.ts';

/** The targets and keys for loading a backup. */
export interface LoadTargets {
  /** Empty databases. Other environments in the backup are checked and skipped. */
  urls: Partial<Record<EnvironmentName, string>>;
  /** If undefined, everything else is checked. */
  masterKey: MasterKey | undefined;
  backupKey: Buffer | undefined;
  /** Reads every table back and compares it with the backup, before anything is committed. */
  readsBack?: boolean;
  signal?: AbortSignal;
}

/** The result of loading. */
export interface LoadedBackup {
  header: Header;
  environments: Array<{ environment: EnvironmentName; takenAt: string; tables: number; rows: number; bytes: number }>;
  /** Descriptions of skipped parts. */
  notes: string[];
}

/**
 * Loads a backup into empty databases, each in one transaction, all committed after the last byte was checked. Until
 * then they stay empty. Afterwards they are migrated to this version.
 */
export async function loadBackup(entries: AsyncIterable<Entry>, targets: LoadTargets): Promise<LoadedBackup> {
  const loads = new Map<EnvironmentName, DatabaseLoad>();
  try {
    const reader = await EntryReader.start(entries, targets.backupKey);
    const loaded: LoadedBackup = { header: reader.header, environments: [], notes: [] };
    const environments: Manifest['environments'] = [];
    for (let next = reader.nextEnvironment; next !== undefined; next = reader.nextEnvironment) {
      environments.push(await loadEnvironment(reader, next, targets, loads, loaded));
    }
    const manifest = parseManifest(await reader.takeLast());
    requireManifest(manifest, reader, environments);
    requireAuthentic(manifest, targets.masterKey);
    for (const { environment, sequences } of manifest.environments) {
      await loads.get(environment)?.finish(sequences);
    }
    targets.signal?.throwIfAborted();
    for (const load of loads.values()) {
      await load.commit();
    }
    for (const environment of loads.keys()) {
      await migrate(targets.urls[environment] ?? '');
    }
    return loaded;
  } finally {
    for (const load of loads.values()) {
      await load.abandon();
    }
  }
}

/** Loads one environment and returns its expected entry in the manifest, without its sequences. */
async function loadEnvironment(
  reader: EntryReader,
  environment: EnvironmentName,
  targets: LoadTargets,
  loads: Map<EnvironmentName, DatabaseLoad>,
  loaded: LoadedBackup,
): Promise<Manifest['environments'][number]> {
  const name = schemaName(environment);
  const content = await reader.take(name);
  const schema = parseEnvironmentSchema(name, content);
  requireMasterKeys(schema, targets.masterKey);
  const url = targets.urls[environment];
  const load = url === undefined ? undefined : await beginLoad(url, environment, schema.migrations);
  if (load === undefined) {
    loaded.notes.push(`The ${environment} in the backup was skipped.`);
  } else {
    loads.set(environment, load);
  }
  const sums: TableSum[] = [];
  for (const table of schema.tables) {
    targets.signal?.throwIfAborted();
    const sum = await loadTable(reader, environment, table, load, loaded.notes);
    sums.push(sum);
    if (load !== undefined && targets.readsBack === true && sum.rows !== UNCOUNTED) {
      await requireSameRows(load, table, sum);
    }
  }
  requireAllTables(schema, load);
  const total = (of: (sum: TableSum) => number) => sums.reduce((sum, each) => sum + of(each), 0);
  if (load !== undefined) {
    loaded.environments.push({
      environment,
      takenAt: schema.taken_at,
      tables: sums.length,
      rows: total(({ rows }) => rows),
      bytes: total(({ bytes }) => bytes),
    });
  }
  return { environment, schema_sha256: sha256(content), tables: sums, sequences: [] };
}

/** Loads the rows of a table. -1 means that rows were not counted because the table was skipped. */
async function loadTable(
  reader: EntryReader,
  environment: EnvironmentName,
  table: TableShape,
  load: DatabaseLoad | undefined,
  notes: string[],
): Promise<TableSum> {
  const sum = { name: table.name, parts: 0, bytes: 0, sha256: '' };
  const rows = reader.takeRows(environment, sum);
  const known = load?.tables.find(({ name }) => name === table.name);
  if (load !== undefined && known !== undefined) {
    if (!hasSameColumns(known, table)) {
      throw damaged(`the columns of ${environment}/${table.name} are not those of its schema`);
    }
    const count = await load.copyTable(table, rows).catch((error: unknown) => {
      throw explain(error, `${environment}/${table.name}`);
    });
    return { ...sum, rows: count };
  }
  if (load !== undefined) {
    notes.push(`The table ${table.name} does not belong to Seathold and was skipped.`);
  }
  for await (const _ of rows) {
    // Read only for its checksum.
  }
  return { ...sum, rows: UNCOUNTED };
}

const UNCOUNTED = -1;

/** Rows of a new table are stored in loading order, so they are read back as written. */
async function requireSameRows(load: DatabaseLoad, table: TableShape, sum: TableSum): Promise<void> {
  const hash = createHash('sha256');
  const rows = load.readTable(table);
  let next = await rows.next();
  for (; next.done !== true; next = await rows.next()) {
    hash.update(next.value);
  }
  if (next.value !== sum.rows || hash.digest('hex') !== sum.sha256) {
    throw new BackupError('failed', `The rows of ${table.name} read back differently. Nothing was changed.`);
  }
}

/** Data that PostgreSQL refuses was not written by it. */
function explain(error: unknown, name: string): unknown {
  const isKnown = error instanceof BackupError || error instanceof DatabaseUnavailable;
  return isKnown ? error : damaged(`the rows of ${name} cannot be loaded`, error);
}

function hasSameColumns(known: TableShape, table: TableShape): boolean {
  return [...known.columns].sort().join() === [...table.columns].sort().join();
}

function requireAllTables({ environment, tables }: EnvironmentSchema, load: DatabaseLoad | undefined): void {
  const missing = load?.tables.find(({ name }) => !tables.some((each) => each.name === name));
  if (missing !== undefined) {
    throw damaged(`${environment}/${missing.name} is missing`);
  }
}

function requireMasterKeys({ environment, master_keys: needed }: EnvironmentSchema, masterKey: MasterKey | undefined) {
  const missing = masterKey === undefined ? undefined : needed.find((id) => !masterKey.keyIds.includes(id));
  if (missing !== undefined) {
    throw new BackupError(
      'wrong_key',
      `The ${environment} data in the backup needs the master key ${missing}, but the key given is ${masterKey?.keyIds.join(', ')}. Use a copy of master.key, or the SEATHOLD_MASTER_KEY, from the time of the backup.`,
    );
  }
}

/** The loaded data must match the written data exactly. */
function requireManifest(
  manifest: Manifest,
  reader: EntryReader,
  environments: readonly Manifest['environments'][number][],
): void {
  if (manifest.id !== reader.header.id || manifest.header_sha256 !== reader.headerSha256) {
    throw damaged('its header is not the one that it was made with');
  }
  const names = (list: readonly { environment: string }[]) => list.map(({ environment }) => environment).join();
  if (names(manifest.environments) !== names(environments)) {
    throw damaged('an environment is missing');
  }
  for (const [at, { environment, schema_sha256: schema, tables }] of manifest.environments.entries()) {
    const found = environments[at];
    if (found?.schema_sha256 !== schema || found.tables.length !== tables.length) {
      throw damaged(`${schemaName(environment)} was altered`);
    }
    for (const [index, wanted] of tables.entries()) {
      requireTable(environment, wanted, found.tables[index]);
    }
  }
}

function requireTable(environment: EnvironmentName, wanted: TableSum, found: TableSum | undefined): void {
  const isSame =
    found !== undefined &&
    wanted.name === found.name &&
    wanted.parts === found.parts &&
    wanted.bytes === found.bytes &&
    wanted.sha256 === found.sha256 &&
    (found.rows === UNCOUNTED || wanted.rows === found.rows);
  if (!isSame) {
    throw damaged(`the rows of ${environment}/${wanted.name} are not those that were written`);
  }
}

function requireAuthentic(manifest: Manifest, masterKey: MasterKey | undefined): void {
  if (masterKey !== undefined && !masterKey.keyIds.includes(manifest.mac_key)) {
    throw damaged('its manifest is signed with a master key that it does not need');
  }
  if (masterKey !== undefined && authenticate(manifest, masterKey) !== manifest.mac) {
    throw damaged('its manifest was altered');
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
