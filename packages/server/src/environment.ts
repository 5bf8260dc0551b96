import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from './app.ts';
import type { Config } from './config/index.ts';
import {
  adoptMasterKey,
  Database,
  DatabaseUnavailable,
  type KeyHolder,
  migrate,
  updateServiceClock,
} from './database/index.ts';
import {
  connectRedisLimiter,
  type LeakedTokens,
  type Listener,
  listen,
  MemoryLimiter,
  type Network,
  type RateLimits,
  type RequestLog,
} from './http/index.ts';
import type { Logger } from './log/index.ts';
import { ensureDefaultCatalogue, type WebhookSettings } from './rooms.ts';
import { type MasterKey, TOKEN_PREFIXES } from './security/index.ts';
import { type Role, type RunningWork, startWork } from './worker.ts';

export type EnvironmentName = 'production' | 'sandbox';

/** What production and the sandbox of one process are opened with. */
export interface Opening {
  config: Config;
  limits: Readonly<Record<EnvironmentName, RateLimits>>;
  trustedProxies: readonly Network[];
  webhooks: WebhookSettings;
  role: Role;
  log: Logger;
  requestLog: RequestLog;
  tls: { cert: string; key: string };
  version: string;
  leaks: LeakedTokens;
  /** Aborts at SIGTERM: the service is not ready for new clients any more. */
  draining: AbortSignal;
  /** Aborts when the process is about to stop, which ends long work. */
  stopping: AbortSignal;
  /** Collects cleanup steps, to run in reverse. */
  undo: Array<() => Promise<void>>;
}

/** One environment as it runs in this process. */
export interface RunningEnvironment {
  baseUrl: string;
  database: Database;
  masterKey: MasterKey;
  app: App;
  /** None in a worker, which has no API port. */
  port: number | undefined;
  listener: Listener | undefined;
  /** Its background work, which starts once its database is ready. */
  work: RunningWork | undefined;
  /** Whether it already serves; otherwise it waits for its database and answers 503. */
  isPrepared: boolean;
  /** Resolves when it serves; never, if the process stops first. */
  prepared: Promise<void>;
  /** Starts serving and working. Building an environment takes seconds, so both are built first. */
  start(): Promise<void>;
}

/**
 * Brings an environment's database to where it can be served: its schema, its master key, its catalogue. The first sign
 * of life books the time since the last one as time away, before any request can see a timeout.
 */
export async function prepareDatabase(url: string, holder: KeyHolder, role: Role): Promise<void> {
  await migrate(url);
  const database = new Database(url, { connections: 1, maxWaiting: 10 }, () => undefined);
  try {
    await adoptMasterKey(database, holder.masterKey);
    await holder.follow(database);
    await ensureDefaultCatalogue(database);
    if (role !== 'worker') {
      await updateServiceClock(database);
    }
  } finally {
    await database.close();
  }
}

/** Each busy connection is a PostgreSQL process, and they share its CPUs: the sandbox never has most of them. */
const CONNECTIONS: Readonly<Record<EnvironmentName, { requests: number; deliveries: number }>> = {
  production: { requests: 16, deliveries: 6 },
  sandbox: { requests: 8, deliveries: 4 },
};

/**
 * Opens one environment; `start` lets it listen. Until its database is prepared, each request finds the database away: the
 * port answers 503, `/readyz` tells why, and no job runs. `preparing` is the first attempt; when it fails, others follow.
 */
export async function createEnvironment(
  name: EnvironmentName,
  { url, holder, preparing }: { url: string; holder: KeyHolder; preparing: Promise<void> },
  opening: Opening,
): Promise<RunningEnvironment> {
  const { config, role, undo } = opening;
  const log = opening.log.child({ environment: name });
  const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost');
  const { requests, deliveries } = CONNECTIONS[name];
  const database = new Database(url, { connections: requests, maxWaiting: 2_000, isClosedAtFirst: true }, onIdleError);
  undo.push(() => database.close());
  const deliveryDatabase = new Database(
    url,
    { connections: deliveries, maxWaiting: 1_000, isClosedAtFirst: true },
    onIdleError,
  );
  undo.push(() => deliveryDatabase.close());
  const port = name === 'production' ? config.port : config.sandboxPort;
  const baseUrl = (name === 'production' ? config.baseUrl : config.sandboxUrl) ?? `https://localhost:${port}`;
  const app = await createApp({
    ...opening,
    name,
    baseUrl,
    authUrl: (name === 'production' ? config.authUrl : undefined) ?? `${baseUrl}/oauth`,
    apiTokenPrefix: name === 'production' ? TOKEN_PREFIXES.apiLive : TOKEN_PREFIXES.apiTest,
    database,
    deliveryDatabase,
    masterKey: holder.masterKey,
    limiter:
      config.redisUrl === undefined
        ? new MemoryLimiter()
        : await connectRedisLimiter({ url: config.redisUrl, log, keyPrefix: `seathold:${name}:` }),
    limits: opening.limits[name],
    webhookSettings: opening.webhooks,
    log,
    deliversHere: role !== 'api',
  });
  undo.push(() => app.close());
  if (role !== 'worker') {
    await app.prepareDocuments();
  }
  const environment: RunningEnvironment = {
    baseUrl,
    database,
    masterKey: holder.masterKey,
    app,
    port: undefined,
    listener: undefined,
    work: undefined,
    isPrepared: false,
    prepared: Promise.resolve(),
    start: () => Promise.resolve(),
  };
  const begin = () => {
    database.admitQueries();
    deliveryDatabase.admitQueries();
    environment.isPrepared = true;
    environment.work = startWork(database, { jobs: app.jobs, log, holder, watch: app.jobWatch }, role);
  };
  environment.start = async () => {
    const again = () => prepareDatabase(url, holder, role);
    environment.prepared = prepareUntilDone(preparing, again, opening, log).then(begin);
    environment.prepared.catch(() => undefined);
    // What is prepared already serves from its first request on.
    await Promise.race([environment.prepared, sleep(0)]).catch(() => undefined);
    environment.listener = role === 'worker' ? undefined : await startListener(app, config, port, opening.tls);
    environment.port = environment.listener?.port;
  };
  return environment;
}

/** Retries, less and less often, until it succeeds. Rejects only if the process stops first. */
async function prepareUntilDone(
  first: Promise<void>,
  again: () => Promise<void>,
  { stopping }: Opening,
  log: Logger,
): Promise<void> {
  let preparing = first;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await preparing;
      stopping.throwIfAborted();
      return;
    } catch (error) {
      stopping.throwIfAborted();
      const level = error instanceof DatabaseUnavailable ? 'warn' : 'error';
      log[level]({ err: error }, 'could not prepare the database; will retry, and answer requests with 503 until then');
    }
    await sleep(pauseMs, undefined, { signal: stopping });
    preparing = again();
  }
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

async function startListener(
  app: App,
  config: Config,
  port: number,
  tls: { cert: string; key: string },
): Promise<Listener> {
  return listen({
    host: config.host,
    port,
    ...tls,
    // The compatibility API of HTTP/2 has everything of IncomingMessage and ServerResponse that is used here.
    handler: (request, response) => app.handle(request as IncomingMessage, response as ServerResponse),
    onPlainHttp: app.handlePlain,
    onClientError: app.answerClientError,
    trustPlain: app.trustPlain,
    limits: {
      maxConnectionsPerAddress: config.maxConnectionsPerAddress === 0 ? Infinity : config.maxConnectionsPerAddress,
    },
  });
}
