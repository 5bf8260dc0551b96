import type { Socket } from 'node:net';
import { readProcessMetrics } from './app.ts';
import { readLogLevel } from './config/index.ts';
import { Ending } from './ending.ts';
import { createEnvironment, type Group, serveOptions } from './environment.ts';
import {
  type ConnectionServer,
  createRequestLog,
  LeakedTokens,
  readCertificate,
  serveConnections,
} from './http/index.ts';
import { createLogger, setLogLevel } from './log/index.ts';
import { prepareDatabases } from './prepare-databases.ts';
import {
  collectStartGarbage,
  type Duties,
  type EnvironmentName,
  type Order,
  SupervisorLink,
} from './processes/index.ts';
import { readSettings } from './read-settings.ts';
import { keepMasterKey } from './security/index.ts';
import { startTracing } from './tracing/index.ts';
import type { Role } from './worker.ts';

/**
 * The program of a request process: it serves the connections that its supervisor passes to it, and does nothing else.
 */
async function serveRequests(link: SupervisorLink): Promise<void> {
  const order = await link.order;
  process.title = `seathold ${order.name}`;
  const settings = readSettings(order.settings);
  const { config } = settings;
  const log = createLogger(await readLogLevel(config), undefined, order.name);
  const ending = new Ending(config, log);
  const { undo, environments, listeners } = ending;
  const requestLog = createRequestLog(config.logRequests, log, undefined, order.name);
  undo.push(() => requestLog.close());
  undo.push(await startTracing(order.settings, order.version, (message) => log.warn({ reason: message }, 'traces')));
  const tls = { ...(await readCertificate(config)), ticketKeys: Buffer.from(order.ticketKeys, 'base64') };
  const servers = new Map<EnvironmentName, ConnectionServer>();
  const group = joinGroup(link, order, servers, tls);
  const roleIn = (name: EnvironmentName): Role => (order.serves.includes(name) ? 'api' : 'idle');
  const masterKey = await keepMasterKey(config.masterKey, config.dataDir);
  const leaks = new LeakedTokens((error) => log.error({ err: error }, 'a leaked token could not be revoked'));
  const [draining, stopping] = [ending.draining.signal, ending.stopping.signal];
  const { version } = order;
  const common = { roleIn, group, log, requestLog, tls, version, leaks, undo, draining, stopping };
  for (const each of await prepareDatabases(order.urls, masterKey, roleIn)) {
    environments.push(await createEnvironment(each.name, each, { ...settings, ...common }));
  }
  for (const each of environments) {
    await each.start();
    listeners.push(...(each.listener === undefined ? [] : [each.listener]));
  }
  undo.push(collectStartGarbage());
  if (order.isDraining) {
    ending.drain();
  }
  const finish = async (graceMs: number) => {
    ending.drain();
    await ending.finish(graceMs);
    process.exit(0);
  };
  const duties: Duties = {
    take: (name, socket: Socket) => takeConnection(servers.get(name), socket),
    reloadCertificate: (name, cert, key) => servers.get(name)?.reloadCertificate(cert, key),
    setLogLevel: (level) => setLogLevel(log, level),
    readMetrics: async () => ({
      environments: Object.fromEntries(
        await Promise.all(environments.map(async ({ name, app }) => [name, await app.metrics.readOwn()] as const)),
      ),
      process: await readProcessMetrics(),
    }),
    drain: () => ending.drain(),
    stop: (graceMs) => void finish(graceMs),
    orphaned: () => {
      log.error('the supervising process is gone; stopping');
      void finish(ORPHAN_GRACE_MS);
    },
  };
  link.begin(duties);
}

/** What this process does together with the others of its supervisor. */
function joinGroup(
  link: SupervisorLink,
  { processes, serves }: Order,
  servers: Map<EnvironmentName, ConnectionServer>,
  tls: { ticketKeys: Buffer },
): Group {
  return {
    processes,
    listen: async (name, app, certificate) => {
      if (!serves.includes(name)) {
        return undefined;
      }
      const server = serveConnections({ ...serveOptions(app, certificate), ticketKeys: tls.ticketKeys });
      servers.set(name, server);
      // The port is the supervisor's.
      return { ...server, port: 0, address: '' };
    },
    limiter: (name) => link.limiter(name),
    ring: (name, job) => link.ring(name, job),
    whyNotReady: (name) => link.whyNotReady(name),
    readMetrics: (name) => link.readMetrics(name),
  };
}

function takeConnection(server: ConnectionServer | undefined, socket: Socket): void {
  if (server === undefined) {
    socket.destroy();
  } else {
    server.take(socket);
  }
}

/** Running requests still get their responses; no new ones can reach this process. */
const ORPHAN_GRACE_MS = 1_000;

// Ignored, because the supervisor decides when to stop. Terminals and init systems send their signals to all processes
// of a service.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => undefined);
}

serveRequests(new SupervisorLink()).catch((error: unknown) => {
  process.stderr.write(
    `seathold: a request process could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
