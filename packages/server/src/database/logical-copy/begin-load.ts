import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { translateError } from '../errors.ts';
import { connectForMigration, readMigrations, runMigration } from '../migrate.ts';
import { isEmptySchema, listTableShapes, type SequenceState, type TableShape } from './table-shapes.ts';
import { type AppliedMigration, copyRows, settle } from './take-snapshot.ts';

/** An empty database that is being filled, in one transaction: it stays empty until `commit`. */
export interface DatabaseLoad {
  /** The tables of the schema that rows are loaded into. */
  readonly tables: readonly TableShape[];
  /** Loads rows in PostgreSQL's text format and returns how many there were. */
  copyTable(table: TableShape, rows: AsyncIterable<Buffer>): Promise<number>;
  /** Reads back what was loaded, in the same order. */
  readTable(table: TableShape): AsyncGenerator<Buffer, number>;
  /** Creates the deferred parts: indexes, foreign keys, and the next values of identity columns. */
  finish(sequences: readonly SequenceState[]): Promise<void>;
  commit(): Promise<void>;
  /** Leaves the database empty. Does nothing after a commit. */
  abandon(): Promise<void>;
}

/**
 * Begins to fill a database: creates the schema of these migrations, without the parts that would slow down loading.
 * Throws if the database is not empty, or if this version lacks one of the migrations.
 * @param name how messages call the database.
 */
export async function beginLoad(
  url: string,
  name: string,
  migrations: readonly AppliedMigration[],
): Promise<DatabaseLoad> {
  const client = await connectForMigration(url);
  try {
    await client.query('begin');
    await settle(client);
    if (!(await isEmptySchema(client))) {
      throw new NotEmptyError(`The database of ${name} is not empty. Specify an empty one.`);
    }
    await createSchema(client, migrations);
    const tables = await listTableShapes(client);
    const later = await removeSlowParts(client, tables);
    return createLoad(client, tables, later);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw translateError(error);
  }
}

/** Thrown if the target of a restore is not empty. */
class NotEmptyError extends Error {
  readonly code = 'conflict';
}

function createLoad(client: pg.Client, tables: readonly TableShape[], later: readonly string[]): DatabaseLoad {
  const ask = async (text: string, values: unknown[] = []) => {
    try {
      await client.query(text, values);
    } catch (error) {
      throw translateError(error);
    }
  };
  return {
    tables,
    copyTable: (table, rows) => copyTable(client, table, rows),
    readTable: (table) => copyRows(client, table),
    finish: async (sequences) => {
      for (const text of later) {
        await ask(text);
      }
      for (const { table, column, last } of sequences) {
        await ask('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3)', [table, column, last]);
      }
    },
    commit: async () => {
      await ask('commit');
      // Without this, the planner would know nothing about the tables until autovacuum runs.
      await ask('analyze').catch(() => undefined);
      await client.end().catch(() => undefined);
    },
    abandon: () => client.end().catch(() => undefined),
  };
}

async function createSchema(client: pg.Client, wanted: readonly AppliedMigration[]): Promise<void> {
  const known = await readMigrations();
  await client.query(
    'create table migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null)',
  );
  await client.query("create table migration_lock (id text primary key check (id = 'this'))");
  for (const { name, checksum } of wanted) {
    const migration = known.find((each) => each.name === name);
    if (migration === undefined) {
      throw new Error(`The copy has the migration ${name} of a newer version of Seathold. Load it with that version.`);
    }
    if (migration.checksum !== checksum) {
      throw new Error(`The migration ${name} differs from the one that the copy was made with. Restore the file.`);
    }
    await runMigration(client, migration);
  }
}

/**
 * Empties the tables that the migrations filled, and removes whatever is faster to create over existing rows than to
 * maintain per row.
 */
async function removeSlowParts(client: pg.Client, tables: readonly TableShape[]): Promise<string[]> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`truncate ${names.join(', ')}`);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(`
    select r.relname::text as table, k.conname::text as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class r on r.oid = k.conrelid
    join pg_namespace n on n.oid = r.relnamespace and n.nspname = current_schema()
    where k.contype = 'f' order by k.conname, r.relname`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select i.relname::text as name, pg_get_indexdef(x.indexrelid) as definition
    from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_namespace n on n.oid = i.relnamespace and n.nspname = current_schema()
    where not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
    order by i.relname`);
  for (const { table, name } of keys) {
    await client.query(`alter table ${pg.escapeIdentifier(table)} drop constraint ${pg.escapeIdentifier(name)}`);
  }
  for (const { name } of indexes) {
    await client.query(`drop index ${pg.escapeIdentifier(name)}`);
  }
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(
      ({ table, name, definition }) =>
        `alter table ${pg.escapeIdentifier(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`,
    ),
  ];
}

async function copyTable(client: pg.Client, { name, columns }: TableShape, rows: AsyncIterable<Buffer>) {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const stream = copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin`);
  try {
    client.query(stream);
    await pipeline(Readable.from(rows, { objectMode: false }), stream);
    return stream.rowCount;
  } catch (error) {
    throw translateError(error);
  }
}
