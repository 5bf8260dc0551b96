import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, fetch, type Response } from 'undici';
import { findFreePort } from '../find-free-port.ts';

/** The command of the repository, on the Node.js that runs this. */
const COMMAND: readonly string[] = [process.execPath, fileURLToPath(import.meta.resolve('seathold/bin/seathold.js'))];
const START_LIMIT_MS = 120_000;
/** How many characters of an unexpected answer are shown. */
const SHOWN = 500;

export interface CallOptions {
  token?: string;
  body?: unknown;
  /** Where it must be this one; by default any that means success. */
  status?: number;
}

export interface FreshServiceOptions {
  /** What starts `seathold`: a program and its first arguments. */
  command?: readonly string[];
  settings?: Readonly<Record<string, string>>;
}

export interface Answer {
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: each step says what it expects of an answer.
  data: any;
}

/** A service that was started as `npm start` does it, on ports of its own and with its data in a new folder. */
export class FreshService {
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #settings: Readonly<Record<string, string>>;
  readonly #children = new Set<ChildProcess>();
  readonly #service: ChildProcess;
  #agent: Agent | undefined;
  /** What the service printed so far. */
  printed = '';

  private constructor(
    folder: string,
    [port, sandboxPort]: readonly [number, number],
    { command = COMMAND, settings = {} }: FreshServiceOptions,
  ) {
    this.#folder = folder;
    this.#command = command;
    this.#settings = {
      ...settings,
      SEATHOLD_DATA_DIR: join(folder, 'data'),
      SEATHOLD_PORT: String(port),
      SEATHOLD_SANDBOX_PORT: String(sandboxPort),
      SEATHOLD_DRAIN_SECONDS: '0',
    };
    this.#service = this.spawn(['serve'], {}, (chunk) => {
      this.printed += chunk;
    });
  }

  static async start(folder: string, options: FreshServiceOptions = {}): Promise<FreshService> {
    return new FreshService(folder, [await findFreePort(), await findFreePort()], options);
  }

  get productionUrl(): string {
    return `https://localhost:${this.#settings.SEATHOLD_PORT}`;
  }

  get sandboxUrl(): string {
    return `https://localhost:${this.#settings.SEATHOLD_SANDBOX_PORT}`;
  }

  /** The token and license of the demonstration, as the first start printed them. */
  get demonstration(): { token: string; licenseKey: string } {
    return {
      token: find(this.printed, /API token\s+(svc_test_\w+)/),
      licenseKey: find(this.printed, /license\s+((?:[0-9A-Z]{5}-){3}[0-9A-Z]{5})/),
    };
  }

  /** Waits for the last words that a start prints; by default those of the first one. */
  async ready(lastWords = /seathold webhooks listen/): Promise<void> {
    const until = performance.now() + START_LIMIT_MS;
    while (!lastWords.test(this.printed)) {
      if (this.#service.exitCode !== null || performance.now() > until) {
        throw new Error(`the service is not ready; its exit code is ${this.#service.exitCode}`);
      }
      await sleep(50);
    }
    const ca = await readFile(join(this.#folder, 'data', 'tls', 'ca.pem'), 'utf8');
    this.#agent = new Agent({ connect: { ca } });
  }

  /**
   * Calls the API or loads a page; throws when the status is not the expected one. On a busy machine, a request may take
   * longer than the service allows it. It is then repeated, as by any client.
   */
  async call(method: string, url: string, { token, body, status }: CallOptions = {}): Promise<Answer> {
    const request = {
      method,
      ...(this.#agent === undefined ? {} : { dispatcher: this.#agent }),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const until = performance.now() + START_LIMIT_MS;
    let response = await fetch(url, request);
    while (response.status !== status && isUndecided(response) && performance.now() < until) {
      await response.arrayBuffer();
      await sleep(1_000);
      response = await fetch(url, request);
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    const isExpected = status === undefined ? response.ok : response.status === status;
    if (!isExpected) {
      throw new Error(`${method} ${url} answered ${response.status}: ${bytes.toString().slice(0, SHOWN)}`);
    }
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { bytes, data: isJson ? JSON.parse(bytes.toString()).data : undefined };
  }

  /** Runs `seathold …` beside the service. Throws when it fails. */
  async run(words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.print(words, variables);
  }

  /** The same, and returns what it printed. */
  async print(words: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<string> {
    let printed = '';
    const child = this.spawn(words, variables, (chunk) => {
      printed += chunk;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) {
      throw new Error(`seathold ${words.join(' ')} ended with ${code}: ${printed}`);
    }
    return printed;
  }

  /** Starts `seathold …`, which runs until it ends or `kill` is called. */
  spawn(
    words: readonly string[],
    variables: Readonly<Record<string, string>>,
    onOutput: (chunk: Buffer) => void,
  ): ChildProcess {
    const home = { HOME: this.#folder, XDG_CONFIG_HOME: join(this.#folder, 'config') };
    const [program = '', ...first] = this.#command;
    const child = spawn(program, [...first, ...words], {
      cwd: this.#folder,
      env: { ...process.env, ...home, ...this.#settings, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    return child;
  }

  /** Stops it as Ctrl-C does. Throws when it does not end in order. */
  async stop(): Promise<void> {
    const closed = once(this.#service, 'close');
    this.#service.kill('SIGINT');
    const [code] = await closed;
    if (code !== 0) {
      throw new Error(`the service ended with ${code}`);
    }
  }

  /** Ends whatever still runs. */
  async kill(): Promise<void> {
    await this.#agent?.destroy();
    const closed = [...this.#children].map((child) => once(child, 'close'));
    for (const child of this.#children) {
      child.kill('SIGKILL');
    }
    await Promise.all(closed);
  }
}

/** Whether to ask again: the service was too busy, or still works on the same request. */
function isUndecided({ status, headers }: Response): boolean {
  return (status === 503 || status === 409) && headers.has('retry-after');
}

function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) {
    throw new Error(`the first start did not print ${pattern}`);
  }
  return found;
}
