import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from './app.ts';
import { addressesOf, type Config } from './config/index.ts';
import { connectionsOf } from './connections.ts';
import {
  adoptMasterKey,
  Database,
  DatabaseUnavailable,
  type KeyHolder,
  migrate,
  Standing,
  updateServiceClock,
} from './database/index.ts';
import {
  connectRedisLimiter,
  type LeakedTokens,
  type Listener,
  listen,
  MemoryLimiter,
  type RateLimiter,
  type RateLimits,
  type RequestLog,
  type ServeOptions,
} from './http/index.ts';
import type { Logger } from './log/index.ts';
import type { Network } from './networks/index.ts';
import type { EnvironmentName } from './processes/index.ts';
import { ensureDefaultCatalogue, type WebhookSettings } from './rooms.ts';
import { type MasterKey, TOKEN_PREFIXES } from './security/index.ts';
import { answersRequests, type Role, type RunningWork, startWork, worksInBackground } from './worker.ts';

export type { EnvironmentName } from './processes/index.ts';

/** What a process of a group does together with the others. */
export interface Group {
  /** The number of processes that answer requests. */
  processes: number;
  /** Accepts the connections of an environment; undefined if other processes do. */
  listen(name: EnvironmentName, app: App, tls: { cert: string; key: string }): Promise<Listener | undefined>;
  limiter?(name: EnvironmentName): RateLimiter;
  ring?(name: EnvironmentName, job: string): void;
  /** The readiness and metrics of the others. */
  whyNotReady?(name: EnvironmentName): Promise<string | undefined>;
  readMetrics?(name: EnvironmentName): Promise<string>;
}

/** The options shared by production and the sandbox of one process. */
export interface Opening {
  config: Config;
  limits: Readonly<Record<EnvironmentName, RateLimits>>;
  trustedProxies: readonly Network[];
  webhooks: WebhookSettings;
  /** The role of the process in this environment. */
  roleIn(name: EnvironmentName): Role;
  /** Undefined if the process serves alone. */
  group: Group | undefined;
  log: Logger;
  requestLog: RequestLog;
  tls: { cert: string; key: string };
  version: string;
  leaks: LeakedTokens;
  /** Aborts at SIGTERM: the service is no longer ready for new clients. */
  draining: AbortSignal;
  /** Aborts when the process is about to stop, which ends long work. */
  stopping: AbortSignal;
  /** Collects cleanup steps, to run in reverse. */
  undo: Array<() => Promise<void>>;
}

/** One environment running in this process. */
export interface RunningEnvironment {
  name: EnvironmentName;
  baseUrl: string;
  authUrl: string;
  database: Database;
  masterKey: MasterKey;
  app: App;
  /** None in a worker, which has no API port. */
  port: number | undefined;
  listener: Listener | undefined;
  /** Its background work, which starts when its database is ready. */
  work: RunningWork | undefined;
  /** Whether it already serves; otherwise it waits for its database and answers 503. */
  isPrepared: boolean;
  /** Resolves when it serves; never, if the process stops first. */
  prepared: Promise<void>;
  /** Starts serving and working. Building an environment takes seconds, so both are built first. */
  start(): Promise<void>;
}

/**
 * Prepares an environment's database for serving: schema, master key and catalogue. The first heartbeat books the time
 * since the last one as time away, before any request can see a timeout.
 */
export async function prepareDatabase(url: string, holder: KeyHolder, role: Role): Promise<void> {
  await migrate(url);
  const database = new Database(url, { connections: 1, maxWaiting: 10, preparesStatements: false }, () => undefined);
  try {
    await adoptMasterKey(database, holder.masterKey);
    await holder.follow(database);
    await ensureDefaultCatalogue(database);
    if (answersRequests(role)) {
      await updateServiceClock(database);
    }
  } finally {
    await database.close();
  }
}

/**
 * Opens one environment; `start` lets it listen. Until its database is prepared, requests are treated as if the
 * database were down: the port answers 503, `/readyz` shows the reason, and no jobs run. `preparing` is the first
 * attempt; if it fails, others follow.
 */
export async function createEnvironment(
  name: EnvironmentName,
  { url, holder, preparing }: { url: string; holder: KeyHolder; preparing: Promise<void> },
  opening: Opening,
): Promise<RunningEnvironment> {
  const { config, group, undo } = opening;
  const role = opening.roleIn(name);
  const log = opening.log.child({ environment: name });
  const standing = new Standing({ onOutdated: (reason) => log.error(`stopped using the database: ${reason}`) });
  const { database, deliveryDatabase } = createPools(name, url, standing, opening, log);
  const { baseUrl, authUrl } = addressesOf(config, name);
  const app = await createApp({
    ...opening,
    name,
    baseUrl,
    authUrl,
    apiTokenPrefix: name === 'production' ? TOKEN_PREFIXES.apiLive : TOKEN_PREFIXES.apiTest,
    database,
    deliveryDatabase,
    masterKey: holder.masterKey,
    limiter: await createLimiter(name, opening, log),
    limits: opening.limits[name],
    webhookSettings: opening.webhooks,
    log,
    deliversHere: worksInBackground(role),
    sendsOnThread: worksInBackground(role) && answersRequests(role),
    whyGroupNotReady: group?.whyNotReady && (() => group.whyNotReady?.(name)),
    readGroupMetrics: group?.readMetrics && (() => group.readMetrics?.(name)),
  });
  undo.push(() => app.close());
  if (answersRequests(role)) {
    await app.prepareDocuments();
  }
  const environment: RunningEnvironment = {
    name,
    baseUrl,
    authUrl,
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
    const ring = group?.ring && ((job: string) => group.ring?.(name, job));
    environment.work = startWork(database, { jobs: app.jobs, log, holder, standing, watch: app.jobWatch, ring }, role);
  };
  environment.start = async () => {
    const again = () => prepareDatabase(url, holder, role);
    environment.prepared = prepareUntilDone(preparing, again, opening, log).then(begin);
    environment.prepared.catch(() => undefined);
    // An environment that is already prepared serves from its first request on.
    await Promise.race([environment.prepared, sleep(0)]).catch(() => undefined);
    if (group !== undefined) {
      environment.listener = await group.listen(name, app, opening.tls);
    } else if (answersRequests(role)) {
      environment.listener = await listen({
        host: config.host,
        port: name === 'production' ? config.port : config.sandboxPort,
        ...serveOptions(app, opening.tls),
        limits: { maxConnectionsPerAddress: connectionLimit(config) },
      });
    }
    environment.port = environment.listener?.port;
  };
  return environment;
}

/** The connections to its database. Those for deliveries are separate, so that requests never wait for them. */
function createPools(
  name: EnvironmentName,
  url: string,
  standing: Standing,
  { config, group, roleIn, undo }: Opening,
  log: Logger,
) {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'an idle database connection was lost');
  const { requests, deliveries } = connectionsOf(name, roleIn(name) === 'api' ? group?.processes : undefined);
  const limits = { isClosedAtFirst: true, preparesStatements: config.preparedStatements, standing };
  const database = new Database(url, { ...limits, connections: requests, maxWaiting: 2_000 }, onIdleError);
  undo.push(() => database.close());
  const deliveryDatabase = new Database(url, { ...limits, connections: deliveries, maxWaiting: 1_000 }, onIdleError);
  undo.push(() => deliveryDatabase.close());
  return { database, deliveryDatabase };
}

/** Counts in Redis if there is one, otherwise together with the processes of its group, otherwise alone. */
async function createLimiter(name: EnvironmentName, { config, group }: Opening, log: Logger): Promise<RateLimiter> {
  return config.redisUrl === undefined
    ? (group?.limiter?.(name) ?? new MemoryLimiter())
    : connectRedisLimiter({ url: config.redisUrl, log, keyPrefix: `seathold:${name}:` });
}

/** Retries with growing delays until it succeeds. Rejects only if the process stops first. */
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

/** How connections to an environment are served, in one process or several. */
export function serveOptions(app: App, tls: { cert: string; key: string }): ServeOptions {
  return {
    ...tls,
    // The compatibility API of HTTP/2 has everything of IncomingMessage and ServerResponse that we use.
    handler: (request, response) => app.handle(request as IncomingMessage, response as ServerResponse),
    onPlainHttp: app.handlePlain,
    onClientError: app.answerClientError,
    trustPlain: app.trustPlain,
  };
}

/** How many connections one client address may have to a port. */
export function connectionLimit({ maxConnectionsPerAddress }: Config): number {
  return maxConnectionsPerAddress === 0 ? Number.POSITIVE_INFINITY : maxConnectionsPerAddress;
}
