import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/database/index.ts';
import { ensureLocalCertificate } from '../../src/security/index.ts';
import { execute } from '../harness/index.ts';
import { HttpsClient } from '../torture/https-client.ts';
import { endServers, launchServer, readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { issueLicenses, signUp, World } from '../torture/world.ts';
import {
  Connection,
  connectTo,
  findProcesses,
  isAlive,
  killOne,
  listPids,
  PROCESSES,
  together,
} from './request-processes.ts';

let world: World;

beforeEach(async () => {
  world = await World.start();
  await Promise.all([migrate(world.productionUrl), migrate(world.sandboxUrl)]);
});
afterEach(async () => {
  await endServers();
  await world.close();
});

async function startTogether(own: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  return startServer(await world.settings('server', { ...together, ...own }));
}

describe('a request process that is killed under load', () => {
  it('breaks only its own connections, loses nothing that was acknowledged, and is replaced', async () => {
    const server = await startTogether();
    const client = new HttpsClient([await readAuthority(server.dataDir)]);
    onTestFinished(() => client.close());
    const person = await signUp(client, server.baseUrl, 'ada');
    const [license] = await issueLicenses(world.database, person.organizationId, [100_000]);
    const connections = await connectTo(server, 9, person.token);
    const names = await findProcesses(server, connections);
    expect(new Set(names)).toEqual(new Set(['request-1', 'request-2', 'request-3']));
    const acknowledged: string[] = [];
    const broken: Array<{ name: string | undefined; machine: string }> = [];
    let isOver = false;
    const load = Promise.all(
      connections.map(async (connection, place) => {
        while (!isOver) {
          const machine = `hw_${randomBytes(16).toString('hex')}`;
          const body = { license_key: license?.key, hardware_id: machine };
          try {
            const answer = await connection.call('POST', '/v1/licenses/acquire', body);
            expect(answer.status).toBe(201);
            acknowledged.push(machine);
          } catch (error) {
            expect(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']).toContain(Object(error).code);
            broken.push({ name: names[place], machine });
            return;
          }
        }
      }),
    );
    const enough = (more: number) => expect.poll(() => acknowledged.length).toBeGreaterThan(more);
    await enough(60);
    const victim = await killOne(server);
    await enough(acknowledged.length + 60);
    isOver = true;
    await load;
    expect(new Set(broken.map(({ name }) => name))).toEqual(new Set([victim.name]));
    expect(broken).toHaveLength(names.filter((name) => name === victim.name).length);
    // A client without a response retries, and has one seat.
    const [retry] = await connectTo(server, 1, person.token);
    for (const { machine } of broken) {
      const answer = await retry?.call('POST', '/v1/licenses/acquire', {
        license_key: license?.key,
        hardware_id: machine,
      });
      expect([200, 201]).toContain(answer?.status);
    }
    const held = await execute<{ hardware_id: string }>(
      world.database,
      'select hardware_id from seat_slots where organization_id = $1 and session_id is not null',
      [person.organizationId],
    );
    const machines = [...acknowledged, ...broken.map(({ machine }) => machine)];
    expect(held.map((slot) => slot.hardware_id).sort()).toEqual(machines.sort());
    // The successor takes connections as soon as it is ready.
    let served: string[] = [];
    while (!served.includes(victim.name)) {
      served = await findProcesses(server, await connectTo(server, 3));
    }
    expect(server.faults).toHaveLength(1);
    expect(server.faults[0]).toContain('a request process died');
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('the processes of one service', () => {
  it('share one count for rate limits, metrics and connections per address', async () => {
    const server = await startTogether({
      SEATHOLD_RATE_LIMITS: '{"tiers":{"free":{"minute":40}}}',
      SEATHOLD_MAX_CONNECTIONS_PER_ADDRESS: '12',
    });
    const connections = await connectTo(server, 12);
    const statuses = await Promise.all(
      connections.flatMap((each) =>
        Array.from({ length: 5 }, async () => (await each.call('GET', '/v1/plans')).status),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    // The thirteenth connection from the address is refused, whichever process would have got it.
    const [refused] = await connectTo(server, 1);
    await expect(refused?.call('GET', '/healthz')).rejects.toThrow();
    await connections.pop()?.close();
    const [another] = await connectTo(server, 1);
    await expect
      .poll(() =>
        another?.call('GET', '/healthz').then(
          ({ status }) => status,
          () => undefined,
        ),
      )
      .toBe(200);
    const count = async (status: number) => {
      const { text } = (await another?.call('GET', '/metrics')) ?? { text: '' };
      const labels = `{environment="production",route="/v1/plans",method="GET",status="${status}"}`;
      return Number(text.split(`seathold_http_request_duration_seconds_count${labels} `)[1]?.split('\n')[0]);
    };
    expect([await count(200), await count(429)]).toEqual([40, 20]);
    const { text } = (await another?.call('GET', '/metrics')) ?? { text: '' };
    for (const name of ['background', 'request-1', 'request-2', 'request-3']) {
      expect(text).toContain(`seathold_process_resident_memory_bytes{process="${name}"}`);
    }
    const described = text.split('\n').filter((line) => line.startsWith('# TYPE '));
    expect(new Set(described).size).toBe(described.length);
    // What a process counted before it was killed stays in the sum.
    await killOne(server);
    const [scraper] = await connectTo(server, 1);
    await expect
      .poll(async () =>
        (await scraper?.call('GET', '/metrics').catch(() => undefined))?.text.includes('status="429"} 20'),
      )
      .toBe(true);
  });

  it('serve the sandbox with only some of them, always the same ones', async () => {
    const server = await startTogether();
    const { SEATHOLD_SANDBOX_PORT: port } = server.settings;
    const ca = await readAuthority(server.dataDir);
    const connections = Array.from({ length: 6 }, () => new Connection(`https://127.0.0.1:${port}`, ca));
    expect(new Set(await findProcesses(server, connections))).toEqual(new Set(['request-3']));
    // Production uses all of them, starting with those that the sandbox does not use.
    const names = await findProcesses(server, await connectTo(server, 12));
    expect(new Set(names)).toEqual(new Set(['request-1', 'request-2']));
    expect(new Set(await findProcesses(server, await connectTo(server, 6)))).toContain('request-3');
  });
});

describe('signals', () => {
  it('SIGTERM: all processes drain, finish their responses and exit, and nothing is left', async () => {
    const server = await startTogether({ SEATHOLD_DRAIN_SECONDS: '120' });
    const connections = await connectTo(server, 6);
    expect(new Set(await findProcesses(server, connections)).size).toBe(PROCESSES);
    const pids = listPids(server).map(({ pid }) => pid);
    expect(pids).toHaveLength(PROCESSES);
    server.signal('SIGTERM');
    for (const connection of connections) {
      await expect.poll(async () => (await connection.call('GET', '/readyz')).status).toBe(503);
      expect(await connection.call('GET', '/v1/plans')).toMatchObject({
        status: 200,
        headers: { connection: 'close' },
      });
    }
    // A second signal, unless it comes immediately, means that a person is waiting.
    await sleep(600);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(pids.filter(isAlive)).toEqual([]);
    expect(server.faults).toEqual([]);
  });

  it('SIGHUP: all processes use the new certificate and log at the new level', async () => {
    const folder = join(world.folder, 'tls');
    const certificates = await Promise.all(
      ['one', 'two'].map((name) =>
        ensureLocalCertificate({ dir: join(folder, name), hostnames: ['localhost'], now: new Date() }),
      ),
    );
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const install = async (number: number) => {
      await writeFile(cert, certificates[number]?.certPem ?? '');
      await writeFile(key, certificates[number]?.keyPem ?? '');
    };
    await install(0);
    const server = await startTogether({ SEATHOLD_TLS_CERT: cert, SEATHOLD_TLS_KEY: key });
    const sockets: TLSSocket[] = [];
    /** The certificates shown to so many simultaneous connections that every process gets some. */
    const listShown = async () => {
      const { hostname, port } = new URL(server.baseUrl);
      const opened = Array.from({ length: 6 }, () =>
        connectTls({
          host: hostname,
          port: Number(port),
          ca: certificates.map(({ caPem }) => caPem),
          servername: 'localhost',
        }),
      );
      sockets.push(...opened);
      await Promise.all(opened.map((socket) => once(socket, 'secureConnect')));
      return [...new Set(opened.map((socket) => socket.getPeerCertificate().fingerprint256))];
    };
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    const [before] = await listShown();
    await install(1);
    await mkdir(server.dataDir, { recursive: true });
    await writeFile(join(server.dataDir, 'log-level'), 'debug\n');
    const pids = listPids(server);
    server.signal('SIGHUP');
    await expect.poll(async () => (await listShown()).includes(before ?? '')).toBe(false);
    expect(await listShown()).toHaveLength(1);
    expect(server.output).toContain('"log_level":"debug"');
    // An invalid certificate is refused, and the last one stays.
    await writeFile(cert, 'not a certificate');
    server.signal('SIGHUP');
    await expect.poll(() => server.output.includes('could not reload the certificate')).toBe(true);
    expect(await listShown()).toHaveLength(1);
    expect(listPids(server)).toEqual(pids);
  });
});

describe('a supervisor that is killed', () => {
  it('takes its request processes with it, and the next start has the ports', async () => {
    const settings = await world.settings('server', together);
    const server = await startServer(settings);
    const pids = listPids(server).map(({ pid }) => pid);
    expect(pids).toHaveLength(PROCESSES);
    server.signal('SIGKILL');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    const next = await launchServer(settings).untilReady();
    const [connection] = await connectTo(next, 1);
    expect((await connection?.call('GET', '/readyz'))?.status).toBe(200);
    expect(await next.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
