import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureDefaultCatalogue } from '../../src/billing/index.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/index.ts';
import { Database, migrate } from '../../src/database/index.ts';
import { PATIENCE_MS, TEMPLATE } from './clone-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Starts one PostgreSQL for the whole run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'seathold-test-'));
  // On a busy machine a transaction may wait longer for its next statement or for a lock than a service allows.
  const timeouts = { lock_timeout: '10min', idle_in_transaction_session_timeout: '10min' };
  const settings = { max_connections: '300', ...timeouts };
  const postgres = await startEmbeddedPostgres({
    dataDir,
    databases: [TEMPLATE],
    settings,
    // Durability is proved by tests that start PostgreSQL themselves. These tests would only wait for the disk.
    isDurable: false,
    log: () => undefined,
  });
  await migrate(postgres.urlOf(TEMPLATE));
  // Here rather than when an app is opened, so that it takes its time only once and every database has the same plans.
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
