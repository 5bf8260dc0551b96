import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpsClient } from './https-client.ts';
import { type ProcessFacts, readProcess } from './process-facts.ts';
import { scaled } from './scale.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { World } from './world.ts';

/** A client that holds a connection for as long as it can. `keepOn` is called repeatedly. */
interface SlowClient {
  begin(socket: TLSSocket): void;
  keepOn(socket: TLSSocket): void;
}

const CONNECTIONS = scaled(60, 500);
const SCRIPT_CONNECTIONS = scaled(60, 300);
/**
 * If they were buffered completely, the responses to the slow readers alone would take three times as much in the short
 * run.
 */
const MOST_GROWTH_MIB = 150;

const head = (line: string, ...fields: string[]) => [line, 'Host: localhost', ...fields, ''].join('\r\n');

/** Sends several requests together, so that the kernel's buffers cannot hold all the responses, and reads a little. */
function slowReader(path: string, times: number): SlowClient {
  return {
    begin: (socket) => void socket.write(head(`GET ${path} HTTP/1.1`, '').repeat(times)),
    keepOn: (socket) => void socket.read(32),
  };
}

const slowHeaders: SlowClient = {
  begin: (socket) => void socket.write(head('GET /v1/openapi.json HTTP/1.1')),
  keepOn: (socket) => void socket.write('X-More: x\r\n'),
};

const slowBody: SlowClient = {
  begin: (socket) =>
    void socket.write(
      head('POST /v1/auth/login HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 4096', ''),
    ),
  keepOn: (socket) => void socket.write('x'),
};

const KINDS: ReadonlyArray<readonly [string, number, SlowClient]> = [
  ['readers of /v1/openapi.json', CONNECTIONS, slowReader('/v1/openapi.json', 4)],
  ['readers of /docs’s script', SCRIPT_CONNECTIONS, slowReader('/docs/scalar.js', 2)],
  ['senders of headers', CONNECTIONS, slowHeaders],
  ['senders of a body', CONNECTIONS, slowBody],
];

/** In the short run all kinds together, because each takes half a minute to be cut off. Otherwise one after another. */
const TRIALS = scaled(
  [KINDS],
  KINDS.map((kind) => [kind]),
);

let world: World;
let server: ServerProcess;
let client: HttpsClient;
let authority: string;

beforeAll(async () => {
  world = await World.start();
  server = await startServer(await world.settings('server'));
  authority = await readAuthority(server.dataDir);
  client = new HttpsClient([authority]);
});
afterAll(async () => {
  await client.close();
  await world.close();
});

it.each(TRIALS.map((kinds) => [kinds.map(([name, count]) => `${count} slow ${name}`).join(', '), kinds] as const))(
  '%s are cut off, take little memory and do not hold up other clients',
  async (_name, kinds) => {
    for (const path of ['/v1/openapi.json', '/docs/scalar.js']) {
      await expectServed(path);
    }
    const before = await readProcess(server.pid);
    const isOver = new AbortController();
    const watching = watch(isOver.signal);
    const sockets = await Promise.all(
      kinds.flatMap(([, count, kind]) => Array.from({ length: count }, () => attack(kind))),
    );
    const held = (await readProcess(server.pid)).sockets;
    await untilCut(before.sockets);
    isOver.abort();
    const { samples, waitsMs } = await watching;
    for (const socket of sockets) {
      socket.destroy();
    }
    const most = Math.max(...samples.map((each) => each.memoryMiB));
    process.stdout.write(
      `  ${sockets.length} slow clients: memory ${before.memoryMiB} MiB before, ${most} at most, ${samples.at(-1)?.memoryMiB} after; ${waitsMs.length} requests beside them waited ${Math.round(Math.max(...waitsMs))} ms at most\n`,
    );
    expect(held).toBeGreaterThan(before.sockets);
    expect(most - before.memoryMiB).toBeLessThan(MOST_GROWTH_MIB);
    expect(server.faults).toEqual([]);
    await expectServed('/readyz');
  },
);

async function expectServed(path: string): Promise<number> {
  const outcome = await client.call('GET', `${server.baseUrl}${path}`);
  expect(outcome).toMatchObject({ kind: 'answer', status: 200 });
  return outcome.receivedAt - outcome.sentAt;
}

/** Opens one slow connection. Its responses and its end do not matter. */
async function attack(kind: SlowClient): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(server.baseUrl);
  const socket = connect({ host, port: Number(port), servername: 'localhost', ca: authority });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  kind.begin(socket);
  const timer = setInterval(() => (socket.writable ? kind.keepOn(socket) : clearInterval(timer)), 5_000);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

/** Waits until the server holds no more connections than before. The healthy client may have opened some. */
async function untilCut(before: number): Promise<void> {
  while ((await readProcess(server.pid)).sockets > before + 10) {
    await sleep(250);
  }
}

/** Sends requests like an ordinary client until the end, and watches the process. */
async function watch(isOver: AbortSignal): Promise<{ samples: ProcessFacts[]; waitsMs: number[] }> {
  const samples: ProcessFacts[] = [];
  const waitsMs: number[] = [];
  while (!isOver.aborted) {
    waitsMs.push(await expectServed('/readyz'));
    samples.push(await readProcess(server.pid));
    await sleep(100);
  }
  return { samples, waitsMs };
}
