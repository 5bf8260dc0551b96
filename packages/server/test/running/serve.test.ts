import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { connect as connectTcp, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../../../tools/find-free-port.ts';
import { ensureLocalCertificate } from '../../src/security/index.ts';
import { HttpsClient, type Outcome } from '../torture/https-client.ts';
import { endServers, launchServer, readAuthority, type ServerProcess, startServer } from '../torture/server-process.ts';
import { World } from '../torture/world.ts';

let world: World;

beforeEach(async () => {
  world = await World.start();
});
afterEach(async () => {
  await endServers();
  await world.close();
});

async function clientOf(server: ServerProcess): Promise<HttpsClient> {
  const client = new HttpsClient([await readAuthority(server.dataDir)]);
  onTestFinished(() => client.close());
  return client;
}

const statusOf = (outcome: Outcome) => (outcome.kind === 'answer' ? outcome.status : outcome.kind);

describe('SIGTERM', () => {
  it('makes /readyz answer 503 immediately, and serves everything else until the drain ends', async () => {
    const server = await startServer(await world.settings('server', { SEATHOLD_DRAIN_SECONDS: '120' }));
    const client = await clientOf(server);
    expect(statusOf(await client.call('GET', `${server.baseUrl}/readyz`))).toBe(200);
    server.signal('SIGTERM');
    await expect.poll(async () => statusOf(await client.call('GET', `${server.baseUrl}/readyz`))).toBe(503);
    const answer = await client.call('GET', `${server.baseUrl}/v1/plans`);
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    // Over HTTP/2 the end is announced, and no stream is refused.
    const session = connect(server.baseUrl, { ca: await readAuthority(server.dataDir), servername: 'localhost' });
    onTestFinished(() => session.destroy());
    const goaway = once(session, 'goaway');
    const [headers] = await once(session.request({ ':path': '/v1/plans' }), 'response');
    expect(headers[':status']).toBe(200);
    expect((await goaway).slice(0, 2)).toEqual([0, 2 ** 31 - 1]);
    // A second signal, unless it comes immediately, means that a person is waiting.
    await sleep(600);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.faults).toEqual([]);
  });
});

describe('SIGHUP', () => {
  it('reloads the certificate and the log level without stopping anything', async () => {
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
    const settings = await world.settings('server', { SEATHOLD_TLS_CERT: cert, SEATHOLD_TLS_KEY: key });
    const server = await startServer({ ...settings, SEATHOLD_LOG_LEVEL: 'error' });
    const authorities = certificates.map(({ caPem }) => caPem);
    const shows = async () => {
      const { hostname, port } = new URL(server.baseUrl);
      const socket = connectTls({ host: hostname, port: Number(port), ca: authorities, servername: 'localhost' });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await shows();
    await install(1);
    await mkdir(server.dataDir, { recursive: true });
    await writeFile(join(server.dataDir, 'log-level'), 'info\n');
    server.signal('SIGHUP');
    await expect.poll(shows).not.toBe(before);
    const client = new HttpsClient(authorities);
    onTestFinished(() => client.close());
    const answer = await client.call('GET', `${server.baseUrl}/readyz`);
    expect(statusOf(answer)).toBe(200);
    // Requests are logged at level info, which was off before.
    const id = answer.kind === 'answer' ? String(answer.headers['x-request-id']) : '';
    await expect.poll(() => server.output.includes(`"request_id":"${id}"`)).toBe(true);
    // An invalid certificate is refused, and the last one stays.
    await writeFile(cert, 'not a certificate');
    server.signal('SIGHUP');
    await expect.poll(() => server.output.includes('could not reload the certificate')).toBe(true);
    expect(statusOf(await client.call('GET', `${server.baseUrl}/readyz`))).toBe(200);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('a worker', () => {
  it('answers health checks and metrics of both environments on its own port, and drains', async () => {
    const port = String(await findFreePort());
    const settings = await world.settings('worker', { SEATHOLD_METRICS_PORT: port, SEATHOLD_DRAIN_SECONDS: '120' });
    const worker = launchServer(settings, ['serve', '--role', 'worker']);
    await worker.untilReady('Seathold worker is running.');
    for (const origin of [`http://127.0.0.1:${port}`, `https://localhost:${port}`]) {
      const client = await clientOf(worker);
      expect(await client.call('GET', `${origin}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } });
      expect(await client.call('GET', `${origin}/readyz`)).toMatchObject({ status: 200, body: { status: 'ready' } });
      expect(statusOf(await client.call('GET', `${origin}/v1/plans`))).toBe(404);
      const metrics = await client.call('GET', `${origin}/metrics`);
      const text = String(metrics.kind === 'answer' && metrics.body);
      for (const environment of ['production', 'sandbox']) {
        expect(text).toMatch(new RegExp(`^seathold_webhook_events_waiting\\{environment="${environment}"\\} 0$`, 'm'));
      }
      // Each metric is described once, and its values follow.
      const described = text.split('\n').filter((line) => line.startsWith('# TYPE '));
      expect(new Set(described).size).toBe(described.length);
    }
    const client = await clientOf(worker);
    worker.signal('SIGTERM');
    await expect.poll(async () => statusOf(await client.call('GET', `http://127.0.0.1:${port}/readyz`))).toBe(503);
    expect(statusOf(await client.call('GET', `http://127.0.0.1:${port}/healthz`))).toBe(200);
    await sleep(600);
    expect(await worker.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(worker.faults).toEqual([]);
  });
});

describe('metrics', () => {
  it('need the token if the service listens on more than loopback', async () => {
    const server = await startServer(
      await world.settings('server', { SEATHOLD_HOST: '0.0.0.0', SEATHOLD_SANDBOX: 'off' }),
    );
    const client = await clientOf(server);
    expect(statusOf(await client.call('GET', `${server.baseUrl}/metrics`))).toBe(404);
    expect(statusOf(await client.call('GET', `${server.baseUrl}/healthz`))).toBe(200);
    await server.end('SIGKILL');
    const token = 'metrics-metrics-metrics';
    const other = await startServer(
      await world.settings('other', {
        SEATHOLD_HOST: '0.0.0.0',
        SEATHOLD_SANDBOX: 'off',
        SEATHOLD_METRICS_TOKEN: token,
      }),
    );
    const scraper = await clientOf(other);
    expect(statusOf(await scraper.call('GET', `${other.baseUrl}/metrics`))).toBe(401);
    expect(statusOf(await scraper.call('GET', `${other.baseUrl}/metrics`, { token }))).toBe(200);
  });
});

describe('the sandbox', () => {
  it('can be off: production runs alone, without a second database or port', async () => {
    const { SANDBOX_DATABASE_URL: _, ...settings } = await world.settings('server', { SEATHOLD_SANDBOX: 'off' });
    const server = await startServer(settings);
    const client = await clientOf(server);
    expect(statusOf(await client.call('GET', `${server.baseUrl}/readyz`))).toBe(200);
    const sandbox = await client.call('GET', `https://127.0.0.1:${settings.SEATHOLD_SANDBOX_PORT}/readyz`);
    expect(sandbox.kind).toBe('unsent');
    expect(server.output).not.toMatch(/sandbox/i);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe.each([
  ['sandbox', 'SANDBOX_DATABASE_URL', 'SEATHOLD_SANDBOX_PORT', 'SEATHOLD_PORT'],
  ['production', 'DATABASE_URL', 'SEATHOLD_PORT', 'SEATHOLD_SANDBOX_PORT'],
])('when the database of %s is down', (name, urlSetting, awayPort, otherPort) => {
  it('the other environment starts and serves, and this one follows once its database is back', async () => {
    const settings = await world.settings('server');
    const { port: reachable } = new URL(settings[urlSetting] ?? '');
    // Nothing listens on the port until it is forwarded.
    const gate = String(await findFreePort());
    const server = await startServer({ ...settings, [urlSetting]: gateUrl(settings[urlSetting] ?? '', gate) });
    expect(server.output).toMatch(new RegExp(`${name} .*\\(waiting for its database\\)`));
    const client = await clientOf(server);
    const ask = async (port: string | undefined, path: string) =>
      statusOf(await client.call('GET', `https://127.0.0.1:${port}${path}`));
    // A busy machine may give up on a request.
    await expect.poll(() => ask(settings[otherPort], '/readyz')).toBe(200);
    await expect.poll(() => ask(settings[otherPort], '/v1/plans')).toBe(200);
    expect(await ask(settings[awayPort], '/healthz')).toBe(200);
    expect(await ask(settings[awayPort], '/readyz')).toBe(503);
    expect(await ask(settings[awayPort], '/v1/plans')).toBe(503);
    expect(server.faults).toEqual([]);
    await forward(Number(gate), settings[urlSetting] ?? '', Number(reachable));
    await expect.poll(() => ask(settings[awayPort], '/readyz')).toBe(200);
    await expect.poll(() => ask(settings[awayPort], '/v1/plans')).toBe(200);
    if (name === 'sandbox') {
      await expect.poll(() => server.output.includes('demo organization. This is shown only once')).toBe(true);
    }
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(server.faults).toEqual([]);
  });
});

it('the service reports that no database can be reached when both are down, and exits with 7', async () => {
  const settings = await world.settings('server');
  const gate = String(await findFreePort());
  const server = launchServer({
    ...settings,
    DATABASE_URL: gateUrl(settings.DATABASE_URL ?? '', gate),
    SANDBOX_DATABASE_URL: gateUrl(settings.SANDBOX_DATABASE_URL ?? '', gate),
  });
  expect(await server.ended).toEqual({ code: 7, signal: null });
});

it('the service refuses to start with another master key, even while the other database is down', async () => {
  const settings = await world.settings('server');
  await (await startServer(settings)).end('SIGTERM');
  const gate = String(await findFreePort());
  const other = launchServer({
    ...settings,
    SEATHOLD_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX_DATABASE_URL: gateUrl(settings.SANDBOX_DATABASE_URL ?? '', gate),
  });
  expect(await other.ended).toEqual({ code: 1, signal: null });
  expect(other.output).toContain('The master key is not the one');
});

/** The same database behind a loopback port. */
function gateUrl(url: string, port: string): string {
  const gated = new URL(url);
  gated.searchParams.delete('host');
  gated.host = `127.0.0.1:${port}`;
  return gated.href;
}

/** Forwards this port to the database's real address: a socket in a folder, or a port. */
async function forward(port: number, url: string, target: number): Promise<void> {
  const folder = new URL(url).searchParams.get('host');
  const server = createServer((incoming) => {
    const outgoing = folder === null ? connectTcp(target, '127.0.0.1') : connectTcp(join(folder, `.s.PGSQL.${target}`));
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
}
