import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../../tools/find-free-port.ts';

/** The installed command. The server itself knows nothing about it. */
const LAUNCHER = createRequire(import.meta.url).resolve('seathold/bin/seathold.js');

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A real `seathold serve` in its own process, as an operator runs it. */
export class ServerProcess {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly ended: Promise<Ending>;
  readonly #child: ChildProcess;
  #output = '';
  #errorLines: string[] = [];

  constructor(child: ChildProcess, settings: Readonly<Record<string, string>>) {
    this.#child = child;
    this.settings = settings;
    this.baseUrl = `https://127.0.0.1:${settings.SEATHOLD_PORT}`;
    this.dataDir = settings.SEATHOLD_DATA_DIR ?? '';
    this.ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The newest part of what it printed and logged. */
  get output(): string {
    return this.#output;
  }

  /** The log's lines of level error or worse: defects of the service by definition. */
  get faults(): readonly string[] {
    return this.#errorLines;
  }

  /** Resolves when it reports that it is ready. Throws with its output if it exits first. */
  async untilReady(sign = 'Seathold is ready.'): Promise<this> {
    for (const deadline = performance.now() + START_MS; performance.now() < deadline; await sleep(20)) {
      if (this.#output.includes(sign)) {
        return this;
      }
      if (!this.isRunning) {
        throw new Error(`seathold serve ended before it was ready:\n${this.#output}`);
      }
    }
    throw new Error(`seathold serve was not ready in time:\n${this.#output}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the exit. */
  async end(signal: NodeJS.Signals): Promise<Ending> {
    this.#child.kill(signal);
    return this.ended;
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-KEPT_CHARACTERS);
    this.#errorLines.push(...text.split('\n').filter((line) => /^\{"level":(?:50|60)\b/.test(line)));
  }
}

/** Only ever ends a hang. */
const START_MS = 300_000;
const KEPT_CHARACTERS = 100_000;
const running = new Set<ServerProcess>();

/** Starts the service without waiting. Its environment contains only `settings` and what any process needs. */
export function launchServer(
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = ['serve'],
  launcher = LAUNCHER,
) {
  const inherited = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]] as const),
  );
  const child = spawn(process.execPath, [launcher, ...words], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = new ServerProcess(child, settings);
  running.add(server);
  void server.ended.then(() => running.delete(server));
  return server;
}

/** The same, but waits until it is ready. */
export function startServer(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  return launchServer(settings).untilReady();
}

/** Stops everything that a test left running. */
export async function endServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.end('SIGKILL')));
}

/** The settings of a server under test: cheap passwords, no rate limits, short heartbeats, its own ports. */
export async function serverSettings(own: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  return {
    SEATHOLD_HOST: '127.0.0.1',
    SEATHOLD_PORT: String(port),
    SEATHOLD_SANDBOX_PORT: String(sandboxPort),
    SEATHOLD_BASE_URL: 'https://api.test',
    SEATHOLD_RATE_LIMITS: 'off',
    SEATHOLD_ARGON2: 'm=1024,t=1,p=1',
    SEATHOLD_ACCESS_TOKEN_TTL: '86400',
    SEATHOLD_LOG_LEVEL: 'warn',
    // There is no load balancer in front of servers under test. Tests of draining set another value.
    SEATHOLD_DRAIN_SECONDS: '0',
    SEATHOLD_HEARTBEAT_INTERVAL: '1',
    ...own,
  };
}

export function newMasterKey(): string {
  return randomBytes(32).toString('base64');
}

/** The certificate authority that a server created for itself. */
export function readAuthority(dataDir: string): Promise<string> {
  return readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8');
}
