import { readProcessMetrics } from './app.ts';
import { type Config, type Environment, readLogLevel } from './config/index.ts';
import { connectionsOfAll } from './connections.ts';
import { connectDatabases, type DatabaseUrls } from './database/index.ts';
import { Ending } from './ending.ts';
import { connectionLimit, createEnvironment, type Group, type RunningEnvironment } from './environment.ts';
import { createRequestLog, LeakedTokens, type Listener, readCertificate } from './http/index.ts';
import { createLogger, type Logger, setLogLevel } from './log/index.ts';
import { isInNetworks } from './networks/index.ts';
import { prepareDatabases } from './prepare-databases.ts';
import { BACKGROUND, collectStartGarbage, Supervisor } from './processes/index.ts';
import { readSettings, type ServiceSettings } from './read-settings.ts';
import { keepMasterKey, keyIdOf } from './security/index.ts';
import { startTracing } from './tracing/index.ts';
import { answersRequests, type Role, worksInBackground } from './worker.ts';
import { listenForProbes } from './worker-probes.ts';

/** The service running in this process. */
export interface RunningService {
  production: RunningEnvironment;
  /** Undefined if it is off. */
  sandbox: RunningEnvironment | undefined;
  config: Config;
  /** The certificate authority that clients trust, unless a certificate was configured. */
  caPath: string | undefined;
  log: Logger;
  /** Resolves with the reason when the process cannot continue. */
  failure: Promise<string>;
  /** Reads the certificate and the log level again. */
  reload(): Promise<void>;
  /** Keeps serving for a while, then stops accepting, finishes running requests, and releases its resources. */
  stop(): Promise<void>;
  /** Finishes a running stop as soon as possible. */
  hurry(): void;
}

/** Starts the service: databases, both environments, background work, listeners, in that order. */
export async function startService(environment: Environment, role: Role, version: string): Promise<RunningService> {
  const settings = readSettings(environment, role);
  const { config } = settings;
  // A worker answers no requests, so it has none to divide.
  const processes = answersRequests(role) ? config.processes : 1;
  const log = createLogger(await readLogLevel(config), undefined, processes > 1 ? BACKGROUND : undefined);
  for (const name of settings.warnings) {
    log.warn(`the setting ${name} is unknown and has no effect`);
  }
  const ending = new Ending(config, log);
  try {
    return await open(settings, { environment, role, version, log, ending, processes });
  } catch (error) {
    ending.hurry();
    await ending.stop();
    throw error;
  }
}

/** The options of a start. */
interface Start {
  environment: Environment;
  role: Role;
  version: string;
  log: Logger;
  ending: Ending;
  /** The number of processes that answer requests. */
  processes: number;
}

async function open(settings: ServiceSettings, start: Start): Promise<RunningService> {
  const { role, log, ending, version } = start;
  const { config } = settings;
  const { undo, listeners, environments } = ending;
  const failure = Promise.withResolvers<string>();
  const requestLog = createRequestLog(config.logRequests, log);
  undo.push(() => requestLog.close());
  undo.push(await startTracing(start.environment, version, (message) => log.warn({ reason: message }, 'traces')));
  const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
  if (config.backupKey !== undefined && masterKey.keyIds.includes(keyIdOf(config.backupKey))) {
    log.warn('SEATHOLD_BACKUP_KEY is the master key of the data folder: backups are refused until it is another one');
  }
  const urls = await connectDatabases(config, {
    report: (message, fields) => log.warn(fields ?? {}, message),
    onLost: () => failure.resolve('another process has taken the data folder'),
    connections: connectionsOfAll(start.processes),
  });
  undo.push(() => urls.close());
  ending.beforehand = urls.prepareClose;
  const tls = await readCertificate(config);
  const leaks = new LeakedTokens((error) => log.error({ err: error }, 'a leaked token could not be revoked'));
  const [draining, stopping] = [ending.draining.signal, ending.stopping.signal];
  const supervisor = start.processes === 1 ? undefined : superviseRequests(settings, start);
  // With several processes, requests are answered elsewhere.
  const own: Role = supervisor === undefined ? role : worksInBackground(role) ? 'worker' : 'idle';
  const roleIn = () => own;
  const common = { roleIn, log, requestLog, tls, version, leaks, undo, draining, stopping, group: supervisor?.group };
  const prepared = await prepareDatabases(urls, masterKey, roleIn);
  const begun = supervisor?.begin(urls);
  begun?.catch(() => undefined);
  for (const each of prepared) {
    environments.push(await createEnvironment(each.name, each, { ...settings, ...common }));
  }
  await begun;
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
  undo.push(repeatDaily(renew, log), collectStartGarbage());
  const reload = async () => {
    const level = await readLogLevel(config);
    setLogLevel(log, level);
    supervisor?.supervisor.setLogLevel(level);
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

/** Has requests answered by separate processes, while this one does the background work. */
function superviseRequests(
  { config, trustedProxies }: ServiceSettings,
  { environment, version, log, ending, processes }: Start,
) {
  const supervisor = new Supervisor(REQUEST_PROCESS, processes, log);
  ending.undo.push(() => supervisor.stop(0));
  const find = (name: string) => ending.environments.find((each) => each.name === name);
  supervisor.work({
    whyNotReady: async (name) => find(name)?.app.whyNotReady(),
    readMetrics: async (name) => {
      const metrics = find(name)?.app.metrics;
      return { own: (await metrics?.readOwn()) ?? '', common: (await metrics?.readCommon()) ?? '' };
    },
    readProcessMetrics,
    ring: (name, job) =>
      find(name)
        ?.app.jobs.find((each) => each.name === job)
        ?.nudge?.ring(),
  });
  const group: Group = {
    processes,
    listen: (name) =>
      supervisor.listen({
        environment: name,
        host: config.host,
        port: name === 'production' ? config.port : config.sandboxPort,
        maxConnectionsPerAddress: connectionLimit(config),
        isTrusted: (address) => isInNetworks(address, trustedProxies),
      }),
  };
  const given = Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const begin = ({ production, sandbox }: DatabaseUrls) =>
    supervisor.start({ settings: Object.fromEntries(given), urls: { production, sandbox }, version });
  return { supervisor, group, begin };
}

const REQUEST_PROCESS = new URL('./serve-requests.ts', import.meta.url);

/**
 * A local certificate is reissued before it expires, and a configured one may be replaced on disk: neither requires a
 * restart.
 */
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
