import pg from 'pg';
import { COMMAND_TIMEOUTS, connectionConfig } from '../connection-config.ts';

/** Creates the missing databases from the empty template. */
export async function createDatabases(urlOf: (database: string) => string, databases: string[]): Promise<void> {
  const client = new pg.Client(connectionConfig(urlOf('postgres'), COMMAND_TIMEOUTS));
  // If the server crashes, the query below fails; without a listener, the event would end the whole process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const database of databases) {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
      if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)} template template0`);
    }
  } finally {
    await client.end();
  }
}

/** Writes a checkpoint ahead of the shutdown, which would otherwise take seconds on a busy disk. Never throws. */
export async function writeCheckpoint(urlOf: (database: string) => string): Promise<void> {
  const client = new pg.Client({
    ...connectionConfig(urlOf('postgres'), COMMAND_TIMEOUTS),
    connectionTimeoutMillis: 3_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('checkpoint');
  } catch {
    // The shutdown does it instead.
  } finally {
    await client.end().catch(() => undefined);
  }
}
