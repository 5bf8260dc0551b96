import type { Timeouts } from './connection-config.ts';
import type { Queries } from './database.ts';
import { many, statement } from './statement.ts';

/**
 * The connection timeouts that were requested at startup but are not in force, with their actual values: a pooler may
 * drop them.
 */
export async function findMissingTimeouts(database: Queries, expected: Timeouts): Promise<string[]> {
  const rows = await listTimeouts(database);
  const wanted: Readonly<Record<string, number>> = {
    statement_timeout: expected.statementMs,
    lock_timeout: expected.lockMs,
    idle_in_transaction_session_timeout: expected.idleInTransactionMs,
  };
  return rows.flatMap(({ name, milliseconds }) =>
    milliseconds === wanted[name] ? [] : `${name} is ${milliseconds} ms instead of ${wanted[name]} ms`,
  );
}

/** PostgreSQL stores all three in milliseconds, regardless of the unit used. */
const listTimeouts = statement({
  name: 'list_timeouts',
  returns: many<{ name: string; milliseconds: number }>(),
  sql: () => `select name, setting::bigint as milliseconds from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`,
});
