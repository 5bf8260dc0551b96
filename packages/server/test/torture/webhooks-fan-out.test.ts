import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/ids/index.ts';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { plantEndpoint } from '../harness/plant-endpoint.ts';
import { scaled } from './scale.ts';

const EVENTS = scaled(500, 5_000);
const ENDPOINTS = 5;
const WAVES = scaled(4, 20);
const ABORTS_EACH = scaled(3, 5);
const RUNNERS = 4;
const FAN_OUT = 'webhooks.fan-out-events';
/** Only ever ends a hang. */
const ABORT_WITHIN_MS = 300_000;

let first: TestApp;
let second: TestApp;
let ada: Member;

beforeAll(async () => {
  first = await startTestApp({ hasInventedEvents: true });
  second = await startTestApp({ beside: first, hasInventedEvents: true });
  ada = await first.register();
});
afterAll(async () => {
  await second.close();
  await first.close();
});

it(`the fan-out makes one delivery of each of ${EVENTS} events per endpoint, however often it is interrupted and whichever process runs it`, async () => {
  const endpoints: string[] = [];
  for (let number = 0; number < ENDPOINTS; number += 1) {
    endpoints.push((await plantEndpoint(first, ada.organizationId, `https://localhost:9/${number}`)).id);
  }
  const runs: Array<Promise<unknown>> = [];
  let isOver = false;
  /** Like the loop of a process: an interrupted run is followed by the next. */
  const keepRunning = async (app: TestApp) => {
    while (!isOver) {
      await app.runJob(FAN_OUT).catch(() => undefined);
    }
  };
  for (let runner = 0; runner < RUNNERS; runner += 1) {
    runs.push(keepRunning(runner % 2 === 0 ? first : second));
  }
  let [aborted, abortedWhileBusy] = [0, 0];
  try {
    for (let wave = 0; wave < WAVES; wave += 2) {
      await announce(EVENTS / WAVES);
      aborted += await abortRuns();
      await first.database.transaction(async (tx) => {
        // While an endpoint is busy its events stay, and the job works on them repeatedly.
        await tx.execute(LOCK_ENDPOINT, [endpoints[2]]);
        await announce(EVENTS / WAVES);
        abortedWhileBusy += await abortRuns();
      });
    }
  } finally {
    isOver = true;
    await Promise.all(runs);
  }
  for (let more = true; more; ) {
    const answers = await Promise.all([first, second, first, second].map((app) => app.runJob(FAN_OUT)));
    more = answers.includes(true);
  }

  const [count] = await execute(first.database, COUNT, [ada.organizationId]);
  const all = EVENTS * ENDPOINTS;
  expect(count).toEqual({ unsent: 0, deliveries: all, pairs: all, planned: all, driven: all });
  process.stdout.write(
    `  fan-out: interrupted ${aborted} times, and ${abortedWhileBusy} times while an endpoint was busy\n`,
  );
  expect(abortedWhileBusy).toBeGreaterThanOrEqual((ABORTS_EACH * WAVES) / 2);
});

const LOCK_ENDPOINT = {
  name: 'test_lock_endpoint',
  text: 'select 1 from webhook_endpoint_states where endpoint_id = $1 for update',
};

/**
 * Found by what they do, because they wait for nobody. Found first and ended afterwards: in one condition PostgreSQL
 * would choose the order.
 */
const ABORT_RUNS = `with running as materialized (
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
      and (query like '%unsent_events%' or query like '%insert into webhook_deliveries%')
  )
  select pid from running where pg_terminate_backend(pid)`;

/** Interrupts up to this many runs at any point, as long as there is work to do. Returns how many. */
async function abortRuns(): Promise<number> {
  const ended = new Set<number>();
  const deadline = performance.now() + ABORT_WITHIN_MS;
  while (ended.size < ABORTS_EACH && performance.now() < deadline && (await hasUnsent())) {
    for (const { pid } of await execute<{ pid: number }>(second.database, ABORT_RUNS)) {
      ended.add(pid);
    }
  }
  return ended.size;
}

const COUNT = `select
    (select count(*)::int from unsent_events where organization_id = $1) as unsent,
    count(*)::int as deliveries,
    count(distinct (d.endpoint_id, d.event_id))::int as pairs,
    (select count(*)::int from webhook_planned_attempts where organization_id = $1) as planned,
    count(a.id)::int as driven
  from webhook_deliveries d left join webhook_planned_attempts a
    on a.organization_id = d.organization_id and a.id = d.next_attempt_id and a.delivery_id = d.id
  where d.organization_id = $1`;

async function hasUnsent(): Promise<boolean> {
  const rows = await execute(second.database, 'select from unsent_events where organization_id = $1 limit 1', [
    ada.organizationId,
  ]);
  return rows.length > 0;
}

/** Events as the outbox leaves them behind. */
async function announce(count: number): Promise<void> {
  await execute(
    first.database,
    `with written as (
       insert into events (organization_id, id, type, created, object)
       select $1::text, e.id, 'license.seat.acquired', clock_timestamp(), '{}' from unnest($2::text[]) as e (id)
       returning organization_id, id
     )
     insert into unsent_events (organization_id, event_id, announced_at)
     select organization_id, id, clock_timestamp() from written`,
    [ada.organizationId, Array.from({ length: count }, () => newId('event'))],
  );
}
