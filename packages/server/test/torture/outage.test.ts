import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { HttpsClient, type Outcome } from './https-client.ts';
import { scaled } from './scale.ts';
import { endServers, readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { FragileWorld, issueLicenses, type Person, signUp } from './world.ts';

/** Longer than a silent session lives. */
const AWAY_SECONDS = scaled(14, 30);
/** Long enough for everyone's heartbeats to get through in time on a busy machine. */
const TIMEOUT_SECONDS = 12;
const SESSIONS = 20;
const ENOUGH_ANSWERS = 60;

let world: FragileWorld;
let settings: Record<string, string>;
let server: ServerProcess;
let client: HttpsClient;
let person: Person;

beforeAll(async () => {
  world = await FragileWorld.start();
  settings = await world.settings('server', { SEATHOLD_SESSION_TIMEOUT: String(TIMEOUT_SECONDS) });
});
beforeEach(async () => {
  server = await startServer(settings);
  client = new HttpsClient([await readAuthority(server.dataDir)]);
  person = await signUp(client, server.baseUrl, 'ada');
});
afterEach(async () => {
  await client.close();
  await endServers();
});
afterAll(() => world.close());

it('the service answers 503 while PostgreSQL is down, and nobody loses a seat', async () => {
  const sessions = await acquireSeats();
  await beatAll(sessions, 200);
  const license = await acquireSeats();

  await world.takePostgresAway();
  const answers: Outcome[] = [];
  const end = performance.now() + AWAY_SECONDS * 1_000;
  await Promise.all(
    [...sessions, ...license].map(async (session) => {
      while (performance.now() < end || answers.length <= ENOUGH_ANSWERS) {
        answers.push(await beat(session), await call('GET', '/v1/licenses'));
        await sleep(200);
      }
    }),
  );
  // PostgreSQL is still down, so none of them waited for it to come back.
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    expect(Number(answer.kind === 'answer' && answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(await call('GET', '/readyz')).toMatchObject({ status: 503 });
  expect(await call('GET', '/healthz')).toMatchObject({ status: 200 });

  await world.bringPostgresBack();
  await untilReady();
  await beatAll([...sessions, ...license], 200);
  expect(await timeoutsOf([...sessions, ...license])).toEqual([]);
  expect(server.isRunning).toBe(true);
  expect(server.faults).toEqual([]);
  await untilTimedOut([...sessions, ...license]);
});

it('every seat survives a kill -9 of PostgreSQL under load, and PostgreSQL restarts by itself', async () => {
  const sessions = await acquireSeats();
  const before = world.postgresPid;
  world.killPostgres();
  const answers = await Promise.all(sessions.map((session) => beat(session)));
  for (const answer of answers) {
    expect([200, 503]).toContain(answer.kind === 'answer' ? answer.status : answer);
  }
  await untilReady();
  expect(world.postgresPid).not.toBe(before);
  await beatAll(sessions, 200);
  expect(server.faults).toEqual([]);
});

it('time without a running server does not count towards timeouts', async () => {
  const sessions = await acquireSeats();
  await beatAll(sessions, 200);
  await server.end('SIGKILL');
  await sleep(AWAY_SECONDS * 1_000);
  server = await startServer(settings);
  await beatAll(sessions, 200);
  expect(await timeoutsOf(sessions)).toEqual([]);
  expect(server.faults).toEqual([]);
  // The clock continues: sessions that stay silent now do lose their seats.
  await untilTimedOut(sessions);
  await beatAll(sessions, 409);
});

function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Outcome> {
  return client.call(method, server.baseUrl + path, { token: person.token }, body);
}

function beat(sessionId: string): Promise<Outcome> {
  return call('POST', '/v1/licenses/heartbeat', { session_id: sessionId });
}

async function beatAll(sessions: readonly string[], status: number): Promise<void> {
  const answers = await Promise.all(sessions.map((session) => beat(session)));
  expect(answers.map((answer) => (answer.kind === 'answer' ? answer.status : answer))).toEqual(
    sessions.map(() => status),
  );
}

/** Acquires all seats of a new license. */
async function acquireSeats(): Promise<string[]> {
  const [license] = await issueLicenses(world.database, person.organizationId, [SESSIONS]);
  const answers = await Promise.all(
    Array.from({ length: SESSIONS }, (_, number) =>
      call('POST', '/v1/licenses/acquire', {
        license_key: license?.key,
        hardware_id: `hw_${String(number).padStart(32, '0')}`,
      }),
    ),
  );
  return answers.map((answer) => {
    expect(answer).toMatchObject({ status: 201 });
    return answer.kind === 'answer' ? String(answer.body.data.session_id) : '';
  });
}

function timeoutsOf(sessions: readonly string[]): Promise<Array<{ id: string }>> {
  return execute<{ id: string }>(
    world.database,
    `select object->>'session_id' as id from events
     where type = 'license.seat.timeout' and object->>'session_id' = any($1::text[])`,
    [sessions],
  );
}

/** Lets a timeout pass. The reaper announces each of the sessions once. */
async function untilTimedOut(sessions: readonly string[]): Promise<void> {
  await execute(world.database, 'update service_clock set away_ms = greatest(0, away_ms - $1)', [
    TIMEOUT_SECONDS * 1_000,
  ]);
  await expect
    .poll(async () => (await timeoutsOf(sessions)).map((row) => row.id).toSorted(), { interval: 200 })
    .toEqual(sessions.toSorted());
}

async function untilReady(): Promise<void> {
  await expect.poll(() => call('GET', '/readyz'), { interval: 50 }).toMatchObject({ status: 200 });
}
