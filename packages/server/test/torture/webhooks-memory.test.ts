import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpsClient } from './https-client.ts';
import { type ProcessFacts, readProcess } from './process-facts.ts';
import { scaled } from './scale.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { type Receivers, startReceivers } from './webhook-receivers.ts';
import { openEndpoint, takeSeats, trustEndpoints, untilNothingWaits } from './webhook-site.ts';
import { issueLicenses, signUp, World } from './world.ts';

const ENDPOINTS = 20;
const EVENTS = scaled(100, 1_000);
/** 240 MiB of it are used before anything is sent. */
const MOST_MIB = 550;

let world: World;
let server: ServerProcess;
let client: HttpsClient;
let receivers: Receivers;

beforeAll(async () => {
  [world, receivers] = await Promise.all([World.start(), startReceivers(ENDPOINTS)]);
  server = await startServer(
    await world.settings('server', {
      ...receivers.settings,
      // Dripping responses last this long.
      SEATHOLD_WEBHOOK_TIMEOUT: '5',
      // On an overloaded machine, an attempt may get no response in time.
      SEATHOLD_WEBHOOK_RETRY_DELAYS: '1,1,1,1,1,1,1,1,1,1',
    }),
  );
  client = new HttpsClient([await readAuthority(server.dataDir)]);
});
afterAll(async () => {
  await client.close();
  await receivers.close();
  await world.close();
});

it(`the service keeps its memory within bounds over ${EVENTS * ENDPOINTS} endless responses`, async () => {
  const person = await signUp(client, server.baseUrl, 'ada');
  const [license] = await issueLicenses(world.database, person.organizationId, [EVENTS]);
  for (const [index, receiver] of receivers.all.entries()) {
    receiver.behave((_received, response) => {
      receiver.received.length = 0;
      (index % 2 === 0 ? pour : drip)(response);
    });
    await openEndpoint(client, server.baseUrl, person, receiver.url(), ['license.seat.acquired']);
  }
  await trustEndpoints(world.database, person.organizationId);
  const before = await readProcess(server.pid);
  const samples: ProcessFacts[] = [];
  const isOver = new AbortController();
  const sampling = sample(samples, isOver.signal).catch(() => undefined);
  await takeSeats(client, [server.baseUrl], person, license?.key, EVENTS);
  await untilNothingWaits(world.database, person.organizationId);
  isOver.abort();
  await sampling;
  const after = await readProcess(server.pid);
  process.stdout.write(
    `  endless bodies: ${EVENTS * ENDPOINTS} attempts, memory ${before.memoryMiB} MiB before, ${after.memoryMiB} after, ${after.peakMemoryMiB} at most; sockets ${before.sockets} before, ${Math.max(...samples.map((each) => each.sockets))} at most\n`,
  );
  // The status decides, and the body is cut off: each event is delivered.
  const { rows } = await world.database.execute(TALLY, [person.organizationId]);
  expect(rows).toEqual([{ status: 'succeeded', count: EVENTS * ENDPOINTS }]);
  expect(after.peakMemoryMiB).toBeLessThan(MOST_MIB);
  expect(server.faults).toEqual([]);
});

const TALLY = {
  name: 'test_tally_deliveries',
  text: 'select status, count(*)::int as count from webhook_deliveries where organization_id = $1 group by 1',
};

const CHUNK = Buffer.alloc(65_536, 'x');

/** Writes as much as the other side accepts, and always more. */
function pour(response: ServerResponse): void {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write(CHUNK)) {
      // Until the socket is full.
    }
  };
  response.on('drain', more);
  more();
}

/** Writes one byte a second. */
function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 1_000);
  response.write('x');
  response.once('close', () => clearInterval(timer));
}

async function sample(samples: ProcessFacts[], isOver: AbortSignal): Promise<void> {
  while (!isOver.aborted) {
    samples.push(await readProcess(server.pid));
    await sleep(100);
  }
}
