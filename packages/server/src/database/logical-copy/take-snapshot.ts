import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { translateError } from '../errors.ts';
import { connectForMigration } from '../migrate.ts';
import { listSequenceStates, listTableShapes, type SequenceState, type TableShape } from './table-shapes.ts';

/** A migration applied to a database. */
export interface AppliedMigration {
  name: string;
  checksum: string;
}

/** One database at one moment, unaffected by concurrent writes. */
export interface DatabaseSnapshot {
  /** The database's clock at that moment. */
  readonly takenAt: string;
  readonly migrations: readonly AppliedMigration[];
  readonly tables: readonly TableShape[];
  /**
   * The identifiers of the master keys that its secrets are encrypted with; undefined for databases from before keys
   * had names.
   */
  readonly masterKeyIds: readonly string[] | undefined;
  /** The ciphertext that only the master key decrypts; undefined if no service has started yet. */
  readonly keyCheck: Buffer | undefined;
  /** The rows of a table in PostgreSQL's text format, in pieces of any size. Its value counts them, when all are read. */
  copyTable(table: TableShape): AsyncGenerator<Buffer, number>;
  listSequences(): Promise<SequenceState[]>;
  /** Throws if a migration ran since: tables that it rewrote may look empty to an older snapshot. */
  requireSameSchema(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes a snapshot in a read-only transaction. It locks one table at a time, and only against migrations, so that
 * nothing waits for it. Needs only read permission.
 */
export async function takeSnapshot(url: string): Promise<DatabaseSnapshot> {
  const client = await connectForMigration(url);
  try {
    await client.query('begin isolation level repeatable read, read only');
    await settle(client);
    return await describe(client, url);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw translateError(error);
  }
}

/**
 * PostgreSQL's output must mean the same to every reader, and reading has no timeout. Set for the transaction, because
 * a pooler may consume startup options.
 */
export async function settle(client: pg.ClientBase): Promise<void> {
  await client.query(`
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '60s';
    set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
    set local extra_float_digits = 1; set local bytea_output = 'hex'`);
}

async function describe(client: pg.Client, url: string): Promise<DatabaseSnapshot> {
  // The first statement that reads fixes the moment of the snapshot.
  const tables = await listTableShapes(client);
  const has = (name: string) => tables.some((table) => table.name === name);
  if (!has('migrations') || !has('installation')) {
    throw new Error('The database contains no installation. Start the service once.');
  }
  const { rows: times } = await client.query<{ at: Date }>('select now() as at');
  const migrations = await listMigrations(client);
  const { rows: checks } = await client.query<{ key_check: Buffer }>('select key_check from installation');
  const masterKeyIds = has('master_keys') ? await listKeyIds(client) : [];
  return {
    takenAt: times[0]?.at.toISOString() ?? '',
    migrations,
    tables,
    masterKeyIds: masterKeyIds.length === 0 ? undefined : masterKeyIds,
    keyCheck: checks[0]?.key_check,
    copyTable: (table) => copyRows(client, table),
    listSequences: () => listSequenceStates(client),
    requireSameSchema: () => requireSameSchema(url, migrations),
    // A busy connection is closed, which also ends the transaction.
    close: () => client.end().catch(() => undefined),
  };
}

/** The rows of a table in physical order. Releases the lock on the table. */
export async function* copyRows(client: pg.Client, { name, columns }: TableShape): AsyncGenerator<Buffer, number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const stream = copyTo(`copy ${pg.escapeIdentifier(name)} (${list}) to stdout`, { highWaterMark: PIECE_BYTES });
  try {
    // Rolling back to the savepoint releases the lock on the table. The snapshot stays.
    await client.query('savepoint one_table');
    client.query(stream);
    for await (const chunk of stream) {
      yield chunk;
    }
    await client.query('rollback to savepoint one_table');
    return stream.rowCount;
  } catch (error) {
    throw translateError(error);
  }
}

const PIECE_BYTES = 262_144;

async function listMigrations(client: pg.ClientBase): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>('select name, checksum from migrations order by name');
  return rows;
}

async function listKeyIds(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ key_id: string }>(
    'select key_id from master_keys order by created_at desc, key_id',
  );
  return rows.map(({ key_id: keyId }) => keyId);
}

async function requireSameSchema(url: string, before: readonly AppliedMigration[]): Promise<void> {
  const client = await connectForMigration(url);
  try {
    const after = await listMigrations(client);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      throw new Error('The database was migrated while it was copied. Run the command again.');
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
