import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureDefaultCatalogue } from '../../src/billing/index.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/index.ts';
import { Database, migrate } from '../../src/database/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

const TEMPLATE = 'template_seathold';

/** How long a test waits for PostgreSQL. It only ends a hang. */
export const PATIENCE_MS = 600_000;

/** Starts one PostgreSQL for the whole run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'seathold-test-'));
  // On a machine that is busy a transaction may wait for its next statement, or for a lock, longer than a service lets it.
  const timeouts = { lock_timeout: '10min', idle_in_transaction_session_timeout: '10min' };
  const settings = { max_connections: '300', ...timeouts };
  const postgres = await startEmbeddedPostgres({
    dataDir,
    databases: [TEMPLATE],
    settings,
    // Durability is proved by tests that start PostgreSQL themselves; these would only wait for the disk.
    isDurable: false,
    log: () => undefined,
  });
  await migrate(postgres.urlOf(TEMPLATE));
  // Here rather than when an app is opened, so that it takes its time once and every database has the same plans.
  const template = new Database(
    postgres.urlOf(TEMPLATE),
    { connections: 1, maxWaiting: 1, patienceMs: PATIENCE_MS },
    () => undefined,
  );
  await ensureDefaultCatalogue(template);
  await template.close();
  project.provide('postgresUrl', postgres.urlOf('postgres'));
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** A fresh copy of the migrated template; answers its URL. */
export async function cloneDatabase(postgresUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`create database "${name}" template ${TEMPLATE}`);
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}
