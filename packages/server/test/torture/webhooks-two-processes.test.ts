import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { startReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { HttpsClient } from './https-client.ts';
import { scaled } from './scale.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { openEndpoint, takeSeats, trustEndpoints, untilNothingWaits } from './webhook-site.ts';
import { FragileWorld, issueLicenses, type Person, signUp } from './world.ts';

const EVENTS = scaled(200, 2_000);
const ENDPOINTS = 5;
const IN_FLIGHT = 20;
/** The maximum. A lease lasts ten seconds longer: a late write counts only while the lease lasts. */
const TIMEOUT_SECONDS = 60;
const RETRY_SECONDS = 1;

let world: FragileWorld;
let settings: Array<Record<string, string>>;
let servers: ServerProcess[];
let client: HttpsClient;
let person: Person;
let licenseKey: string | undefined;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [world, receiver] = await Promise.all([FragileWorld.start(), startReceiver()]);
  const own = {
    ...receiver.settings,
    SEATHOLD_WEBHOOK_TIMEOUT: String(TIMEOUT_SECONDS),
    SEATHOLD_WEBHOOK_RETRY_DELAYS: [RETRY_SECONDS, 60, 60, 60, 60].join(','),
  };
  settings = await Promise.all(['one', 'two'].map((name) => world.settings(name, own)));
  servers = await Promise.all(settings.map((each) => startServer(each)));
  client = new HttpsClient(await Promise.all(servers.map((server) => readAuthority(server.dataDir))));
});
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.behave((_received, response) => response.writeHead(200).end('ok'));
  person = await signUp(client, baseUrls()[0] ?? '', 'ada');
  const [license] = await issueLicenses(world.database, person.organizationId, [EVENTS]);
  licenseKey = license?.key;
});
afterAll(async () => {
  await client.close();
  await receiver.close();
  await world.close();
});

it(`two processes deliver ${EVENTS} simultaneous events to ${ENDPOINTS} endpoints exactly once if nothing fails`, async () => {
  const paths = Array.from({ length: ENDPOINTS }, (_, number) => `/hooks-${number}`);
  for (const path of paths) {
    await open(path);
  }
  await takeSeats(client, baseUrls(), person, licenseKey, EVENTS);
  await untilNothingWaits(world.database, person.organizationId);
  const counts = Map.groupBy(receiver.received, (each) => `${each.path} ${each.event.id}`);
  expect([...counts.values()].filter((each) => each.length > 1)).toEqual([]);
  expect(counts.size).toBe(EVENTS * ENDPOINTS);
  expect(await readTallies()).toEqual([{ status: 'succeeded', attempts: 1, count: EVENTS * ENDPOINTS }]);
  const numbersOf = Map.groupBy(receiver.received, (each) => each.path);
  for (const received of numbersOf.values()) {
    const numbers = received.map((each) => Number(each.headers['x-service-sequence']));
    expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: EVENTS }, (_, at) => at + 1));
  }
  await requireInvariants(world.database);
});

it('a process writes the responses that it got while PostgreSQL was down, without a second attempt', async () => {
  const held = await hangAttempts();
  await world.takePostgresAway();
  for (const [index, response] of held.entries()) {
    response.writeHead(index % 2 === 0 ? 200 : 500).end();
  }
  await sleep(scaled(2_000, 6_000));
  receiver.behave((_received, response) => response.writeHead(200).end());
  await world.bringPostgresBack();
  await untilNothingWaits(world.database, person.organizationId);
  expect(await readTallies()).toEqual([
    { status: 'succeeded', attempts: 1, count: IN_FLIGHT / 2 },
    { status: 'succeeded', attempts: 2, count: IN_FLIGHT / 2 },
  ]);
  expect(receiver.received).toHaveLength(IN_FLIGHT + IN_FLIGHT / 2);
});

it('a stopping process releases hanging attempts without waiting for them, and another process makes them', async () => {
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  const one = await startServer(settings[0] ?? {});
  servers = [one];
  await hangAttempts();
  const sandbox = await hangInSandbox(one, settings[0]?.SEATHOLD_SANDBOX_PORT);
  servers = [await startServer(settings[1] ?? {})];
  const slow = await beginRequest(one);
  await leaseForADay();
  const before = receiver.received.length;
  receiver.behave((_received, response) => response.writeHead(200).end());
  const toldAt = performance.now();
  const ended = one.end('SIGTERM').then((ending) => ({ ...ending, afterMs: performance.now() - toldAt }));
  await expect.poll(() => receiver.received.length - before, { interval: 10 }).toBe(IN_FLIGHT + 1);
  const repeatedAfterMs = performance.now() - toldAt;
  const ending = await ended;
  slow.destroy();
  process.stdout.write(
    `  SIGTERM: made again after ${repeatedAfterMs.toFixed(0)} ms, ended after ${ending.afterMs.toFixed(0)} ms\n`,
  );
  expect(ending).toMatchObject({ code: 0, signal: null });
  await untilNothingWaits(world.database, person.organizationId);
  // An attempt that was cut off is not a failed one: it was handed back as if it had not started.
  expect(await readTallies()).toEqual([{ status: 'succeeded', attempts: 1, count: IN_FLIGHT }]);
  expect(receiver.received.filter((each) => each.path === sandbox)).toHaveLength(2);
  expect(one.faults).toEqual([]);
});

/** From now on no claimed attempt is repeated because its lease ended. */
async function leaseForADay(): Promise<void> {
  for (const database of [world.database, world.sandboxDatabase]) {
    await execute(
      database,
      `with taken as (update webhook_queue set leased_until = clock_timestamp() + interval '1 day')
       update webhook_planned_attempts set leased_until = clock_timestamp() + interval '1 day' where claim_id is not null`,
    );
  }
}

function baseUrls(): string[] {
  return servers.map((server) => server.baseUrl);
}

function open(path: string): Promise<string> {
  return openEndpoint(client, baseUrls()[0] ?? '', person, receiver.url(path), ['license.seat.acquired']);
}

/** Creates attempts that are all in flight at the same time and can be answered. */
async function hangAttempts(): Promise<ServerResponse[]> {
  const held = receiver.hold();
  await open('/hangs');
  await trustEndpoints(world.database, person.organizationId);
  await takeSeats(client, baseUrls().slice(0, 1), person, licenseKey, IN_FLIGHT);
  await expect.poll(() => held.length, { interval: 10 }).toBe(IN_FLIGHT);
  return held;
}

/** The sandbox of the same process has its own attempt in flight. Returns its path. */
async function hangInSandbox({ dataDir }: ServerProcess, port: string | undefined): Promise<string> {
  const path = '/sandbox';
  const client = new HttpsClient([await readAuthority(dataDir)]);
  const sandboxUrl = `https://127.0.0.1:${port}`;
  const eve = await signUp(client, sandboxUrl, 'eve');
  const id = await openEndpoint(client, sandboxUrl, eve, receiver.url(path));
  await client.call('POST', `${sandboxUrl}/v1/webhooks/${id}/test`, eve, { type: 'license.seat.acquired' });
  await expect.poll(() => receiver.received.at(-1)?.path, { interval: 10 }).toBe(path);
  await client.close();
  return path;
}

/** A request that never ends: a stopping process waits for it as long as for any other. */
async function beginRequest({ baseUrl }: ServerProcess): Promise<TLSSocket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  socket.write(
    `POST /v1/auth/login HTTP/1.1\r\nHost: api.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  );
  return socket;
}

function readTallies(): Promise<Array<{ status: string; attempts: number; count: number }>> {
  return execute(
    world.database,
    `select status, attempts, count(*)::int as count from webhook_deliveries where organization_id = $1
     group by 1, 2 order by 1, 2`,
    [person.organizationId],
  );
}
