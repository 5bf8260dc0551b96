import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findFreePort } from '../../../../tools/find-free-port.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres/index.ts';
import { ensureLocalCertificate } from '../../src/security/index.ts';
import {
  endServers,
  newMasterKey,
  type ServerProcess,
  serverSettings,
  startServer,
} from '../torture/server-process.ts';
import { createHttp1Client, createHttp2Client, type LoadClient } from './clients.ts';
import { issueLicense, requireInvariants } from './commands.ts';
import { Haproxy, hasHaproxy } from './haproxy.ts';
import { type Member, signUp, Tally, useSeat } from './mixed-load.ts';

// `npm run test:rolling` restarts three processes behind HAProxy in turn, under load, over HTTP/1.1 and HTTP/2, with
// TLS passed through and with TLS terminated by HAProxy. No request may fail: the goal is 0 of 50,000.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    /** The first of five free ports. By default any free ports are used. */
    port: { type: 'string' },
  },
});

/** HAProxy sees two failed checks within one second. A client uses each of its connections within the rest. */
const DRAIN_SECONDS = '5';
const SERVERS = 3;
const LOOPS_EACH = 4;

process.exitCode = hasHaproxy() ? await main(Number(values.requests)) : leaveOut();

function leaveOut(): number {
  console.log('left out: HAProxy is not installed (Debian: apt-get install haproxy)');
  return 0;
}

async function main(requests: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'seathold-rolling-'));
  const databases = ['rolling_production', 'rolling_sandbox'];
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'database'),
    databases,
    settings: { max_connections: '300' },
    log: () => undefined,
  });
  const [production = '', sandbox = ''] = databases.map((name) => postgres.urlOf(name));
  const common = { DATABASE_URL: production, SANDBOX_DATABASE_URL: sandbox, SEATHOLD_MASTER_KEY: newMasterKey() };
  try {
    return await proveRestarts(folder, common, requests);
  } finally {
    await endServers();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function proveRestarts(folder: string, common: Record<string, string>, requests: number): Promise<number> {
  const [passthrough = 0, layer7 = 0, ...ports] = await choosePorts(2 + SERVERS);
  const { ca, certificate, tls } = await createCertificate(folder);
  const all = await Promise.all(
    ports.map(async (port, number) => {
      const dataDir = join(folder, `server-${number + 1}`);
      await mkdir(dataDir);
      const own = { ...common, ...tls, SEATHOLD_DATA_DIR: dataDir, SEATHOLD_DRAIN_SECONDS: DRAIN_SECONDS };
      return serverSettings({ ...own, SEATHOLD_PORT: String(port) });
    }),
  );
  const servers: ServerProcess[] = [];
  for (const settings of all) {
    servers.push(await startServer(settings));
  }
  const haproxy = await Haproxy.start(folder, { passthrough, layer7, servers: ports }, certificate);
  try {
    await sleep(2_000);
    const routes = createRoutes(passthrough, layer7, ca);
    const failures = await restartUnderLoad(servers, all, routes, requests);
    await requireInvariants(all[0] ?? {});
    say('the invariants hold');
    return failures === 0 ? 0 : 1;
  } finally {
    await haproxy.stop();
  }
}

/** A route to the servers, and what happened on it. */
interface Route {
  name: string;
  create(): LoadClient;
  tally: Tally;
}

function createRoutes(passthrough: number, layer7: number, ca: string): Route[] {
  const [through, ended] = [`https://127.0.0.1:${passthrough}`, `https://127.0.0.1:${layer7}`];
  const routes: Array<[string, () => LoadClient]> = [
    ['TLS passthrough, HTTP/1.1', () => createHttp1Client(through, ca, LOOPS_EACH)],
    ['TLS passthrough, HTTP/2', () => createHttp2Client(through, ca)],
    ['layer 7, HTTP/1.1', () => createHttp1Client(ended, ca, LOOPS_EACH)],
    ['layer 7, HTTP/2', () => createHttp2Client(ended, ca)],
  ];
  return routes.map(([name, create]) => ({ name, create, tally: new Tally() }));
}

/** Restarts the servers in turn until all requests are answered and each server was restarted once. Counts failures. */
async function restartUnderLoad(
  servers: ServerProcess[],
  settings: ReadonlyArray<Record<string, string>>,
  routes: readonly Route[],
  requests: number,
): Promise<number> {
  const clients = routes.map(({ create }) => create());
  const [first] = clients;
  if (first === undefined) {
    throw new Error('there is no route to the servers');
  }
  const member = await signUp(first);
  const key = await issueLicense(settings[0] ?? {}, member.email, 1_000);
  let restarts = 0;
  const answered = () => routes.reduce((sum, { tally }) => sum + tally.answered, 0);
  const isOver = () => restarts >= SERVERS && answered() >= requests;
  const loops = routes.flatMap(({ tally }, number) =>
    Array.from({ length: LOOPS_EACH }, () => load(clients[number] ?? first, tally, member, key, isOver)),
  );
  while (!isOver()) {
    const place = restarts % SERVERS;
    const ending = await servers[place]?.end('SIGTERM');
    servers[place] = await startServer(settings[place] ?? {});
    restarts += 1;
    say(`restarted server ${place + 1} (exit code ${ending?.code}); ${answered()} requests answered`);
    // Until HAProxy has seen it come back.
    await sleep(2_000);
  }
  await Promise.all(loops);
  for (const client of clients) {
    client.close();
  }
  for (const { name, tally } of routes) {
    say(`${name}: ${tally.failures.length + tally.refused} failed of ${tally.answered} (${tally.statuses})`);
    for (const failure of tally.failures.slice(0, 10)) {
      console.error(`  ${failure}`);
    }
  }
  return routes.reduce((sum, { tally }) => sum + tally.failures.length + tally.refused, 0);
}

async function load(
  client: LoadClient,
  tally: Tally,
  member: Member,
  key: string,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await useSeat(client, tally, member, key);
  }
}

async function choosePorts(count: number): Promise<number[]> {
  const first = Number(values.port ?? 0);
  return first === 0
    ? Promise.all(Array.from({ length: count }, findFreePort))
    : Array.from({ length: count }, (_, number) => first + number);
}

/** One for all servers, because a client may reach any of them. */
async function createCertificate(folder: string) {
  const { caPem, certPem, keyPem } = await ensureLocalCertificate({
    dir: join(folder, 'tls'),
    hostnames: ['localhost'],
    now: new Date(),
  });
  const [cert, key, certificate] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(folder, name));
  await writeFile(cert ?? '', certPem);
  await writeFile(key ?? '', keyPem);
  await writeFile(certificate ?? '', certPem + keyPem);
  return {
    ca: caPem,
    certificate: certificate ?? '',
    tls: { SEATHOLD_TLS_CERT: cert ?? '', SEATHOLD_TLS_KEY: key ?? '' },
  };
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
}
