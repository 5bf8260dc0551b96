import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { HttpsClient, type Outcome } from './https-client.ts';
import { scaled } from './scale.ts';
import { readAuthority, startServer } from './server-process.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { issueLicenses, signUp, World } from './world.ts';

const FROZEN_SECONDS = scaled(15, 40);
/** Long enough for everyone's heartbeats to get through in time on a busy machine. */
const TIMEOUT_SECONDS = 12;
const CLIENTS = 20;

let world: World;
let proxy: TcpProxy;

beforeAll(async () => {
  world = await World.start();
  proxy = await TcpProxy.start(world.productionUrl);
});
afterAll(async () => {
  await world.close();
  proxy.close();
});

it('every client gets 503 each time the network to PostgreSQL falls silent, and none loses a seat', async () => {
  const direct = await world.settings('server', { SEATHOLD_SESSION_TIMEOUT: String(TIMEOUT_SECONDS) });
  const server = await startServer({
    ...direct,
    DATABASE_URL: proxy.through(direct.DATABASE_URL ?? ''),
    SANDBOX_DATABASE_URL: proxy.through(direct.SANDBOX_DATABASE_URL ?? ''),
  });
  const client = new HttpsClient([await readAuthority(server.dataDir)]);
  const person = await signUp(client, server.baseUrl, 'ada');
  const [license] = await issueLicenses(world.database, person.organizationId, [CLIENTS]);
  const post = (path: string, body: object) =>
    client.call('POST', `${server.baseUrl}/v1/licenses/${path}`, { token: person.token }, body);

  const answers: Outcome[] = [];
  const sessions: string[] = [];
  /** Requests per client that were sent and answered while the network was silent. */
  const inSilence = Array.from({ length: CLIENTS }, () => 0);
  let isFrozen = false;
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, number) => {
    const body = { license_key: license?.key, hardware_id: `hw_${randomBytes(16).toString('hex')}` };
    const acquired = await post('acquire', body);
    const sessionId = acquired.kind === 'answer' ? String(acquired.body.data?.session_id) : '';
    sessions.push(sessionId);
    while (!isOver) {
      const wasFrozen = isFrozen;
      answers.push(await post('heartbeat', { session_id: sessionId }));
      inSilence[number] = (inSilence[number] ?? 0) + (wasFrozen && isFrozen ? 1 : 0);
      await sleep(20);
    }
  });
  await expect.poll(() => sessions.length).toBe(CLIENTS);
  await sleep(1_000);
  proxy.freeze();
  isFrozen = true;
  await sleep(FROZEN_SECONDS * 1_000);
  await expect.poll(() => Math.min(...inSilence), { interval: 100 }).toBeGreaterThan(1);
  isFrozen = false;
  proxy.thaw();
  await expect
    .poll(() => client.call('GET', `${server.baseUrl}/readyz`), { interval: 100 })
    .toMatchObject({ status: 200 });
  await sleep(1_000);
  isOver = true;
  await Promise.all(clients);

  const others = answers.filter((answer) => answer.kind !== 'answer' || ![200, 503].includes(answer.status));
  expect(others.slice(0, 3)).toEqual([]);
  const last = await Promise.all(sessions.map((sessionId) => post('heartbeat', { session_id: sessionId })));
  expect(last.map((answer) => answer.kind === 'answer' && answer.status)).toEqual(sessions.map(() => 200));
  const timeouts = await execute(world.database, `select id from events where type = 'license.seat.timeout'`);
  expect(timeouts).toEqual([]);
  expect(server.isRunning).toBe(true);
  expect(server.faults).toEqual([]);
  await client.close();
});
