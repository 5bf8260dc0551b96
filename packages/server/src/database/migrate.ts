import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig, MIGRATION_TIMEOUTS } from './connection-config.ts';
import type { Queries } from './database.ts';
import { DatabaseHosts } from './database-hosts.ts';
import { DatabaseUnavailable, translateError } from './errors.ts';
import { GENERATION, STANDING_LASTS_MS } from './generation.ts';
import { isNewMigration, type Migration, type MigrationState } from './migration-rules.ts';
import { countOtherConnections, endOlderConnections, raiseOldestGeneration } from './retire-processes.ts';
import { readOldestGeneration } from './standing.ts';
import { maybeOne, statement } from './statement.ts';

/** The result of `migrate`. */
export interface MigrationResult {
  applied: string[];
  current: string;
}

/**
 * Brings a database to the newest schema. Safe to run concurrently: every migrating process locks the same row. Each
 * file is one transaction. A database migrated by a newer version is left unchanged; throws if it no longer admits this
 * version, or a file has changed since. @param folder contains the files; that of another version creates a database of
 * that version. @param generation of the migrating version.
 */
export async function migrate(
  url: string,
  folder: URL = MIGRATIONS,
  generation = GENERATION,
): Promise<MigrationResult> {
  const migrations = await readMigrations(folder);
  const client = await connectForMigration(url);
  try {
    await createMigrationTables(client);
    const applied: string[] = [];
    const isNew = async (migration: Migration) =>
      isNewMigration(migration, migrations, await readState(client), generation);
    for (const migration of migrations) {
      await retireOlderProcesses(client, migration, isNew);
      if (await applyMigration(client, migration, isNew)) {
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

/** One connection with the timeouts of a migration, to the writable host. */
export async function connectForMigration(url: string): Promise<pg.Client> {
  const hosts = new DatabaseHosts(url);
  const open = async () => {
    const config = connectionConfig(hosts.current, MIGRATION_TIMEOUTS);
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000, ...KEEP_ALIVE });
    // Without a listener, a connection that breaks between two statements would end the process; the next statement
    // reports it.
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

/** A statement may take hours, so a lost server is only detected by the network. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };

/** Why a database does not fit this version, or undefined if its schema is the newest known. */
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

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

/** The migrations of a folder in order; by default those of this version. */
export async function readMigrations(folder: URL = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      const oldestGeneration = Number(/^-- oldest generation: (\d+)$/m.exec(text)?.[1] ?? 0);
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name: file.slice(0, -'.sql'.length), text, checksum, oldestGeneration };
    }),
  );
}

/**
 * Two processes that create a table at the same time collide in the catalogue even with `if not exists`, so retry once.
 */
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

async function applyMigration(client: pg.Client, migration: Migration, isNew: IsNew): Promise<boolean> {
  return underLock(client, async () => {
    const mustRun = await isNew(migration);
    if (mustRun) {
      await runMigration(client, migration);
      await client.query('insert into migrations (name, checksum, applied_at) values ($1, $2, clock_timestamp())', [
        migration.name,
        migration.checksum,
      ]);
    }
    return mustRun;
  });
}

type IsNew = (migration: Migration) => Promise<boolean>;

/**
 * Runs before a migration removes something: raises the oldest generation, so that processes that need it stop using
 * the database, and ends the connections of those that did not notice.
 */
async function retireOlderProcesses(client: pg.Client, migration: Migration, isNew: IsNew): Promise<void> {
  const { oldestGeneration } = migration;
  const mustRetire =
    oldestGeneration > 0 &&
    (await underLock(client, async () => {
      const mustRun = await isNew(migration);
      if (mustRun) {
        await raiseOldestGeneration(client, oldestGeneration);
      }
      return mustRun;
    }));
  if (mustRetire && (await countOtherConnections(client)) > 0) {
    await sleep(RETIRED_AFTER_MS);
    await endOlderConnections(client, oldestGeneration);
  }
}

/** Twice as long as a process relies on its last answer. */
const RETIRED_AFTER_MS = 2 * STANDING_LASTS_MS;

async function underLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query("select id from migration_lock where id = 'this' for update");
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function readState(client: pg.Client): Promise<MigrationState> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  // The table of generations comes with the first migration.
  return { applied: rows, oldestGeneration: rows.length === 0 ? 0 : await readOldestGeneration(client) };
}

/** Runs a migration in the transaction of its caller. PostgreSQL's errors name neither the file nor its purpose. */
export async function runMigration(client: pg.Client, { name, text }: Migration): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    const translated = translateError(error);
    // A lock that was not free, or a broken connection: the next attempt may succeed.
    if (translated instanceof DatabaseUnavailable) {
      throw translated;
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the migration ${name} failed and was rolled back: ${reason}`, { cause: error });
  }
}
