import pg from 'pg';
import { tracing } from '../tracing/index.ts';
import { connectionConfig, SERVICE_TIMEOUTS, type Timeouts } from './connection-config.ts';
import { DatabaseHosts } from './database-hosts.ts';
import { DatabaseUnavailable, isDemotion, isRetryable, isSilence, translateError, unknownIfLost } from './errors.ts';
import type { Standing } from './standing.ts';
import type { Executor, PreparedStatement, StatementResult } from './statement.ts';

/** What can be asked of the database, inside a transaction or outside one. */
export interface Queries extends Executor {
  /** Whether this is a transaction already: batches are for those who bring none. */
  readonly inTransaction: boolean;

  /**
   * Runs `body` in one transaction, READ COMMITTED, and again when PostgreSQL asks for it (40001, 40P01): the body has no
   * side effects but its statements. Inside a transaction it joins that one.
   */
  transaction<T>(body: (tx: Queries) => Promise<T>): Promise<T>;

  /** Calls back when what was written is committed: after the transaction, or at once outside of one. Never after a rollback. */
  afterCommit(act: () => void): void;
}

export interface PoolLimits {
  connections: number;
  /** Requests that may wait for a connection; more are answered 503 at once. */
  maxWaiting: number;
  /** What PostgreSQL enforces on each connection; the service's own unless said otherwise. */
  timeouts?: Timeouts;
  /** Whether PostgreSQL keeps the statements by name for the next call, as it does unless said otherwise. */
  preparesStatements?: boolean;
  /** Every query is refused until `admitQueries` is called: nobody knows yet whether the schema is ours. */
  isClosedAtFirst?: boolean;
  /** How long a connection and an answer are waited for, in milliseconds; tests wait longer, for the machine may be busy. */
  patienceMs?: number;
  /** What the process knows about its place at the database, shared by its pools; without one, nothing is asked. */
  standing?: Standing;
}

/** The same patience in everything that PostgreSQL enforces. */
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
  /** When a statement last got no answer, or was refused by a host that takes no writes any more. */
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
      // With the wait for a new connection behind it, a request is answered within 10 s when the network falls silent.
      query_timeout: limits.patienceMs ?? timeouts.statementMs + 1_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      types: { getTypeParser },
    });
    this.#pool.on('error', (error) => (this.#isClosing ? undefined : onIdleError(error)));
    // The pool listens only while a connection is idle. One that breaks in a transaction, between two statements, would
    // end the process without a listener of its own; the next statement on it fails and tells.
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

  /** Why queries would fail, as far as it is known without asking. */
  whyNotReady(): string | undefined {
    return this.#standing?.whyNotReady();
  }

  /** How the pool stands, for metrics. */
  get poolState(): { total: number; idle: number; waiting: number } {
    return { total: this.#pool.totalCount, idle: this.#pool.idleCount, waiting: this.#pool.waitingCount };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#pool.end();
  }

  /** Ends the refusal that `isClosedAtFirst` asks for. Until then each query fails as if the database were down. */
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
      throw new DatabaseUnavailable('too many requests wait for a connection');
    }
    const client = await this.#connect();
    let broken: unknown;
    try {
      await this.#standing?.require(client);
      return await work(client);
    } catch (error) {
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
   * A connection of the pool or a new one. When a statement got no answer, the network has fallen silent or PostgreSQL has
   * moved to another machine: every older connection would cost its request the same wait once more, and is not used again.
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
 * Runs a statement or transaction again when PostgreSQL asks for it; everything it did was rolled back. No attempt begins
 * after `withinMs`, so that with the longest one behind it a request is answered within 10 s.
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
        throw new DatabaseUnavailable('transactions keep getting in the way of each other', error);
      }
    }
  }
}

/** Any failure to connect means that the database is away, even a refused password. */
function asUnavailable(error: unknown): DatabaseUnavailable {
  return error instanceof DatabaseUnavailable
    ? error
    : new DatabaseUnavailable(error instanceof Error ? error.message : String(error), error);
}

async function runTransaction<T>(client: pg.PoolClient, execute: Ask, body: (tx: Queries) => Promise<T>): Promise<T> {
  const committed: Array<() => void> = [];
  const tx: Queries = {
    inTransaction: true,
    afterCommit: (act) => void committed.push(act),
    execute,
    transaction: (inner) => inner(tx),
  };
  // The first statement is queued right behind BEGIN instead of waiting for its answer: one turn of the event loop less.
  const begun = client.query('begin');
  try {
    const [, result] = await Promise.all([begun, body(tx)]);
    await knowing(client.query('commit'));
    for (const act of committed) {
      act();
    }
    return result;
  } catch (error) {
    // A connection that is broken or silent is thrown away, which rolls back as well and waits for no answer.
    if (!(translateError(error) instanceof DatabaseUnavailable)) {
      await client.query('rollback').catch(() => undefined);
    }
    throw error;
  }
}

/** Says of a write or commit that fails whether it may have taken effect. */
async function knowing<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw unknownIfLost(error);
  }
}

type Ask = (statement: PreparedStatement, values: readonly unknown[]) => Promise<StatementResult>;

async function ask(
  client: pg.PoolClient,
  statement: { name?: string; text: string },
  values: readonly unknown[],
): Promise<StatementResult> {
  const { rows, rowCount } = await client.query({ ...statement, values: values as unknown[] });
  return { rows, rowCount: rowCount ?? 0 };
}

/** 64-bit integers come as numbers: nothing we count or keep in milliseconds goes past 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);
}
