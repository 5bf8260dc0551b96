import type pg from 'pg';
import { APPLICATION } from './connection-config.ts';

/** Lets only processes of this generation or later use the database. */
export async function raiseOldestGeneration(client: pg.Client, generation: number): Promise<void> {
  await client.query('update service_clock set oldest_generation = $1 where oldest_generation < $1', [generation]);
}

/** Behind a pooler, the connections of an old process may have the name of a new one, so all count. */
export async function countOtherConnections(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.length;
}

/**
 * Ends connections of older generations. A process that was frozen before it noticed the change would otherwise send
 * its next statement on one of them.
 */
export async function endOlderConnections(client: pg.Client, generation: number): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename = current_user
        and (application_name = 'seathold' or (application_name ~ ('^' || $1::text || '\\d+$')
          and substr(application_name, length($1::text) + 1)::integer < $2::integer))`,
    [APPLICATION, generation],
  );
}
