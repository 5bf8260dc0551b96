import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../harness/index.ts';
import type { Behavior, Received } from '../harness/webhook-receiver.ts';
import { HttpsClient } from './https-client.ts';
import { scaled } from './scale.ts';
import { readAuthority, type ServerProcess, startServer } from './server-process.ts';
import { watchStalls } from './stalls.ts';
import { type Receivers, startReceivers } from './webhook-receivers.ts';
import { openEndpoint, takeSeats } from './webhook-site.ts';
import { issueLicenses, type Person, signUp, World } from './world.ts';

const DELAYS_SECONDS = scaled([1, 4, 1, 4, 1], [2, 8, 9, 10, 12]);
const EVENTS = 5;
/** Longer than a busy machine takes to accept a connection, or an attempt would end that no receiver has seen. */
const TIMEOUT_SECONDS = 3;
const LATE_MS = 2_000;
/** How often a new event happens, whose first attempt is due immediately: its delay shows how slow the machine is. */
const CONTROL_EVERY_MS = 250;
const CONTROL_SEATS = 5_000;
/** Two clocks are read, each to the millisecond. */
const MARGIN_MS = 5;

/** How each of the receivers fails. */
const FAILURES: ReadonlyArray<{ path: string; error: string; fail: Behavior }> = [
  { path: '/refuses', error: 'http_status', fail: (_received, response) => response.writeHead(500).end('not today') },
  { path: '/hangs-up', error: 'connection_reset', fail: (_received, response) => response.destroy() },
  { path: '/hangs', error: 'timeout', fail: () => undefined },
];

let world: World;
let settings: Record<string, string>;
let server: ServerProcess;
let client: HttpsClient;
let person: Person;
let receivers: Receivers;

beforeAll(async () => {
  [world, receivers] = await Promise.all([World.start(), startReceivers(FAILURES.length + 1)]);
  settings = await world.settings('server', {
    ...receivers.settings,
    SEATHOLD_WEBHOOK_TIMEOUT: String(TIMEOUT_SECONDS),
    SEATHOLD_WEBHOOK_RETRY_DELAYS: DELAYS_SECONDS.join(','),
  });
  server = await startServer(settings);
  client = new HttpsClient([await readAuthority(server.dataDir)]);
  person = await signUp(client, server.baseUrl, 'ada');
});
afterAll(async () => {
  await client.close();
  await receivers.close();
  await world.close();
});

/** A time in which no process was running, or none had reported that it is ready. */
interface Away {
  from: number;
  to: number;
}

interface Post {
  arrivedAt: number;
  /** When the receiver saw the end of the attempt. */
  endedAt: number;
}

it('the service retries five times, never early and never more than 2 s later than a new delivery, through a restart and a kill -9', async () => {
  const stalls = watchStalls();
  const posts = new Map<string, Post[]>();
  const urls = await Promise.all(
    FAILURES.map(async ({ path, fail }, index) => {
      const url = receivers.all[index]?.url(path) ?? '';
      receivers.all[index]?.behave((received, response) => {
        note(posts, received, response);
        fail(received, response);
      });
      await openEndpoint(client, server.baseUrl, person, url, ['license.seat.acquired']);
      return url;
    }),
  );
  const control = await beginControl();
  const [license] = await issueLicenses(world.database, person.organizationId, [EVENTS]);
  await takeSeats(client, [server.baseUrl], person, license?.key, EVENTS);

  await untilQuietAfter(2);
  await control.pause();
  const restart = { from: performance.now(), to: Number.POSITIVE_INFINITY };
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  server = await startServer(settings);
  restart.to = performance.now();
  control.resume();
  await untilQuietAfter(4);
  await control.pause();
  const kill = { from: performance.now(), to: Number.POSITIVE_INFINITY };
  await server.end('SIGKILL');
  server = await startServer(settings);
  kill.to = performance.now();
  control.resume();
  await untilFailed();
  await control.pause();
  const quiet = countPosts();
  await sleep(1_000);

  expect(countPosts()).toBe(quiet);
  expect(posts.size).toBe(FAILURES.length * EVENTS);
  const outside = [...posts].flatMap(([key, each]) =>
    findUnpunctual(key, each, [restart, kill], stalls.worst(), control.worstMs()),
  );
  expect(outside).toEqual([]);
  expect(await readGaps()).toEqual([]);
  const lateness = [...posts.values()].flatMap((each) => latenessOf(each).filter((ms) => Number.isFinite(ms)));
  process.stdout.write(
    `  retry times: ${lateness.length} retries, latest ${Math.max(...lateness).toFixed(0)} ms (restarts included), earliest ${Math.min(...lateness).toFixed(1)} ms, worst stall ${stalls.worst().toFixed(0)} ms, latest of ${control.count()} first attempts meanwhile ${control.worstMs().toFixed(0)} ms\n`,
  );
  for (const [index, { error }] of FAILURES.entries()) {
    expect(await readOutcomes(urls[index] ?? '')).toEqual(
      Array.from({ length: EVENTS }, () => ({ status: 'failed', attempts: 6, step: 5, last_error: error, next: null })),
    );
  }
  stalls.stop();
});

function note(posts: Map<string, Post[]>, { path, event }: Received, response: ServerResponse): void {
  const post = { arrivedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY };
  response.once('close', () => {
    post.endedAt = performance.now();
  });
  const key = `${path} ${event.id}`;
  posts.set(key, [...(posts.get(key) ?? []), post]);
}

function countPosts(): number {
  return receivers.all.slice(0, FAILURES.length).reduce((sum, each) => sum + each.received.length, 0);
}

/** Keeps creating events in a separate organization, whose endpoint answers, and measures how late they arrive. */
async function beginControl() {
  const eve = await signUp(client, server.baseUrl, 'eve');
  const [license] = await issueLicenses(world.database, eve.organizationId, [CONTROL_SEATS]);
  const sentAt = new Map<string, number>();
  const latenesses: number[] = [];
  const receiver = receivers.all[FAILURES.length];
  await openEndpoint(client, server.baseUrl, eve, receiver?.url('/control') ?? '', ['license.seat.acquired']);
  receiver?.behave(({ event }, response) => {
    const arrivedAt = performance.now();
    response.writeHead(200).end();
    const id = String(event.data.object.hardware_id);
    latenesses.push(arrivedAt - (sentAt.get(id) ?? arrivedAt));
    sentAt.delete(id);
  });
  let isOver = false;
  let running = Promise.resolve();
  const run = async () => {
    while (!isOver) {
      const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
      sentAt.set(hardwareId, performance.now());
      const body = { license_key: license?.key, hardware_id: hardwareId };
      const answer = await client.call('POST', `${server.baseUrl}/v1/licenses/acquire`, eve, body);
      expect(answer).toMatchObject({ status: 201 });
      await sleep(CONTROL_EVERY_MS);
    }
  };
  const resume = () => {
    isOver = false;
    running = run();
  };
  resume();
  return {
    resume,
    /** Waits until every event has arrived, so that no time without a process counts. */
    pause: async () => {
      isOver = true;
      await running;
      await expect.poll(() => sentAt.size).toBe(0);
    },
    count: () => latenesses.length,
    worstMs: () => Math.max(...latenesses),
  };
}

/** How late each attempt came, measured from its delay after the end of the previous one. */
function latenessOf(posts: readonly Post[]): number[] {
  return posts
    .slice(1)
    .map((post, index) => post.arrivedAt - (posts[index]?.endedAt ?? 0) - (DELAYS_SECONDS[index] ?? 0) * 1_000);
}

/** If no process was running to make an attempt, it is due when one is ready again. */
function findUnpunctual(
  key: string,
  posts: readonly Post[],
  away: readonly Away[],
  stallMs: number,
  controlMs: number,
): string[] {
  const wrongCount = posts.length === 6 ? [] : [`${key}: ${posts.length} attempts`];
  const wrongTimes = posts.slice(1).flatMap((post, index) => {
    const dueAt = (posts[index]?.endedAt ?? 0) + (DELAYS_SECONDS[index] ?? 0) * 1_000;
    const possibleAt = away.reduce((at, { from, to }) => (at + LATE_MS > from && at < to ? to : at), dueAt);
    // A receiver sees the end of a hanging attempt only after the sender. Their exact times are in the tables.
    const earliest = key.startsWith('/hangs ') ? dueAt - stallMs : dueAt;
    const isPunctual =
      post.arrivedAt >= earliest - MARGIN_MS && post.arrivedAt <= possibleAt + LATE_MS + stallMs + controlMs;
    return isPunctual
      ? []
      : [`${key}: attempt ${index + 2} came ${Math.round(post.arrivedAt - dueAt)} ms after it was due`];
  });
  return [...wrongCount, ...wrongTimes];
}

/** According to the tables: attempts that started before their delay had passed since the end of the previous one. */
function readGaps(): Promise<unknown[]> {
  return execute(
    world.database,
    `select * from (
       select endpoint_id, number, extract(epoch from started_at - lag(started_at + duration_ms * interval '1 millisecond')
         over (partition by delivery_id order by number)) * 1000 as gap_ms
       from webhook_attempts where organization_id = $2
     ) a where gap_ms < ($1::integer[])[number - 1] * 1000 - 2`,
    [DELAYS_SECONDS, person.organizationId],
  );
}

/** Waits until this many attempts in total are over and none is in progress or due soon. */
async function untilQuietAfter(attempts: number): Promise<void> {
  const read = async () => {
    const [row] = await execute<{ is_quiet: boolean }>(
      world.database,
      `select coalesce(bool_and(d.attempts >= $1), false) and not exists (select from webhook_queue where organization_id = $3) and not exists (
         select from webhook_planned_attempts where organization_id = $3
           and (claim_id is not null or due_at < clock_timestamp() + interval '500 milliseconds')
       ) and count(*) = $2 as is_quiet from webhook_deliveries d where organization_id = $3`,
      [attempts, FAILURES.length * EVENTS, person.organizationId],
    );
    return row?.is_quiet;
  };
  await expect.poll(read, { interval: 20 }).toBe(true);
}

async function untilFailed(): Promise<void> {
  const read = () =>
    execute(
      world.database,
      `select count(*)::int as unfinished from webhook_deliveries where organization_id = $1 and status <> 'failed'`,
      [person.organizationId],
    );
  await expect.poll(read, { interval: 100 }).toEqual([{ unfinished: 0 }]);
}

function readOutcomes(url: string): Promise<unknown[]> {
  return execute(
    world.database,
    `select d.status, d.attempts, d.step, d.last_error, d.next_attempt_at as next from webhook_deliveries d
     join webhook_endpoints e on e.organization_id = d.organization_id and e.id = d.endpoint_id where e.url = $1`,
    [url],
  );
}
