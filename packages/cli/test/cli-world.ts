import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../server/src/http/listener/index.ts';
import { ensureLocalCertificate } from '../../server/src/security/index.ts';
import { createTest } from '../../server/test/harness/fixtures.ts';
import type { TestApp, TestOptions } from '../../server/test/harness/index.ts';

const LAUNCHER = createRequire(import.meta.url).resolve('seathold/bin/seathold.js');

/** What a command printed, and how it exited. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How a command is started. Its environment holds only these variables and what any process needs. */
export interface RunOptions {
  stdin?: string | Buffer;
  env?: Readonly<Record<string, string>>;
}

/** A running command. */
export interface Running {
  child: ChildProcess;
  /** What it has printed so far. */
  output: Result;
  /** Resolves when its output contains the text this many times. Throws if the command exits first. */
  until(text: string, times?: number): Promise<void>;
  ended: Promise<Result>;
}

/** A service over HTTPS with its own certificate authority, and a folder in which people run the command. */
export interface CliWorld {
  app: TestApp;
  baseUrl: string;
  /** The folder that commands are run in. */
  folder: string;
  /** The authority's certificate. */
  caPath: string;
  /** Where the command keeps credentials. */
  credentialsPath: string;
  start(words: readonly string[], options?: RunOptions): Running;
  run(words: readonly string[], options?: RunOptions): Promise<Result>;
  /** The same, while the service runs its jobs. */
  runWithJobs(words: readonly string[], options?: RunOptions): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Vitest's `it` with the command: `app` serves it, `world` is where people run it, and `env` is what an operator's
 * commands need.
 */
export function createCliTest(options?: TestOptions) {
  return createTest(options)
    .extend('world', { scope: 'file' }, async ({ app }, { onCleanup }) => {
      const world = await startCliWorld(app);
      onCleanup(() => world.close());
      return world;
    })
    .extend('env', { scope: 'file' }, ({ app, sandbox }) => ({
      DATABASE_URL: app.databaseUrl,
      SANDBOX_DATABASE_URL: sandbox.databaseUrl,
      SEATHOLD_MASTER_KEY: randomBytes(32).toString('base64'),
    }));
}

async function startCliWorld(app: TestApp): Promise<CliWorld> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'seathold-cli-')));
  // Where `npm start` puts it, so that the command finds it on its own.
  const certificate = await ensureLocalCertificate({
    dir: join(folder, 'data', 'tls'),
    hostnames: ['localhost'],
    now: new Date(),
  });
  const { service } = app;
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    cert: certificate.certPem,
    key: certificate.keyPem,
    handler: (request, response) => service.handle(request as IncomingMessage, response as ServerResponse),
    onPlainHttp: service.handlePlain,
    onClientError: service.answerClientError,
  });
  const children = new Set<ChildProcess>();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const start = (words: readonly string[], { stdin = '', env = {} }: RunOptions = {}) => {
    const child = spawn(process.execPath, [LAUNCHER, ...words], {
      cwd: folder,
      env: { PATH, NODE_COMPILE_CACHE, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env },
      stdio: 'pipe',
    });
    children.add(child);
    child.once('close', () => children.delete(child));
    // A command that exits without reading breaks the pipe.
    child.stdin.on('error', () => undefined).end(stdin);
    return follow(child);
  };
  const run = (words: readonly string[], runOptions?: RunOptions) => start(words, runOptions).ended;
  return {
    app,
    baseUrl: `https://localhost:${listener.port}`,
    folder,
    caPath: certificate.caPath,
    credentialsPath: join(folder, 'config', 'seathold', 'credentials.json'),
    start,
    run,
    runWithJobs: async (words, runOptions) => {
      const { child, ended } = start(words, runOptions);
      while (children.has(child)) {
        await app.runJobs();
        await sleep(20);
      }
      return ended;
    },
    close: async () => {
      for (const child of children) {
        child.kill('SIGKILL');
      }
      await listener.close(0);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Collects what a command prints. */
function follow(child: ChildProcessWithoutNullStreams): Running {
  const output: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(() => {
    output.code = child.exitCode;
    return output;
  });
  const until = async (text: string, times = 1) => {
    for (const deadline = performance.now() + PATIENCE_MS; output.stdout.split(text).length <= times; await sleep(20)) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`it did not print ${text} ${times} time(s):\n${output.stdout}${output.stderr}`);
      }
    }
  };
  return { child, output, until, ended };
}

/** Only ever ends a hang. */
const PATIENCE_MS = 300_000;
