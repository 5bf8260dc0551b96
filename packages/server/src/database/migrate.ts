import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { connectionConfig, MIGRATION_TIMEOUTS } from './connection-config.ts';
import type { Queries } from './database.ts';
import { DatabaseHosts } from './database-hosts.ts';
import { DatabaseUnavailable, translateError } from './errors.ts';
import { maybeOne, statement } from './statement.ts';

/** What `migrate` did. */
export interface MigrationResult {
  applied: string[];
  current: string;
}

/**
 * Brings a database to the newest schema. Safe to start twice at once: every process that migrates takes the same row.
 * Each file is one transaction. Throws when the database was migrated by a newer version, or a file changed since.
 * @param folder where the files are; that of another version makes a database of that version.
 */
export async function migrate(url: string, folder: URL = MIGRATIONS): Promise<MigrationResult> {
  const migrations = await readMigrations(folder);
  const client = await connectForMigration(url);
  try {
    await createMigrationTables(client);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (await applyMigration(client, migration, migrations)) {
        applied.push(migration.name);
      }
    }
    return { applied, current: migrations.at(-1)?.name ?? '' };
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** One connection with the timeouts of a migration, to the host that takes writes. */
export async function connectForMigration(url: string): Promise<pg.Client> {
  const hosts = new DatabaseHosts(url);
  const open = async () => {
    const config = connectionConfig(hosts.current, MIGRATION_TIMEOUTS);
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000, ...KEEP_ALIVE });
    // A connection that breaks between two statements would end the process without a listener; the next statement tells.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  return hosts
    .connect(open, (refused) => void refused.end().catch(() => undefined))
    .catch((error: unknown) => {
      throw translateError(error);
    });
}

/** A statement may take hours, so only the network tells that the other side is gone. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** Why a database does not fit this version, or undefined when its schema is the newest known. */
export async function findMissingMigration(database: Queries): Promise<string | undefined> {
  newest ??= (await readMigrations(MIGRATIONS)).at(-1)?.name ?? '';
  const row = await findMigration(database, { name: newest });
  return row === undefined ? `the migration ${newest} is missing` : undefined;
}

let newest: string | undefined;

const findMigration = statement({
  name: 'find_migration',
  parameters: { name: 'text' },
  returns: maybeOne<{ name: string }>(),
  sql: ({ name }) => `select name from migrations where name = ${name}`,
});

/** One file of the schema. */
export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** The migrations of a folder in their order; those of this version unless said otherwise. */
export async function readMigrations(folder: URL = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      return { name: file.slice(0, -'.sql'.length), text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Two processes that create a table at the same moment collide in the catalogue even with `if not exists`: once more. */
async function createMigrationTables(client: pg.Client): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(
        'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null)',
      );
      await client.query("create table if not exists migration_lock (id text primary key check (id = 'this'))");
      await client.query("insert into migration_lock (id) values ('this') on conflict do nothing");
      return;
    } catch (error) {
      if (attempt >= 5) {
        throw error;
      }
    }
  }
}

async function applyMigration(client: pg.Client, migration: Migration, known: readonly Migration[]): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query("select id from migration_lock where id = 'this' for update");
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
    const isNew = decideMigration(migration, rows, known);
    if (isNew) {
      await runMigration(client, migration);
      await client.query('insert into migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())', [
        migration.name,
        migration.checksum,
      ]);
    }
    await client.query('commit');
    return isNew;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs a migration in the transaction of its caller. What PostgreSQL says of a statement names neither the file nor its purpose. */
export async function runMigration(client: pg.Client, { name, text }: Migration): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    const translated = translateError(error);
    // A lock that was not free, or a connection that broke: the next attempt may well succeed.
    if (translated instanceof DatabaseUnavailable) {
      throw translated;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the migration ${name} failed, and nothing of it was kept: ${reason}`, { cause: error });
  }
}

function decideMigration(
  migration: Migration,
  applied: ReadonlyArray<{ name: string; checksum: string }>,
  known: readonly Migration[],
): boolean {
  const unknown = applied.find((row) => !known.some((each) => each.name === row.name));
  if (unknown !== undefined) {
    throw new Error(`the database has the migration ${unknown.name} of a newer version; start that version instead`);
  }
  const row = applied.find((each) => each.name === migration.name);
  if (row !== undefined && row.checksum !== migration.checksum) {
    throw new Error(`the migration ${migration.name} was changed after it had been applied; restore the file`);
  }
  return row === undefined;
}
