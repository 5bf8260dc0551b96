import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessMetrics } from './app.ts';
import { type Config, type Environment, InvalidSettings, loadConfig, readLogLevel } from './config/index.ts';
import { connectDatabases, DatabaseUnavailable, type DatabaseUrls, KeyHolder } from './database/index.ts';
import { Ending } from './ending.ts';
import {
  createEnvironment,
  type EnvironmentName,
  type Opening,
  prepareDatabase,
  type RunningEnvironment,
} from './environment.ts';
import {
  createProbeHandler,
  createRequestLog,
  LeakedTokens,
  type Listener,
  listen,
  mergeMetrics,
  readCertificate,
  readHttpSettings,
} from './http/index.ts';
import { createLogger, type Logger, setLogLevel } from './log/index.ts';
import { parseWebhookSettings } from './rooms.ts';
import { keepMasterKey, type MasterKey } from './security/index.ts';
import type { Role } from './worker.ts';

/** The service as it runs in this process. */
export interface RunningService {
  production: RunningEnvironment;
  /** Undefined when it is off. */
  sandbox: RunningEnvironment | undefined;
  config: Config;
  /** The certificate authority that clients trust, unless a certificate was configured. */
  caPath: string | undefined;
  log: Logger;
  /** Resolves with the reason when the process cannot continue. */
  failure: Promise<string>;
  /** Reads the certificate and the log level again. */
  reload(): Promise<void>;
  /** Keeps serving for a while, then stops accepting, finishes running requests, and releases what it holds. */
  stop(): Promise<void>;
  /** Finishes a running stop as soon as possible. */
  hurry(): void;
}

/** Starts the service: databases, both environments, background work, listeners, in that order. */
export async function startService(environment: Environment, role: Role, version: string): Promise<RunningService> {
  const settings = readSettings(environment, role);
  const { config } = settings;
  const log = createLogger(await readLogLevel(config));
  for (const name of settings.warnings) {
    log.warn(`the setting ${name} is not known and has no effect`);
  }
  const ending = new Ending(config, log);
  try {
    return await open(settings, role, version, log, ending);
  } catch (error) {
    ending.hurry();
    await ending.stop();
    throw error;
  }
}

async function open(settings: Settings, role: Role, version: string, log: Logger, ending: Ending) {
  const { config } = settings;
  const { undo, listeners, environments } = ending;
  const failure = Promise.withResolvers<string>();
  const requestLog = createRequestLog(config.logRequests, log);
  undo.push(() => requestLog.close());
  const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
  const urls = await connectDatabases(
    config,
    (message, fields) => log.warn(fields ?? {}, message),
    () => failure.resolve('another process has taken the data folder'),
  );
  undo.push(() => urls.close());
  ending.beforehand = urls.prepareClose;
  const tls = await readCertificate(config);
  const leaks = new LeakedTokens((error) => log.error({ err: error }, 'a leaked token could not be revoked'));
  const [draining, stopping] = [ending.draining.signal, ending.stopping.signal];
  const common = { role, log, requestLog, tls, version, leaks, undo, draining, stopping };
  for (const each of await prepareDatabases(urls, masterKey, role)) {
    environments.push(await createEnvironment(each.name, each, { ...settings, ...common }));
  }
  for (const each of environments) {
    await each.start();
    listeners.push(...(each.listener === undefined ? [] : [each.listener]));
  }
  const [production, sandbox] = environments;
  if (production === undefined) {
    throw new Error('production was not opened');
  }
  if (role === 'worker') {
    listeners.push(...(await listenForProbes(config, tls, environments, common)));
  }
  const renew = () => renewCertificate(config, listeners);
  undo.push(repeatDaily(renew, log));
  const reload = async () => {
    setLogLevel(log, await readLogLevel(config));
    await renew();
    log.info({ log_level: log.level }, 'reloaded the certificate and the log level');
  };
  return {
    production,
    sandbox,
    config,
    caPath: role === 'worker' ? undefined : tls.caPath,
    log,
    failure: failure.promise,
    reload,
    stop: () => ending.stop(),
    hurry: () => ending.hurry(),
  };
}

type Settings = ReturnType<typeof readSettings>;

/**
 * Prepares the databases of both environments side by side. If one is down, the other still serves; its
 * environment opens anyway, and waits. Throws when none can be served, or when waiting would not help.
 */
async function prepareDatabases(urls: DatabaseUrls, masterKey: MasterKey, role: Role) {
  const wanted: Array<{ name: EnvironmentName; url: string }> = [
    { name: 'production', url: urls.production },
    ...(urls.sandbox === undefined ? [] : [{ name: 'sandbox' as const, url: urls.sandbox }]),
  ];
  const all = wanted.map((each) => {
    const holder = new KeyHolder(masterKey.forDatabase());
    return { ...each, holder, preparing: prepareDatabase(each.url, holder, role) };
  });
  const faults: unknown[] = [];
  const settled = all.map(({ preparing }) => preparing.catch((error: unknown) => void faults.push(error)));
  // While neither is ready, wait; a long migration of one must not delay the other.
  await Promise.any(all.map(({ preparing }) => preparing)).catch(() => undefined);
  await Promise.race([Promise.all(settled), sleep(PATIENCE_MS, undefined, { ref: false })]);
  const fault = faults.find((each) => !(each instanceof DatabaseUnavailable));
  if (fault !== undefined || faults.length === all.length) {
    throw fault ?? faults[0];
  }
  return all;
}

/** How long the first environment that is ready waits for the other. */
const PATIENCE_MS = 10_000;

/**
 * A worker answers only health checks and metrics: over HTTPS, and over plain HTTP for probes without TLS. The first of
 * several workers on one machine gets the port, unless each has its own; the others still work.
 */
async function listenForProbes(
  config: Config,
  tls: { cert: string; key: string },
  environments: readonly RunningEnvironment[],
  { requestLog, log }: Pick<Opening, 'requestLog' | 'log'>,
): Promise<Listener[]> {
  const handler = createProbeHandler({
    whyNotReady: async () => {
      const reasons = await Promise.all(environments.map(({ app }) => app.whyNotReady()));
      return reasons.find((each) => each !== undefined);
    },
    metrics: async () => {
      const each = await Promise.all(environments.map(({ app }) => app.readMetrics()));
      return mergeMetrics(each) + (await readProcessMetrics());
    },
    metricsToken: config.metricsToken,
    host: config.metricsHost,
    requestLog,
  });
  const { metricsHost: host, metricsPort: port } = config;
  try {
    return [await listen({ host, port, ...tls, ...handler, trustPlain: () => true })];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      log.warn({ port }, 'the port of SEATHOLD_METRICS_PORT is in use: this worker serves no health checks or metrics');
      return [];
    }
    throw error;
  }
}

/** A local certificate is issued anew before it expires, and a configured one is replaced on disk: neither needs a restart. */
async function renewCertificate(config: Config, listeners: readonly Listener[]): Promise<void> {
  const { cert, key } = await readCertificate(config);
  for (const listener of listeners) {
    listener.reloadCertificate(cert, key);
  }
}

function repeatDaily(renew: () => Promise<void>, log: Logger): () => Promise<void> {
  const timer = setInterval(
    () => void renew().catch((error: unknown) => log.error({ err: error }, 'the certificate could not be renewed')),
    DAY_MS,
  );
  timer.unref();
  return async () => clearInterval(timer);
}

const DAY_MS = 86_400_000;

/** All problems are told at once, those of the parts that read their own settings included. */
export function readSettings(
  environment: Environment,
  role: Role = 'all',
): Pick<Opening, 'config' | 'limits' | 'trustedProxies' | 'webhooks'> & { warnings: readonly string[] } {
  const { config, problems, warnings } = loadConfig(environment);
  const { production, sandbox, proxies, problems: httpProblems } = readHttpSettings(environment);
  const webhooks = parseWebhookSettings(environment);
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
