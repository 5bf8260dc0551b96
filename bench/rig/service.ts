import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { joinDatabases } from '../../packages/server/src/database/index.ts';
import { findFreePort } from '../../tools/find-free-port.ts';
import type { Target } from './load-plan.ts';
import { pinRunning } from './pinning.ts';

/** A service that runs as its users run it: a process of its own on a data folder of its own. */
export interface Service {
  target: Target;
  /** The same process, where it serves the sandbox. */
  sandboxTarget: Target;
  dataDir: string;
  /** Of production. */
  databaseUrl: string;
  /** From the start of the process to the line that says it is ready. */
  startMs: number;
  /** The certificate and key it shows, for a peer that shows the same. */
  tls: { cert: string; key: string };
  /** Stops it and leaves the folder. */
  stop(): Promise<void>;
}

/** An empty data folder in the system's folder for temporary files. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'seathold-bench-'));
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
}

/** Starts the service on a folder, waits until it is ready, and puts it on the contenders' core. */
export async function startService(
  dataDir: string,
  profileDir: string | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir];
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [...profiling, SEATHOLD, 'serve'], {
    // Only what a process needs to run is inherited: settings in the environment of the person who measures must not
    // count.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: process.env.TMPDIR,
      SEATHOLD_DATA_DIR: dataDir,
      SEATHOLD_PORT: String(port),
      SEATHOLD_SANDBOX_PORT: String(sandboxPort),
      SEATHOLD_RATE_LIMITS: 'off',
      SEATHOLD_LOG_LEVEL: 'warn',
      SEATHOLD_DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Also when the bench itself breaks: nothing is left running.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  await readUntilReady(child.stdout);
  const startMs = performance.now() - startedAtMs;
  const pid = child.pid ?? 0;
  pinRunning('contender', pid);
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'server.pem', 'server-key.pem'].map((name) => readFile(join(dataDir, 'tls', name), 'utf8')),
  );
  const urls = await joinDatabases(
    { dataDir, databaseUrl: undefined, sandboxDatabaseUrl: undefined, sandbox: true },
    () => undefined,
  );
  const postgresPid = Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  return {
    target: { port, pid, postgresPid, ca: ca ?? '' },
    sandboxTarget: { port: sandboxPort, pid, postgresPid, ca: ca ?? '' },
    dataDir,
    databaseUrl: urls.production,
    startMs,
    tls: { cert: cert ?? '', key: key ?? '' },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
    },
  };
}

const SEATHOLD = fileURLToPath(new URL('../../packages/cli/bin/seathold.js', import.meta.url));

/** Reads on afterwards, so that the service never waits for us. */
async function readUntilReady(output: NodeJS.ReadableStream): Promise<void> {
  const lines = createInterface({ input: output });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('Seathold is ready') && resolve());
    lines.on('close', () => reject(new Error('the service ended before it was ready')));
  });
}
