import type { ClientConfig } from 'pg';
import { GENERATION } from './generation.ts';

/** The timeouts that PostgreSQL enforces on a connection, in milliseconds; 0 means none. */
export interface Timeouts {
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

/**
 * For requests and jobs. PostgreSQL gives up before the driver does (6 s), to tell a slow statement from a silent network,
 * and to stop a statement whose client is gone.
 */
export const SERVICE_TIMEOUTS: Timeouts = { statementMs: 5_000, lockMs: 4_000, idleInTransactionMs: 5_000 };

/** For an operator's command, which may read a whole table; it holds locks no longer than the service does. */
export const COMMAND_TIMEOUTS: Timeouts = { statementMs: 60_000, lockMs: 4_000, idleInTransactionMs: 5_000 };

/**
 * A migration may rewrite a large table, and waits for the one that another process runs. Its lock on a table is waited for
 * just as long; what queues up behind it gives up by its own timeouts.
 */
export const MIGRATION_TIMEOUTS: Timeouts = { statementMs: 0, lockMs: 60_000, idleInTransactionMs: 60_000 };

/** How PostgreSQL lists our connections, followed by the generation. */
export const APPLICATION = 'seathold generation ';

/**
 * How to connect with these timeouts. They are start-up options, so each connection has them from its first statement, and
 * none costs a round trip. They follow the options of the URL itself, and so override them.
 */
export function connectionConfig(url: string, timeouts: Timeouts): ClientConfig {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  // The driver would prefer the address's options to those next to it.
  parsed.searchParams.delete('options');
  const ours = [
    `-c statement_timeout=${timeouts.statementMs}`,
    `-c lock_timeout=${timeouts.lockMs}`,
    `-c idle_in_transaction_session_timeout=${timeouts.idleInTransactionMs}`,
  ];
  return {
    connectionString: given === null ? url : parsed.href,
    options: [...(given === null ? [] : [given]), ...ours].join(' '),
    // By it a migration finds the connections of processes that are too old for what it does.
    application_name: `${APPLICATION}${GENERATION}`,
  };
}
