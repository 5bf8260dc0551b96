import type { ClientConfig } from 'pg';
import { GENERATION } from './generation.ts';

/** The timeouts that PostgreSQL enforces on a connection, in milliseconds; 0 means none. */
export interface Timeouts {
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

/**
 * For requests and jobs. PostgreSQL times out before the driver (6 s), to distinguish a slow statement from a silent
 * network, and to stop a statement whose client is gone.
 */
export const SERVICE_TIMEOUTS: Timeouts = { statementMs: 5_000, lockMs: 4_000, idleInTransactionMs: 5_000 };

/** For an operator's command, which may read a whole table; it holds locks no longer than the service. */
export const COMMAND_TIMEOUTS: Timeouts = { statementMs: 60_000, lockMs: 4_000, idleInTransactionMs: 5_000 };

/**
 * A migration may rewrite a large table, and waits for one that another process runs. It waits as long for its lock on
 * a table; statements that queue behind it fail by their own timeouts.
 */
export const MIGRATION_TIMEOUTS: Timeouts = { statementMs: 0, lockMs: 60_000, idleInTransactionMs: 60_000 };

/** The application name of our connections, followed by the generation. */
export const APPLICATION = 'seathold generation ';

/**
 * How to connect with these timeouts. They are startup options, so each connection has them from its first statement
 * without a round trip. They follow the options of the URL itself, and so override them.
 */
export function connectionConfig(url: string, timeouts: Timeouts): ClientConfig {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options');
  // The driver would prefer the URL's options to the separate ones.
  parsed.searchParams.delete('options');
  const ours = [
    `-c statement_timeout=${timeouts.statementMs}`,
    `-c lock_timeout=${timeouts.lockMs}`,
    `-c idle_in_transaction_session_timeout=${timeouts.idleInTransactionMs}`,
  ];
  return {
    connectionString: given === null ? url : parsed.href,
    options: [...(given === null ? [] : [given]), ...ours].join(' '),
    // A migration uses it to find the connections of processes that are too old for it.
    application_name: `${APPLICATION}${GENERATION}`,
  };
}
