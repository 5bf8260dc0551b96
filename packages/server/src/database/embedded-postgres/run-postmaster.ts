import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './choose-address.ts';
import { type Runtime, spawnAs } from './choose-identity.ts';

export interface PostmasterOptions {
  runtime: Runtime;
  clusterDir: string;
  address: Address;
  settings: Record<string, string>;
  isDurable: boolean;
  log: (message: string, fields?: object) => void;
}

export interface Postmaster {
  readonly pid: number;
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>;
}

/** Starts a PostgreSQL server and resolves when it accepts connections, after recovery; throws if it ends before. */
export async function runPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { runtime, clusterDir } = options;
  const args = ['-D', clusterDir, ...formatSettings(options)];
  const child = spawnAs(runtime.identity, runtime.binaries.postgres, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
  });
  const recentLines: string[] = [];
  forwardLog(child, recentLines, options.log);
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      hasEnded = true;
      resolve(reason);
    };
    child.once('error', (error) => end(error.message));
    // Not 'close': backends that outlive a killed postmaster keep its stderr open, and the restart must not wait for
    // them.
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const { pid } = child;
  while (!hasEnded) {
    if (pid !== undefined && (await isReady(clusterDir, pid))) return { pid, ended };
    await Promise.race([ended, sleep(10)]);
  }
  // The last lines may still be in the pipe when the exit is announced.
  await sleep(20);
  throw new Error(`The embedded PostgreSQL did not start (${await ended}):\n${recentLines.join('\n')}`);
}

/** pg_ctl looks at the same line: the postmaster writes its state into its lock file, starting, ready or stopping. */
async function isReady(clusterDir: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

function formatSettings({ address, settings, isDurable }: PostmasterOptions): string[] {
  const usesSocket = address.host.startsWith('/');
  const durability = isDurable ? 'on' : 'off';
  const all: Record<string, string> = {
    max_connections: '100',
    shared_buffers: '128MB',
    // Statements here are short: compiling them, or sharing one among several processes, costs more than it gains.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    // A process frozen in a transaction must not hold a row, and with it all heartbeats, for long.
    idle_in_transaction_session_timeout: '5s',
    lock_timeout: '4s',
    // The default is one minute. The planner learns about the tables of a new installation sooner, but each run of an idle
    // server costs about 9 ms per database.
    autovacuum_naptime: '30s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // ERROR is below LOG: unique violations are routine, and their text contains customers' data.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...settings,
    logging_collector: 'off',
    log_destination: 'stderr',
    lc_messages: 'C',
    port: String(address.port),
    listen_addresses: usesSocket ? '' : address.host,
    unix_socket_directories: usesSocket ? `"${address.host}"` : '',
    unix_socket_permissions: '0700',
    // Acknowledged writes must survive a power failure, so these three cannot be overridden.
    fsync: durability,
    synchronous_commit: durability,
    full_page_writes: durability,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Forwards what an operator should see, and keeps the last lines for the error of a failed start. */
function forwardLog(child: ChildProcess, recentLines: string[], log: PostmasterOptions['log']): void {
  if (child.stderr === null) return;
  const isNotable = /\b(FATAL|PANIC|WARNING):|was terminated by signal|was not properly shut down/;
  // A client that connects too early and one that is disconnected by a shutdown are both expected.
  const isExpected = /the database system is (starting up|shutting down)|due to administrator command/;
  createInterface({ input: child.stderr }).on('line', (line) => {
    recentLines.push(line);
    if (recentLines.length > 30) recentLines.shift();
    if (isNotable.test(line) && !isExpected.test(line)) log('the embedded PostgreSQL reports', { line });
  });
}
