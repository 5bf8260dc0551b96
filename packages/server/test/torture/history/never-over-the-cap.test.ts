import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../../harness/index.ts';
import { HttpsClient } from '../https-client.ts';
import { portionOf, scaled } from '../scale.ts';
import { readAuthority, startServer } from '../server-process.ts';
import { FragileWorld, issueLicenses, type Person, signUp } from '../world.ts';
import { checkIntervals } from './check-intervals.ts';
import { checkTables } from './check-tables.ts';
import { sampleServiceClock } from './clock-sampler.ts';
import type { Entry } from './entry.ts';
import { killRepeatedly, type Victim } from './nemesis.ts';
import { machine } from './worker.ts';
import { work } from './workers.ts';

const OPERATIONS = portionOf(3_000, 100_000);
const KILLS = scaled(5, Math.ceil((OPERATIONS * 60) / 100_000));
/** Machines can be activated by key, and at most two seats of a license are offline at the same time. */
const POLICY = { activation: 'key', max_offline_seconds: 3_600, min_online_seats: 3 } as const;
const ACTIVATED = 6;
const WORKERS = 40;
const SEATS = [1, 2, 5, 9];
const TIMEOUT_SECONDS = 3;

let world: FragileWorld;
let client: HttpsClient;
let victims: Victim[];

beforeAll(async () => {
  world = await FragileWorld.start();
  const all = await Promise.all(
    ['one', 'two'].map((name) => world.settings(name, { SEATHOLD_SESSION_TIMEOUT: String(TIMEOUT_SECONDS) })),
  );
  // Both at the same time, on an empty database: one of them migrates.
  victims = await Promise.all(all.map(async (settings) => ({ settings, server: await startServer(settings) })));
  client = new HttpsClient(await Promise.all(victims.map((victim) => readAuthority(victim.server.dataDir))));
});
afterAll(async () => {
  await client.close();
  await world.close();
});

it(`no seat is given twice and no acknowledged answer is lost in ${OPERATIONS} operations on two servers, while they and PostgreSQL are killed`, async () => {
  const baseUrls = victims.map((victim) => victim.server.baseUrl);
  const people = await signUpColleagues(baseUrls[0] ?? '');
  const organizationId = people[0]?.organizationId ?? '';
  const licenses = await issueLicenses(world.database, organizationId, SEATS, POLICY);
  const activated = await activateMachines(baseUrls[0] ?? '', licenses);
  const entries: Entry[] = [];
  const clock = sampleServiceClock(world.database);
  let answered = 0;
  const counts = { ...NOTHING };
  const record = (entry: Entry) => {
    entries.push(entry);
    counts[entry.result] += 1;
    answered += entry.result === 'unsent' || entry.result === 'unknown' ? 0 : 1;
  };
  // A history with few operations proves nothing, so it continues until enough of each has happened.
  const hasEnough = () =>
    counts.done > OPERATIONS / 4 && counts.full > OPERATIONS / 50 && counts['timed-out'] > 0 && counts.unknown > 0;
  const isOver = () => answered >= OPERATIONS && hasEnough();
  const site = {
    client,
    baseUrls,
    organizationId,
    people,
    licenses,
    activated,
    areClaiming: true,
    timeoutMs: TIMEOUT_SECONDS * 1_000,
  };
  const [killLog] = await Promise.all([
    killRepeatedly(
      world,
      victims,
      KILLS,
      () => answered / OPERATIONS,
      () => counts.unknown > 0,
    ),
    work({ ...site, isOver, record }, WORKERS),
  ]);
  await untilReady(baseUrls);
  await untilAtRest();
  await clock.stop();

  const history = { entries, samples: clock.samples, seats: SEATS, timeoutMs: site.timeoutMs };
  const violations = [...checkIntervals(history), ...(await checkTables(world.database, organizationId, entries))];
  const faults = [...killLog.faults, ...victims.flatMap((victim) => victim.server.faults)];
  expect({ violations: violations.slice(0, 20), faults: faults.slice(0, 20) }, killLog.lines.join('\n')).toEqual({
    violations: [],
    faults: [],
  });
  expect(victims.every((victim) => victim.server.isRunning)).toBe(true);
  expect(hasEnough()).toBe(true);
});

const NOTHING: Record<Entry['result'], number> = {
  done: 0,
  full: 0,
  'timed-out': 0,
  released: 0,
  unsent: 0,
  unknown: 0,
  fault: 0,
};

/** Three members of one organization; the first is its admin. */
async function signUpColleagues(baseUrl: string): Promise<Person[]> {
  const people = await Promise.all(['ada', 'bob', 'eve'].map((name) => signUp(client, baseUrl, name)));
  const [admin, ...others] = people;
  for (const other of others) {
    await execute(
      world.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at) values ($1, $2, 'Test', 'member', clock_timestamp())`,
      [admin?.organizationId, other.userId],
    );
  }
  return people;
}

/** The first workers are machines without a user. */
async function activateMachines(
  baseUrl: string,
  licenses: ReadonlyArray<{ key: string }>,
): Promise<Array<{ token: string; hardwareId: string; license: number }>> {
  const activated = [];
  for (let number = 0; number < ACTIVATED; number += 1) {
    const license = number % licenses.length;
    const hardwareId = machine();
    const body = { license_key: licenses[license]?.key, hardware_id: hardwareId };
    const outcome = await client.call('POST', `${baseUrl}/v1/licenses/activate`, {}, body);
    expect(outcome).toMatchObject({ kind: 'answer', status: 201 });
    activated.push({ token: outcome.kind === 'answer' ? outcome.body.data.activation_token : '', hardwareId, license });
  }
  return activated;
}

async function untilReady(baseUrls: readonly string[]): Promise<void> {
  for (const baseUrl of baseUrls) {
    await expect
      .poll(() => client.call('GET', `${baseUrl}/readyz`), { interval: 100 })
      .toMatchObject({ kind: 'answer', status: 200 });
  }
}

/** All workers are gone, and the last sessions time out and are announced. */
async function untilAtRest(): Promise<void> {
  const taken = () =>
    execute<{ taken: number }>(world.database, 'select sum(taken)::int as taken from license_seat_counts');
  await expect.poll(taken, { interval: 200 }).toEqual([{ taken: 0 }]);
  await sleep(100);
}
