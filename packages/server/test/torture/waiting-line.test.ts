import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listSeatFaults } from '../../src/licensing/index.ts';
import { execute } from '../harness/index.ts';
import { HttpsClient, type Outcome } from './https-client.ts';
import { scaled } from './scale.ts';
import { launchServer, readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { issueLicenses, type Person, signUp, World } from './world.ts';

const MACHINES = scaled(120, 1_000);

let world: World;
let server: ServerProcess;
let client: HttpsClient;
let ada: Person;

beforeAll(async () => {
  world = await World.start();
  server = await startServer(await world.settings('one'));
  client = new HttpsClient([await readAuthority(server.dataDir)]);
  ada = await signUp(client, server.baseUrl, 'ada');
});
afterAll(async () => {
  await client.close();
  await world.close();
});

it(`${MACHINES} machines waiting for one seat get it in order, although the service is killed meanwhile`, async () => {
  const [license] = await issueLicenses(world.database, ada.organizationId, [1]);
  const acquire = () => {
    const body = {
      license_key: license?.key,
      hardware_id: `hw_${randomBytes(16).toString('hex')}`,
      wait_seconds: 3_600,
    };
    return call('POST', 'acquire', body);
  };
  let holder = await answerOf(acquire(), 201);
  const joined = await Promise.all(Array.from({ length: MACHINES }, () => answerOf(acquire(), 202)));
  const line = joined.toSorted((one, other) => one.position - other.position).map(({ wait_id: id }) => String(id));
  expect(joined.map(({ position }) => position).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: MACHINES }, (_, index) => index + 1),
  );
  for (const [place, waitId] of line.entries()) {
    if (place === Math.floor(MACHINES / 2)) {
      await killWhileAsking(line.slice(place, place + 20));
    }
    await answerOf(call('POST', 'release', { session_id: holder.session_id }), 200);
    // Neither a newcomer nor a machine further back in line gets the seat, whichever asks first.
    const outsider = call('POST', 'acquire', { license_key: license?.key, hardware_id: `hw_${'0'.repeat(32)}` });
    const behind = line[place + 1 + Math.floor(Math.random() * (MACHINES - place - 1))];
    if (behind !== undefined) {
      const { status, position } = await answerOf(call('GET', `waits/${behind}`), 200);
      expect([status, position]).toEqual(['waiting', line.indexOf(behind) - place + 1]);
    }
    expect(await outsider).toMatchObject({ status: 409, body: { error: { code: 'no_seats_available' } } });
    holder = await answerOf(call('GET', `waits/${waitId}`), 200);
    expect(holder.status, waitId).toBe('granted');
  }
  const granted = await execute<{ id: string }>(
    world.database,
    `select w.id from seat_waits w left join seat_sessions s on s.organization_id = w.organization_id and s.id = w.session_id
     where w.organization_id = $1 and w.status = 'granted' order by s.started_at nulls last, w.place`,
    [ada.organizationId],
  );
  expect(granted.map(({ id }) => id)).toEqual(line);
  expect(await listSeatFaults(world.database)).toEqual([]);
  expect(server.faults).toEqual([]);
});

/** Kills the service while machines wait in long polls, and restarts it. */
async function killWhileAsking(waitIds: readonly string[]): Promise<void> {
  const asking = waitIds.map((id) => call('GET', `waits/${id}?timeout=25`));
  await sleep(200);
  await server.end('SIGKILL');
  const outcomes = await Promise.all(asking);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unknown']));
  server = await launchServer(server.settings).untilReady();
}

function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Outcome> {
  return client.call(method, `${server.baseUrl}/v1/licenses/${path}`, { token: ada.token }, body);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
async function answerOf(asking: Promise<Outcome>, status: number): Promise<any> {
  const outcome = await asking;
  expect(outcome).toMatchObject({ kind: 'answer', status });
  return outcome.kind === 'answer' ? outcome.body.data : undefined;
}
