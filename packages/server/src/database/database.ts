import pg from 'pg';
import { tracing } from '../tracing/index.ts';
import { connectionConfig, SERVICE_TIMEOUTS, type Timeouts } from './connection-config.ts';
import { DatabaseHosts } from './database-hosts.ts';
import {
  DatabaseUnavailable,
  isDemotion,
  isRetryable,
  isSilence,
  reasonOf,
  translateError,
  unknownIfLost,
} from './errors.ts';
import type { Standing } from './standing.ts';
import type { Executor, PreparedStatement, StatementResult } from './statement.ts';

/** The operations on the database, inside or outside a transaction. */
export interface Queries extends Executor {
  /** Whether this is already a transaction: batches are only used outside one. */
  readonly inTransaction: boolean;

  /**
   * Runs `body` in one transaction, READ COMMITTED, and retries if PostgreSQL requires it (40001, 40P01), so the body
   * must have no side effects except its statements. Inside a transaction it joins that one.
   */
  transaction<T>(body: (tx: Queries) => Promise<T>): Promise<T>;

  /** Calls back after the commit, or immediately outside a transaction. Never after a rollback. */
  afterCommit(act: () => void): void;
}

export interface PoolLimits {
  connections: number;
  /** Requests that may wait for a connection; more get a 503 immediately. */
  maxWaiting: number;
  /** The timeouts that PostgreSQL enforces on each connection; those of the service by default. */
  timeouts?: Timeouts;
  /** Whether PostgreSQL prepares statements by name for later calls; true by default. */
  preparesStatements?: boolean;
  /** Every query is refused until `admitQueries` is called, because the schema has not been checked yet. */
  isClosedAtFirst?: boolean;
  /**
   * How long to wait for a connection and a response, in milliseconds; tests wait longer because the machine may be
   * busy.
   */
  patienceMs?: number;
  /** Whether the process may use the database, shared by its pools; without it, nothing is checked. */
  standing?: Standing;
}

/** The same timeout for everything that PostgreSQL enforces. */
function allOf(patienceMs: number): Timeouts {
  return { statementMs: patienceMs, lockMs: patienceMs, idleInTransactionMs: patienceMs };
}

/** One PostgreSQL database and the connections to it. */
export class Database implements Queries {
  readonly inTransaction = false;
  readonly #pool: pg.Pool;
  readonly #hosts: DatabaseHosts;
  readonly #preparesStatements: boolean;
  readonly #maxWaiting: number;
  readonly #patienceMs: number;
  readonly #standing: Standing | undefined;
  readonly #connectedAt = new WeakMap<pg.ClientBase, number>();
  /** When a statement last got no response, or was refused by a host that no longer accepts writes. */
  #silentAt = Number.NEGATIVE_INFINITY;
  #isClosing = false;
  #isClosedToQueries: boolean;

  constructor(url: string, limits: PoolLimits, onIdleError: (error: Error) => void) {
    this.#maxWaiting = limits.maxWaiting;
    this.#standing = limits.standing;
    this.#isClosedToQueries = limits.isClosedAtFirst === true;
    const { timeouts = limits.patienceMs === undefined ? SERVICE_TIMEOUTS : allOf(limits.patienceMs) } = limits;
    const patienceMs = limits.patienceMs ?? 3_000;
    const hosts = new DatabaseHosts(url);
    this.#patienceMs = patienceMs;
    this.#hosts = hosts;
    this.#preparesStatements = limits.preparesStatements ?? true;
    this.#pool = new pg.Pool({
      Client: class extends pg.Client {
        constructor(options?: pg.ClientConfig) {
          const connectionTimeoutMillis = hosts.patienceOf(patienceMs);
          super({ ...options, ...connectionConfig(hosts.current, timeouts), connectionTimeoutMillis });
        }
      },
      max: limits.connections,
      connectionTimeoutMillis: patienceMs,
      // Including the wait for a new connection, a request is answered within 10 s if the network fails silently.
      query_timeout: limits.patienceMs ?? timeouts.statementMs + 1_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      types: { getTypeParser },
    });
    this.#pool.on('error', (error) => (this.#isClosing ? undefined : onIdleError(error)));
    // The pool only listens while a connection is idle. One that breaks between two statements of a transaction would
    // end the process without its own listener; the next statement on it fails and reports the error.
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      this.#connectedAt.set(client, performance.now());
    });
  }

  async execute(statement: PreparedStatement, values: readonly unknown[]): Promise<StatementResult> {
    return retrying(this.#patienceMs, () => {
      if (statement.isHeldBack === true) {
        this.#standing?.requireWrites();
        return this.#withConnection((client) => knowing(this.#asker(client)(statement, values)));
      }
      return this.#withConnection((client) => this.#asker(client)(statement, values));
    });
  }

  async transaction<T>(body: (tx: Queries) => Promise<T>): Promise<T> {
    return retrying(this.#patienceMs, () => {
      this.#standing?.requireWrites();
      return this.#withConnection((client) => runTransaction(client, this.#asker(client), body));
    });
  }

  afterCommit(act: () => void): void {
    act();
  }

  /** Why queries would fail, as far as known without a query. */
  whyNotReady(): string | undefined {
    return this.#standing?.whyNotReady();
  }

  /** The state of the pool, for metrics. */
  get poolState(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#pool.end();
  }

  /** Ends the refusal that `isClosedAtFirst` requests. Until then each query fails as if the database were down. */
  admitQueries(): void {
    this.#isClosedToQueries = false;
  }

  #asker(client: pg.PoolClient): Ask {
    return ({ name, text, isPlannedOnEachCall }, values) => {
      const prepared = isPlannedOnEachCall === true || !this.#preparesStatements ? { text } : { name, text };
      const traces = tracing();
      return traces === undefined
        ? ask(client, prepared, values)
        : traces.traceStatement(name, () => ask(client, prepared, values));
    };
  }

  async #withConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (this.#isClosedToQueries) {
      throw new DatabaseUnavailable('its schema is not up to date yet');
    }
    if (this.#pool.waitingCount >= this.#maxWaiting) {
      throw new DatabaseUnavailable('too many requests are waiting for a connection');
    }
    const client = await this.#connect();
    let broken: unknown;
    try {
      await this.#standing?.require(client);
      return await work(client);
    } catch (error) {
      if (error instanceof pg.DatabaseError) {
        // Its own stack leads to the socket. This one leads to the code that sent the statement.
        Error.captureStackTrace(error);
      }
      const translated = translateError(error);
      broken = translated instanceof DatabaseUnavailable ? translated : undefined;
      if (translated instanceof DatabaseUnavailable && (isSilence(error) || isDemotion(error))) {
        this.#silentAt = performance.now();
      }
      throw translated;
    } finally {
      client.release(broken !== undefined);
    }
  }

  /**
   * A connection of the pool or a new one. If a statement got no response, the network has failed silently or
   * PostgreSQL has moved to another machine: every older connection would cost its request the same wait, so none is
   * used again.
   */
  async #connect(): Promise<pg.PoolClient> {
    try {
      for (;;) {
        const client = await this.#hosts.connect(
          () => this.#pool.connect(),
          (refused) => refused.release(true),
        );
        if ((this.#connectedAt.get(client) ?? 0) >= this.#silentAt && !this.#hosts.isOutrun(client)) {
          return client;
        }
        client.release(true);
      }
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

const MAX_ATTEMPTS = 10;

/**
 * Retries a statement or transaction if PostgreSQL requires it, after a full rollback. No attempt begins after
 * `withinMs`, so that even with the longest attempt a request is answered within 10 s.
 */
async function retrying<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) {
        throw error;
      }
      if (attempt >= MAX_ATTEMPTS || performance.now() - startedAt > withinMs) {
        throw new DatabaseUnavailable('transactions keep conflicting with each other', error);
      }
    }
  }
}

/** Any failure to connect means that the database is unavailable, even a refused password. */
function asUnavailable(error: unknown): DatabaseUnavailable {
  return error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(reasonOf(error), error);
}

async function runTransaction<T>(client: pg.PoolClient, execute: Ask, body: (tx: Queries) => Promise<T>): Promise<T> {
  const committed: Array<() => void> = [];
  const tx: Queries = {
    inTransaction: true,
    afterCommit: (act) => void committed.push(act),
    execute,
    transaction: (inner) => inner(tx),
  };
  // The first statement is queued right after BEGIN without waiting for its response, which saves one turn of the event
  // loop.
  const begun = client.query('begin');
  try {
    const [, result] = await Promise.all([begun, body(tx)]);
    await knowing(client.query('commit'));
    for (const act of committed) {
      act();
    }
    return result;
  } catch (error) {
    // A broken or silent connection is discarded, which also rolls back, without waiting for a response.
    if (!(translateError(error) instanceof DatabaseUnavailable)) {
      await client.query('rollback').catch(() => undefined);
    }
    throw error;
  }
}

/** Determines whether a failed write or commit may have taken effect. */
async function knowing<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw unknownIfLost(error);
  }
}

type Ask = (statement: PreparedStatement, values: readonly unknown[]) => Promise<StatementResult>;

/** Makes the query itself, because `pg` copies a given configuration property by property, which takes longer. */
function ask(
  client: pg.PoolClient,
  { name, text }: { name?: string; text: string },
  values: readonly unknown[],
): Promise<StatementResult> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementResult>();
  const query: pg.Query & { name?: string | undefined } = new pg.Query(text, values as unknown[], (error, result) =>
    error ? reject(error) : resolve({ rows: result.rows, rowCount: result.rowCount ?? 0 }),
  );
  query.name = name;
  client.query(query);
  return promise;
}

/** 64-bit integers come as numbers: nothing we count or store in milliseconds exceeds 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);
}
