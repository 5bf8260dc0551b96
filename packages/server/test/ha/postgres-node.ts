import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseRuntime, type Runtime, spawnAs } from '../../src/database/embedded-postgres/choose-identity.ts';
import {
  CLUSTER_USER,
  type Cluster,
  giveTo,
  prepareCluster,
} from '../../src/database/embedded-postgres/prepare-cluster.ts';
import { findPostgresIn, waitUntilGone } from '../../src/database/embedded-postgres/process-table.ts';
import { TcpProxy } from '../torture/tcp-proxy.ts';

/**
 * One of several PostgreSQL servers, on its own machine as far as clients can tell: they reach it only through a proxy.
 */
export class PostgresNode {
  readonly name: string;
  readonly proxy: TcpProxy;
  readonly #folder: string;
  readonly #port: number;
  readonly #runtime: Runtime;
  #cluster: Cluster | undefined;

  private constructor(name: string, folder: string, port: number, runtime: Runtime, proxy: TcpProxy) {
    this.name = name;
    this.proxy = proxy;
    this.#folder = folder;
    this.#port = port;
    this.#runtime = runtime;
  }

  static async create(name: string, parent: string, port: number): Promise<PostgresNode> {
    const folder = join(parent, name);
    await mkdir(folder, { mode: 0o711 });
    const proxy = await TcpProxy.start(`postgres://127.0.0.1:${port}/postgres`);
    return new PostgresNode(name, folder, port, await chooseRuntime(folder), proxy);
  }

  /** Creates a new cluster, and starts it as a primary. */
  async startPrimary(): Promise<void> {
    this.#cluster = await prepareCluster(this.#folder, this.#runtime);
    await this.#start();
  }

  /** Copies the running primary, and starts as its standby. */
  async startStandby(primary: PostgresNode): Promise<void> {
    const { password } = primary.#require();
    const dir = join(this.#folder, 'postgres');
    await rm(dir, { recursive: true, force: true });
    const label = await primary.#copyTo(dir);
    await writeFile(join(dir, 'backup_label'), label);
    // Once promoted, the standby must not wait for standbys of its own.
    await writeFile(join(dir, 'postgresql.auto.conf'), `primary_conninfo = '${this.#conninfoOf(primary)}'\n`);
    await writeFile(join(dir, 'standby.signal'), '');
    this.#cluster = { dir, password };
    await giveTo(this.#runtime.identity, dir);
    await this.#start();
  }

  /** Restarts after a kill: a standby continues where it was. */
  async startStandbyAgain(): Promise<void> {
    await rm(join(this.#require().dir, 'postmaster.pid'), { force: true });
    await this.#start();
  }

  /** Makes a standby continue where it is, behind another primary. */
  async follow(primary: PostgresNode): Promise<void> {
    await this.ask(`alter system set primary_conninfo = '${this.#conninfoOf(primary)}'`);
    await this.ask('select pg_reload_conf()');
  }

  /** From now on each commit waits for any one of the standbys. Returns once all of them are able to confirm one. */
  async waitForAnyOf(standbys: readonly PostgresNode[]): Promise<void> {
    const names = standbys.map(({ name }) => `"${name}"`).join(', ');
    await this.ask(`alter system set synchronous_standby_names = 'ANY 1 (${names})'`);
    await this.ask('select pg_reload_conf()');
    while ((await this.ask("select 1 from pg_stat_replication where sync_state = 'quorum'")).length < standbys.length) {
      await sleep(50);
    }
  }

  /** How much of its primary's log a standby has received, in bytes. */
  async receivedBytes(): Promise<number> {
    const [row] = await this.ask<{ bytes: number }>(
      "select coalesce(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn as bytes",
    );
    return Number(row?.bytes ?? 0);
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.ask('select pg_promote()');
  }

  /** Signals all of its processes at the same time, as if the machine were affected. */
  async signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const pids = await findPostgresIn(this.#require().dir);
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just exited.
      }
    }
    if (signal === 'SIGKILL') {
      await waitUntilGone(pids, 10_000);
    }
  }

  /** The URL through which clients reach a database here. */
  urlOf(database: string): string {
    return this.proxy.through(this.#directUrl(database));
  }

  /** Queries the server directly, whatever happened to the proxy. */
  async ask<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    database = 'postgres',
  ): Promise<Row[]> {
    return askAt<Row>(this.#directUrl(database), text, values);
  }

  /** Whether it answers a client within half a second. */
  async answers(): Promise<boolean> {
    return askAt(this.urlOf('postgres'), 'select 1', [], 500).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    if (this.#cluster !== undefined) {
      await this.signal('SIGKILL');
    }
    this.proxy.close();
  }

  #require(): Cluster {
    if (this.#cluster === undefined) {
      throw new Error(`${this.name} was not started yet`);
    }
    return this.#cluster;
  }

  /** How it connects to its primary, which knows it by its name. */
  #conninfoOf(primary: PostgresNode): string {
    const { password } = primary.#require();
    return `host=127.0.0.1 port=${primary.#port} user=${CLUSTER_USER} password=${password} application_name=${this.name}`;
  }

  #directUrl(database: string): string {
    const { password } = this.#require();
    return `postgres://${CLUSTER_USER}:${password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** Takes a PostgreSQL backup by hand. Returns the label that the copy needs. */
  async #copyTo(target: string): Promise<string> {
    const source = this.#require().dir;
    const client = new pg.Client({ connectionString: this.#directUrl('postgres') });
    await client.connect();
    try {
      await client.query("select pg_backup_start('standby', true)");
      // The log is streamed, and files of the running server are not copied.
      const isWanted = (path: string) => !/\/(?:postmaster\.(?:pid|opts)|pg_wal\/.*)$/.test(path);
      await cp(source, target, { recursive: true, filter: isWanted });
      await mkdir(join(target, 'pg_wal', 'archive_status'), { recursive: true, mode: 0o700 });
      await mkdir(join(target, 'pg_wal', 'summaries'), { recursive: true, mode: 0o700 });
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      return rows[0]?.labelfile ?? '';
    } finally {
      await client.end();
    }
  }

  async #start(): Promise<void> {
    const { dir } = this.#require();
    const settings = { ...SETTINGS, port: String(this.#port) };
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { binaries, identity } = this.#runtime;
    const child = spawnAs(identity, binaries.postgres, ['-D', dir, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: '/',
    });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-4_000);
    });
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(50)) {
      const isUp = await this.ask('select 1').catch(() => undefined);
      if (isUp !== undefined) {
        return;
      }
    }
    throw new Error(`${this.name} did not start:\n${complaint}`);
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  wal_keep_size: '1GB',
  log_min_messages: 'log',
  lc_messages: 'C',
};

async function askAt<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[],
  withinMs = 10_000,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    void client.end().catch(() => undefined);
  }
}
