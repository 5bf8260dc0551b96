import type { IncomingMessage, ServerResponse } from 'node:http';
import { type App, openApp } from './app.ts';
import { type Config, type Environment, InvalidSettings, loadConfig } from './config/index.ts';
import {
  beatServiceClock,
  checkMasterKey,
  Database,
  type DatabaseUrls,
  KeyHolder,
  migrate,
  openDatabases,
} from './database/index.ts';
import {
  connectRedisLimiter,
  LeakedTokens,
  type Listener,
  listen,
  MemoryLimiter,
  type Network,
  type RateLimits,
  readCertificate,
  readHttpSettings,
} from './http/index.ts';
import type { RunningJobs } from './jobs/index.ts';
import { createLogger, type Logger } from './log/index.ts';
import { ensureDefaultCatalogue, readWebhookSettings, type WebhookSettings } from './rooms.ts';
import { keepMasterKey, type MasterKey, TOKEN_PREFIXES } from './security/index.ts';
import { type Role, startWork } from './worker.ts';

/** The service as it runs in this process. */
export interface RunningService {
  production: { baseUrl: string; port: number | undefined };
  sandbox: { baseUrl: string; port: number | undefined; database: Database; masterKey: MasterKey; config: Config };
  /** The certificate authority that clients trust, unless a certificate was configured. */
  caPath: string | undefined;
  dataDir: string;
  log: Logger;
  /** Stops accepting, finishes what runs, hands back what it holds; within 10 s. */
  stop(): Promise<void>;
}

/** Starts the service: databases, migrations, both environments, background work, listeners, in that order. */
export async function startService(environment: Environment, role: Role, version: string): Promise<RunningService> {
  const settings = readSettings(environment, role);
  const { config } = settings;
  const log = createLogger(config.logLevel);
  for (const name of settings.warnings) {
    log.warn(`the setting ${name} is not known and has no effect`);
  }
  const undo: Array<() => Promise<void>> = [];
  const listeners: Listener[] = [];
  const works: RunningJobs[] = [];
  const stopping = new AbortController();
  const stop = async () => {
    stopping.abort();
    // Both stop accepting at once and share the time that running requests have; so does the background work, which may
    // have attempts to cut off and hand back, and would not end in time if it began only then.
    await Promise.all([
      ...listeners.splice(0).map((listener) => listener.close(GRACE_MS)),
      ...works.splice(0).map((work) => work.stop()),
    ]);
    await unwind(undo, log);
  };
  try {
    const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
    const urls = await openDatabases(config, (message, fields) => log.warn(fields ?? {}, message));
    undo.push(() => urls.close());
    const tls = role === 'worker' ? undefined : await readCertificate(config);
    const leaks = new LeakedTokens((error) => log.error({ err: error }, 'a leaked token could not be revoked'));
    const open = (name: 'production' | 'sandbox') =>
      openEnvironment(name, {
        settings,
        role,
        log,
        masterKey,
        urls,
        tls,
        version,
        undo,
        listeners,
        works,
        leaks,
        stopping: stopping.signal,
      });
    const production = await open('production');
    const sandbox = await open('sandbox');
    if (listeners.length > 0) {
      undo.push(renewCertificateDaily(config, listeners, log));
    }
    return {
      production,
      sandbox: { ...sandbox, config },
      caPath: tls?.caPath,
      dataDir: config.dataDir,
      log,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A local certificate is issued anew before it expires, and a configured one is replaced on disk: neither needs a restart. */
function renewCertificateDaily(config: Config, listeners: readonly Listener[], log: Logger): () => Promise<void> {
  const renew = async () => {
    const { cert, key } = await readCertificate(config);
    for (const listener of listeners) {
      listener.reloadCertificate(cert, key);
    }
  };
  const timer = setInterval(
    () => void renew().catch((error: unknown) => log.error({ err: error }, 'the certificate could not be renewed')),
    DAY_MS,
  );
  timer.unref();
  return async () => clearInterval(timer);
}

const DAY_MS = 86_400_000;

interface Settings {
  config: Config;
  limits: { production: RateLimits; sandbox: RateLimits };
  trustedProxies: readonly Network[];
  webhooks: WebhookSettings;
  warnings: readonly string[];
}

/** All problems are told at once, those of the parts that read their own settings included. */
export function readSettings(environment: Environment, role: Role = 'all'): Settings {
  const { config, problems, warnings } = loadConfig(environment);
  const { production, sandbox, proxies, problems: httpProblems } = readHttpSettings(environment);
  const webhooks = readWebhookSettings(environment);
  const all = [
    ...problems,
    ...httpProblems,
    ...webhooks.problems,
    ...(role !== 'all' && config !== undefined && config.databaseUrl === undefined
      ? [{ name: 'DATABASE_URL', problem: `must be set for --role ${role}: the embedded database serves one process` }]
      : []),
  ];
  if (config === undefined || !production.ok || !sandbox.ok || !proxies.ok || all.length > 0) {
    throw new InvalidSettings(all);
  }
  return {
    config,
    limits: { production: production.limits, sandbox: sandbox.limits },
    trustedProxies: proxies.networks,
    webhooks,
    warnings,
  };
}

interface Opening {
  settings: Settings;
  role: Role;
  log: Logger;
  masterKey: MasterKey;
  urls: DatabaseUrls;
  tls: { cert: string; key: string } | undefined;
  version: string;
  undo: Array<() => Promise<void>>;
  listeners: Listener[];
  works: RunningJobs[];
  leaks: LeakedTokens;
  stopping: AbortSignal;
}

async function openEnvironment(name: 'production' | 'sandbox', opening: Opening) {
  const { settings, role, urls, tls, undo } = opening;
  const { config } = settings;
  const log = opening.log.child({ environment: name });
  await migrate(urls[name]);
  const database = new Database(urls[name], { connections: 16, maxWaiting: 2_000 }, (error) =>
    log.warn({ err: error }, 'an idle database connection broke'),
  );
  undo.push(() => database.close());
  const deliveryDatabase = new Database(urls[name], { connections: 6, maxWaiting: 1_000 }, (error) =>
    log.warn({ err: error }, 'an idle database connection broke'),
  );
  undo.push(() => deliveryDatabase.close());
  const masterKey = await checkMasterKey(database, opening.masterKey);
  const holder = new KeyHolder(database, masterKey);
  await holder.follow();
  await ensureDefaultCatalogue(database);
  const wantedPort = name === 'production' ? config.port : config.sandboxPort;
  const baseUrl = (name === 'production' ? config.baseUrl : config.sandboxUrl) ?? `https://localhost:${wantedPort}`;
  const authUrl = (name === 'production' ? config.authUrl : undefined) ?? `${baseUrl}/oauth`;
  const app = await openApp({
    name,
    baseUrl,
    authUrl,
    apiTokenPrefix: name === 'production' ? TOKEN_PREFIXES.apiLive : TOKEN_PREFIXES.apiTest,
    config,
    database,
    deliveryDatabase,
    masterKey,
    limiter:
      config.redisUrl === undefined
        ? new MemoryLimiter()
        : await connectRedisLimiter({ url: config.redisUrl, log, keyPrefix: `seathold:${name}:` }),
    limits: settings.limits[name],
    trustedProxies: settings.trustedProxies,
    webhookSettings: settings.webhooks,
    log,
    version: opening.version,
    deliversHere: role !== 'api',
    leaks: opening.leaks,
    stopping: opening.stopping,
  });
  undo.push(() => app.close());
  if (role !== 'worker') {
    // The first sign of life books the time since the last one as time away, before any request can see a timeout.
    await beatServiceClock(database);
  }
  opening.works.push(startWork(role, database, app.jobs, log, holder));
  const listener = tls === undefined ? undefined : await openListener(app, config, wantedPort, tls);
  if (listener !== undefined) {
    opening.listeners.push(listener);
  }
  return { baseUrl, port: listener?.port, database, masterKey };
}

async function openListener(
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

/** Leaves two seconds of the ten for the database to stop. */
const GRACE_MS = 7_000;

/** In reverse, the database last. What fails is logged, and the rest goes on. Safe to call twice. */
async function unwind(undo: Array<() => Promise<void>>, log: Logger): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    await step().catch((error: unknown) => log.warn({ err: error }, 'something did not stop cleanly'));
  }
}
