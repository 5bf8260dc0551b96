import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** The migrated database that each test file clones. */
export const TEMPLATE = 'template_seathold';

/** How long a test waits for PostgreSQL. Only ever ends a hang. */
export const PATIENCE_MS = 600_000;

const created: string[] = [];

/** Creates a copy of the migrated template, which is dropped at the end of the file, and returns its URL. */
export function cloneDatabase(): Promise<string> {
  return createDatabase(TEMPLATE);
}

/** Creates a database without a single table, which is dropped at the end of the file, and returns its URL. */
export function createEmptyDatabase(): Promise<string> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  // On an in-memory file system, copying the files takes a third of the time of writing their pages to the log.
  await onServer((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  created.push(name);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

/** Hundreds of unused databases keep autovacuum busy and take up memory. */
export async function dropDatabases(): Promise<void> {
  const names = created.splice(0);
  if (names.length > 0) {
    await onServer(async (client) => {
      for (const name of names) {
        await client.query(`drop database if exists ${name} with (force)`);
      }
    });
  }
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
