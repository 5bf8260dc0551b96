import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/ids/index.ts';
import { execute, type Member, openTestApp, type TestApp } from '../harness/index.ts';
import { plantEndpoint } from '../harness/webhook-world.ts';
import { scaled } from './scale.ts';

const EVENTS = scaled(500, 5_000);
const ENDPOINTS = 5;
const ABORTS = scaled(4, 40);
const RUNNERS = 4;

let first: TestApp;
let second: TestApp;
let ada: Member;

beforeAll(async () => {
  first = await openTestApp({ hasInventedEvents: true });
  second = await openTestApp({ beside: first, hasInventedEvents: true });
  ada = await first.register();
});
afterAll(async () => {
  await second.close();
  await first.close();
});

it(`makes one delivery of each of ${EVENTS} events for each endpoint, however often the job is broken off and whoever else runs it`, {
  timeout: 120_000,
}, async () => {
  const endpoints: string[] = [];
  for (let number = 0; number < ENDPOINTS; number += 1) {
    endpoints.push((await plantEndpoint(first, ada.organizationId, `https://localhost:9/${number}`)).id);
  }
  await announce(EVENTS);
  const fanOut = (app: TestApp) => app.app.jobs.find((job) => job.name === 'webhooks.fan-out-events')?.run();
  const runs: Array<Promise<unknown>> = [];
  let aborted = 0;
  /** As the loop of a process does: a run that was broken off too often is followed by the next. */
  const keepRunning = async (app: TestApp) => {
    while (aborted < ABORTS) {
      await fanOut(app)?.catch(() => undefined);
    }
  };
  await first.database.transaction(async (tx) => {
    // The job stops in the middle of its transaction: the events are taken, and no delivery is written.
    await tx.query(LOCK_ENDPOINT, [endpoints[2]]);
    for (let runner = 0; runner < RUNNERS; runner += 1) {
      runs.push(keepRunning(runner % 2 === 0 ? first : second));
    }
    while (aborted < ABORTS) {
      const rows = await execute<{ pid: number }>(second.database, ABORT_WAITING);
      aborted += rows.length;
    }
  });
  await Promise.all(runs);
  for (let more = true; more; ) {
    more = (await Promise.all([fanOut(first), fanOut(second), fanOut(first), fanOut(second)])).includes(true);
  }

  const [count] = await execute(first.database, COUNT, [ada.organizationId]);
  const all = EVENTS * ENDPOINTS;
  expect(count).toEqual({ unsent: 0, deliveries: all, pairs: all, planned: all, driven: all });
  expect(aborted).toBeGreaterThanOrEqual(ABORTS);
});

const LOCK_ENDPOINT = {
  name: 'test_lock_endpoint',
  text: 'select 1 from webhook_endpoint_states where endpoint_id = $1 for update',
};

/** Found first and ended then: in one condition PostgreSQL would choose the order. */
const ABORT_WAITING = `with waiting as materialized (
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  )
  select pid from waiting where pg_terminate_backend(pid)`;

const COUNT = `select
    (select count(*)::int from unsent_events where organization_id = $1) as unsent,
    count(*)::int as deliveries,
    count(distinct (d.endpoint_id, d.event_id))::int as pairs,
    (select count(*)::int from webhook_planned_attempts where organization_id = $1) as planned,
    count(a.id)::int as driven
  from webhook_deliveries d left join webhook_planned_attempts a
    on a.organization_id = d.organization_id and a.id = d.next_attempt_id and a.delivery_id = d.id
  where d.organization_id = $1`;

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
