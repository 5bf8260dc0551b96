import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { type HangingAddresses, openHangingAddresses, plantBacklog } from './hanging-endpoints.ts';
import { HttpsClient } from './https-client.ts';
import { type ProcessFacts, readProcess } from './process-facts.ts';
import { scaled } from './scale.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { type Receivers, startReceivers } from './webhook-receivers.ts';
import { openEndpoint, takeSeats } from './webhook-site.ts';
import { issueLicenses, type Person, signUp, World } from './world.ts';

const HANGING = scaled(300, 1_000);
const OVERDUE_EACH = scaled(50, 300);
const ADDRESSES = 10;
/**
 * For attempts at endpoints that have not answered quickly yet. Requests and the database need only a few more sockets.
 */
const CAPACITY = 2_048;
const OTHER_SOCKETS = 200;
const EVENTS = 21;
/** Short enough for every hanging attempt to end and hang again while the events come in. */
const TIMEOUT_SECONDS = scaled(6, 15);
const LEASE_SECONDS = TIMEOUT_SECONDS + 10;
/**
 * The most attempts of the backlog that may start between an event and its first attempt. How long that takes is
 * measured in bench/ (`hanging-endpoints`). Here only the order counts, which is the same on a busy machine.
 */
const OVERTAKEN_BY_AT_MOST = (HANGING * OVERDUE_EACH) / 10;
const MOST_MIB = scaled(500, 800);

let world: World;
let settings: Record<string, string>;
let server: ServerProcess;
let client: HttpsClient;
let receivers: Receivers;
let hanging: HangingAddresses;

beforeAll(async () => {
  [world, receivers] = await Promise.all([World.start(), startReceivers(ADDRESSES + 1)]);
  hanging = await openHangingAddresses(ADDRESSES, receivers.all.slice(1));
  settings = await world.settings('server', {
    ...receivers.settings,
    SEATHOLD_WEBHOOK_TIMEOUT: String(TIMEOUT_SECONDS),
  });
  server = await startServer(settings);
  client = new HttpsClient([await readAuthority(server.dataDir)]);
});
afterAll(async () => {
  await client.close();
  hanging.close();
  await receivers.close();
  await world.close();
});

it(`events for an endpoint that answers are sent long before ${HANGING * OVERDUE_EACH} overdue deliveries to ${HANGING} hanging endpoints`, async () => {
  const ada = await signUp(client, server.baseUrl, 'ada');
  const before = await readProcess(server.pid);
  const { SEATHOLD_MASTER_KEY: masterKey } = settings;
  const backlog = { urls: hanging.urls, endpoints: HANGING, deliveries: OVERDUE_EACH };
  await plantBacklog(world.database, masterKey, backlog);
  await expect.poll(() => hanging.open(), { interval: 20 }).toBeGreaterThanOrEqual(HANGING * 0.9);

  const [license] = await issueLicenses(world.database, ada.organizationId, [EVENTS]);
  const isOver = new AbortController();
  const samples: ProcessFacts[] = [];
  const sampling = sampleProcess(samples, isOver.signal).catch(() => undefined);
  await openEndpoint(client, server.baseUrl, ada, receivers.all[0]?.url() ?? '', ['license.seat.acquired']);
  const [session] = await takeSeats(client, [server.baseUrl], ada, license?.key, 1);
  const beating = beat(ada, session, isOver.signal);
  for (let event = 1; event < EVENTS; event += 1) {
    await sleep(scaled(200, 1_000));
    await takeSeats(client, [server.baseUrl], ada, license?.key, 1);
  }
  await expect.poll(() => readLags(ada).then((lags) => lags.length), { interval: 50 }).toBe(EVENTS);
  isOver.abort();
  const timedOut = await retryWhatTimedOut(ada);
  await sampling;

  const lags = await readLags(ada);
  const overtaking = await countStartedBefore(ada);
  const beats = (await beating).toSorted((one, other) => one - other);
  const most = (of: (facts: ProcessFacts) => number) => Math.max(...samples.map(of));
  await expect.poll(() => new Set(receivers.all[0]?.received.map((each) => each.event.id)).size).toBe(EVENTS);
  process.stdout.write(
    `  isolation: first attempt after ${lags[0]} ms, the next at most ${Math.max(...lags.slice(1))} ms; ${await countEndedElsewhere(ada)} attempts hung and ended; ` +
      `memory ${before.memoryMiB} MiB before, ${most((each) => each.memoryMiB)} at most; sockets ${before.sockets} before, ${most((each) => each.sockets)} at most; ` +
      `${beats.length} heartbeats, p50 ${beats[Math.floor(beats.length / 2)]?.toFixed(1)} ms, p99 ${beats[Math.floor(beats.length * 0.99)]?.toFixed(1)} ms; ${Math.max(...overtaking)} attempts of the backlog began meanwhile at most; ${timedOut} timed out and were retried\n`,
  );
  expect(overtaking).toHaveLength(EVENTS);
  expect(Math.max(...overtaking)).toBeLessThan(OVERTAKEN_BY_AT_MOST);
  expect(most((each) => each.sockets)).toBeLessThan(CAPACITY + OTHER_SOCKETS);
  expect(most((each) => each.memoryMiB)).toBeLessThan(MOST_MIB);
  expect(server.faults).toEqual([]);
});

/**
 * The receivers share this process with the hanging addresses and with other tests: a busy machine may not complete a
 * handshake in time. That ends an attempt, never a delivery, whose next attempt would come after a minute.
 */
async function retryWhatTimedOut(ada: Person): Promise<number> {
  const failed = await execute<{ endpoint_id: string; delivery_id: string; error: string }>(
    world.database,
    'select endpoint_id, delivery_id, error from webhook_attempts where organization_id = $1 and error is not null',
    [ada.organizationId],
  );
  for (const { endpoint_id: endpoint, delivery_id: delivery, error } of failed) {
    expect(error).toMatch(/^(?:connect_)?timeout$/);
    const url = `${server.baseUrl}/v1/webhooks/${endpoint}/deliveries/${delivery}/retry`;
    const caller = { token: ada.token, organizationId: ada.organizationId };
    expect(await client.call('POST', url, caller)).toMatchObject({ kind: 'answer', status: 200 });
  }
  return failed.length;
}

/** If a delivery has only one attempt, it is in the delivery's own row. */
const ALL_ATTEMPTS = `select organization_id, delivery_id, number, started_at from webhook_attempts
  union all
  select organization_id, id, 1, last_attempt_at from webhook_deliveries where only_duration_ms is not null`;

/** The time from each event to its first attempt, in milliseconds. */
async function readLags({ organizationId }: Person): Promise<number[]> {
  const rows = await execute<{ lag_ms: number }>(
    world.database,
    `select (extract(epoch from a.started_at - e.created) * 1000)::int as lag_ms
     from webhook_deliveries d
     join events e on e.organization_id = d.organization_id and e.id = d.event_id
     join (${ALL_ATTEMPTS}) a on a.organization_id = d.organization_id and a.delivery_id = d.id and a.number = 1
     where d.organization_id = $1 order by e.id`,
    [organizationId],
  );
  return rows.map((row) => row.lag_ms);
}

/** Per event, how many attempts at everyone else's endpoints started between it and its first attempt. */
async function countStartedBefore({ organizationId }: Person): Promise<number[]> {
  const rows = await execute<{ count: number }>(
    world.database,
    `select (select count(*)::int from (${ALL_ATTEMPTS}) o
        where o.organization_id <> $1 and o.started_at between e.created and a.started_at)
      + (select count(*)::int from webhook_planned_attempts p
        where p.organization_id <> $1 and p.claim_id is not null
          and p.leased_until - $2 * interval '1 second' between e.created and a.started_at) as count
     from webhook_deliveries d
     join events e on e.organization_id = d.organization_id and e.id = d.event_id
     join (${ALL_ATTEMPTS}) a on a.organization_id = d.organization_id and a.delivery_id = d.id and a.number = 1
     where d.organization_id = $1`,
    [organizationId, LEASE_SECONDS],
  );
  return rows.map((row) => row.count);
}

/** The finished attempts at everyone else's endpoints. */
async function countEndedElsewhere({ organizationId }: Person): Promise<number> {
  const rows = await execute<{ count: number }>(
    world.database,
    `select count(*)::int as count from (${ALL_ATTEMPTS}) a where organization_id <> $1`,
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

/** Keeps a seat. Returns how long each heartbeat took. */
async function beat(
  { token, organizationId }: Person,
  sessionId: string | undefined,
  isOver: AbortSignal,
): Promise<number[]> {
  const took: number[] = [];
  while (!isOver.aborted) {
    const body = { session_id: sessionId };
    const caller = { token, organizationId };
    const answer = await client.call('POST', `${server.baseUrl}/v1/licenses/heartbeat`, caller, body);
    expect(answer).toMatchObject({ kind: 'answer', status: 200 });
    took.push(answer.receivedAt - answer.sentAt);
    await sleep(20);
  }
  return took;
}

async function sampleProcess(samples: ProcessFacts[], isOver: AbortSignal): Promise<void> {
  while (!isOver.aborted) {
    samples.push(await readProcess(server.pid));
    await sleep(200);
  }
}
