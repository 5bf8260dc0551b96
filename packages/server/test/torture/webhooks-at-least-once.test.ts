import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { type Received, startReceiver, type WebhookReceiver } from '../harness/webhook-receiver.ts';
import { isOutlivedLease } from './expected-consequences.ts';
import { checkTables } from './history/check-tables.ts';
import type { Entry } from './history/entry.ts';
import { killRepeatedly, type Victim } from './history/nemesis.ts';
import { work } from './history/workers.ts';
import { HttpsClient } from './https-client.ts';
import { portionOf, scaled } from './scale.ts';
import { readAuthority, startServer } from './server-process.ts';
import { listEvents, openEndpoint, untilNothingWaits } from './webhook-site.ts';
import { FragileWorld, issueLicenses, signUp } from './world.ts';

const EVENTS = portionOf(600, 100_000);
const KILLS = scaled(5, Math.ceil(EVENTS / 500));
const WORKERS = 30;
const SEATS = [4, 10, 10, 10];
const SEAT_TIMEOUT_SECONDS = 3;

/** What each path of the receiver subscribes to, and the matching types. */
const SUBSCRIPTIONS = [
  { path: '/all', events: ['*'], wants: () => true },
  { path: '/group', events: ['license.seat.*'], wants: (type: string) => type.startsWith('license.seat.') },
  { path: '/one', events: ['license.seat.released'], wants: (type: string) => type === 'license.seat.released' },
];

let world: FragileWorld;
let client: HttpsClient;
let victims: Victim[];
let receiver: WebhookReceiver;

beforeAll(async () => {
  [world, receiver] = await Promise.all([FragileWorld.start(), startReceiver()]);
  const all = await Promise.all(
    ['one', 'two'].map((name) => world.settings(name, { ...SETTINGS, ...receiver.settings })),
  );
  victims = await Promise.all(all.map(async (settings) => ({ settings, server: await startServer(settings) })));
  client = new HttpsClient(await Promise.all(victims.map((victim) => readAuthority(victim.server.dataDir))));
});
afterAll(async () => {
  await client.close();
  await receiver.close();
  await world.close();
});

/** Retries follow soon enough to fall between the kills. The lease of a killed process lasts 14 s. */
const SETTINGS = {
  SEATHOLD_SESSION_TIMEOUT: String(SEAT_TIMEOUT_SECONDS),
  SEATHOLD_WEBHOOK_TIMEOUT: '4',
  SEATHOLD_WEBHOOK_RETRY_DELAYS: '1,1,1,1,1,1,1,1,1,1',
};

it(`the service delivers each of ${EVENTS} events at least once, through ${KILLS} kills of its processes and PostgreSQL`, async () => {
  const baseUrls = victims.map((victim) => victim.server.baseUrl);
  const [baseUrl = ''] = baseUrls;
  const person = await signUp(client, baseUrl, 'ada');
  const { organizationId } = person;
  const licenses = await issueLicenses(world.database, organizationId, SEATS);
  const before = new Set((await listEvents(client, baseUrl, person)).map((each) => each.id));
  for (const { path, events } of SUBSCRIPTIONS) {
    await openEndpoint(client, baseUrl, person, receiver.url(path), events);
  }
  const mailbox = openMailbox(receiver);
  const entries: Entry[] = [];
  let changes = 0;
  const record = (entry: Entry) => {
    entries.push(entry);
    changes += entry.result === 'done' && entry.operation !== 'heartbeat' ? 1 : 0;
  };
  // A run without interruptions proves nothing, so it continues until a kill has cut off a response.
  const wasFelt = () => entries.some((entry) => entry.result === 'unknown');
  const timeoutMs = SEAT_TIMEOUT_SECONDS * 1_000;
  const site = { client, baseUrls, organizationId, people: [person], licenses, timeoutMs, record };
  const [killLog] = await Promise.all([
    killRepeatedly(world, victims, KILLS, () => changes / EVENTS, wasFelt),
    work({ ...site, isOver: () => changes >= EVENTS && wasFelt() }, WORKERS),
  ]);
  await untilSeatsAreFree();
  await untilNothingWaits(world.database, organizationId);

  const events = (await listEvents(client, baseUrl, person)).filter((each) => !before.has(each.id));
  const lost = SUBSCRIPTIONS.flatMap(({ path, wants }) =>
    events.filter((each) => wants(each.type) && !mailbox.of(path).has(each.id)).map((each) => `${path} ${each.id}`),
  );
  const unknown = SUBSCRIPTIONS.flatMap(({ path, wants }) => {
    const wanted = new Set(events.filter((each) => wants(each.type)).map((each) => each.id));
    return [...mailbox.of(path).keys()].filter((id) => !wanted.has(id)).map((id) => `${path} ${id}`);
  });
  const violations = await checkTables(world.database, organizationId, entries);
  const errors = [...killLog.faults, ...victims.flatMap((victim) => victim.server.faults)];
  const faults = errors.filter((line) => !isOutlivedLease(line));
  expect(
    { lost: lost.slice(0, 9), unknown, changed: mailbox.changed, violations: violations.slice(0, 9), faults },
    killLog.lines.join('\n'),
  ).toEqual({ lost: [], unknown: [], changed: [], violations: [], faults: [] });

  const wanted = SUBSCRIPTIONS.flatMap(({ wants }) => events.filter((each) => wants(each.type))).length;
  expect(await countDeliveries(organizationId)).toEqual([
    { deliveries: wanted, pairs: wanted, succeeded: wanted, misnumbered: 0 },
  ]);
  await requireInvariants(world.database);
  expect(events.length).toBeGreaterThanOrEqual(EVENTS);
  const posts = mailbox.posts();
  process.stdout.write(
    `  at least once: ${events.length} events, ${wanted} deliveries, ${posts} posts, ${mailbox.refused()} refused, ${mailbox.repeated()} repeated after success, ${killLog.lines.filter((line) => line.includes('killed')).length} kills, ${errors.length - faults.length} attempts made again after an outage longer than their lease\n`,
  );
  expect(mailbox.refused()).toBeGreaterThan(wanted / 100);
  expect(wasFelt()).toBe(true);
});

/** What each path received: the fingerprint of the body by event. */
function openMailbox({ received, behave }: WebhookReceiver) {
  const boxes = new Map<string, Map<string, string>>();
  const accepted = new Set<string>();
  const counts = { posts: 0, refused: 0, repeated: 0 };
  const changed: string[] = [];
  const of = (path: string) => {
    const box = boxes.get(path) ?? new Map<string, string>();
    boxes.set(path, box);
    return box;
  };
  behave((one, response) => {
    received.length = 0;
    counts.posts += 1;
    const print = createHash('sha256').update(one.body).digest('base64');
    const known = of(one.path).get(one.event.id);
    if ((known ?? print) !== print) {
      changed.push(`${one.path} ${one.body}`);
    }
    of(one.path).set(one.event.id, print);
    if (accepted.has(`${one.path} ${one.event.id}`)) {
      counts.repeated += 1;
    }
    const isAccepted = answerAtRandom(one, response);
    counts.refused += isAccepted ? 0 : 1;
    if (isAccepted) {
      accepted.add(`${one.path} ${one.event.id}`);
    }
  });
  return {
    of,
    changed,
    posts: () => counts.posts,
    refused: () => counts.refused,
    repeated: () => counts.repeated,
  };
}

/**
 * Answers mostly with success and immediately. Occasionally late, with a failure, or not at all. Returns whether the
 * event was accepted.
 */
function answerAtRandom(_one: Received, response: ServerResponse): boolean {
  const chance = Math.random();
  if (chance < 0.04) {
    response.writeHead(503).end();
  } else if (chance < 0.05) {
    response.destroy();
  } else if (chance < 0.052) {
    // Never answers.
  } else {
    setTimeout(() => response.writeHead(200).end('ok'), Math.random() * 50);
    return true;
  }
  return false;
}

async function untilSeatsAreFree(): Promise<void> {
  const read = () =>
    execute<{ taken: number }>(world.database, 'select sum(taken)::int as taken from license_seat_counts').catch(
      (error: unknown) => [String(error)],
    );
  await expect.poll(read, { interval: 200 }).toEqual([{ taken: 0 }]);
}

interface Count {
  deliveries: number;
  pairs: number;
  succeeded: number;
  misnumbered: number;
}

/** Every delivery has each of its attempts once, numbered without gaps. */
function countDeliveries(organizationId: string): Promise<Count[]> {
  return execute<Count>(
    world.database,
    `select count(*)::int as deliveries, count(distinct (endpoint_id, event_id))::int as pairs,
       count(*) filter (where status = 'succeeded' and next_attempt_id is null and next_attempt_at is null)::int as succeeded,
       count(*) filter (where attempts is distinct from (only_duration_ms is not null)::int
         + (select count(*) from webhook_attempts a
         where a.organization_id = d.organization_id and a.delivery_id = d.id and a.number between 1 and d.attempts))::int
         as misnumbered
     from webhook_deliveries d where organization_id = $1`,
    [organizationId],
  );
}
