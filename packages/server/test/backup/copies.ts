import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { checkMasterKey, type Database } from '../../src/database/index.ts';
import type { Entry, EnvironmentName } from '../../src/operator/backup/backup-format.ts';
import { type LoadedBackup, type LoadTargets, loadBackup } from '../../src/operator/backup/load-backup.ts';
import { createHeader, writeEntries } from '../../src/operator/backup/write-backup.ts';
import { MasterKey } from '../../src/security/index.ts';
import { createEmptyDatabase } from '../harness/clone-database.ts';

/** Marks a database with a new master key, as the first start of a service does. */
export async function adoptNewKey(database: Database): Promise<MasterKey> {
  return checkMasterKey(database, new MasterKey(randomBytes(32)));
}

/** What is backed up. */
export interface CopySources {
  production: string;
  sandbox?: string;
  masterKey: MasterKey;
  backupKey?: Buffer;
  /** Called between two entries. */
  between?: (name: string) => Promise<void>;
}

/** All entries of a backup, in memory. */
export async function copyEntries(sources: CopySources): Promise<Entry[]> {
  const { production, sandbox, masterKey, backupKey, between } = sources;
  const all = {
    databases: [
      { environment: 'production' as const, url: production },
      ...(sandbox === undefined ? [] : [{ environment: 'sandbox' as const, url: sandbox }]),
    ],
    masterKey,
    backupKey,
    serviceVersion: '0.0.0-test',
  };
  const entries: Entry[] = [];
  for await (const entry of writeEntries(createHeader(all), all)) {
    entries.push(entry);
    await between?.(entry.name);
  }
  return entries;
}

/** Restores entries into new databases. */
export async function restoreEntries(
  entries: readonly Entry[],
  targets: Omit<LoadTargets, 'urls'> & { urls?: LoadTargets['urls'] },
): Promise<{ loaded: LoadedBackup; urls: Record<EnvironmentName, string> }> {
  const urls = { production: await createEmptyDatabase(), sandbox: await createEmptyDatabase() };
  const loaded = await loadBackup(streamOf(entries), { urls, ...targets });
  return { loaded, urls };
}

/** Entries as a source yields them. */
export async function* streamOf(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}

/** Runs one statement on a database. */
export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A fingerprint of the rows of each table, except for the numbers of transactions. */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  const tables = await ask<{ text: string }>(
    url,
    `select format($$select %L as name, count(*) || ' ' || coalesce(md5(string_agg(r::text, '' order by r::text)), '') as print
       from (select %s from %I) r$$, c.relname, string_agg(quote_ident(a.attname), ', ' order by a.attnum), c.relname) as text
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid <> 'xid8'::regtype
     group by c.relname`,
  );
  const prints = await ask<{ name: string; print: string }>(url, tables.map(({ text }) => text).join(' union all '));
  return Object.fromEntries(prints.map(({ name, print }) => [name, print]));
}

/** Columns, constraints and indexes, as PostgreSQL describes them. */
export async function describeSchema(url: string): Promise<unknown> {
  return {
    columns: await ask(
      url,
      `select table_name, column_name, data_type, is_nullable, column_default, is_generated, is_identity
       from information_schema.columns where table_schema = 'public' order by table_name, column_name`,
    ),
    constraints: await ask(
      url,
      `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
       from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    indexes: await ask(
      url,
      `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
    ),
  };
}
