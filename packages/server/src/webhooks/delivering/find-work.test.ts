import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import {
  type PlantedEndpoint,
  plantEndpoint,
  type SeatTaker,
  startWebhookWorld,
  type WebhookWorld,
} from '../../../test/harness/webhook-world.ts';
import type { Executor } from '../../database/index.ts';
import { type Job, Nudge, sleepUntilDue } from '../../jobs/index.ts';
import { createWorkNudges, findWorkJob } from './find-work.ts';

let world: WebhookWorld;
let test: TestApp;
let ada: SeatTaker;
let endpoint: PlantedEndpoint;

beforeAll(async () => {
  world = await startWebhookWorld();
  ({ test } = world);
});
afterAll(() => world.close());
beforeEach(async () => {
  await execute(test.database, 'delete from webhook_endpoint_states');
  ada = await world.begin();
  endpoint = await plantEndpoint(test, ada.organizationId, world.receiver.url());
});

/** The look that all jobs share. The app has one of its own on the same connections, so this one has another name. */
function sharedLook(job: Job): Job | undefined {
  const execute: Executor['execute'] = (statement, values) =>
    test.database.execute({ ...statement, name: 'look_of_one_job' }, values);
  return sleepUntilDue({ execute }, [job]).find(({ name }) => name === 'jobs.look-for-due-work');
}

/** Looks once. Returns who was woken immediately or before the next look. */
async function look(lookOf: (job: Job) => Job | undefined = sharedLook): Promise<Set<string>> {
  const nudges = { announced: new Nudge(), due: { fast: new Nudge(), slow: new Nudge() }, ...createWorkNudges() };
  const woken = new Set<string>();
  const { due, ...others } = nudges;
  for (const [name, nudge] of Object.entries({ ...due, ...others })) {
    nudge.onRing(() => woken.add(name));
  }
  await (lookOf(findWorkJob(test.database, nudges)) ?? expect.fail('there is no look')).run();
  return woken;
}

const setTurn = (from: string) =>
  execute(
    test.database,
    `update webhook_endpoint_states set turn_at = clock_timestamp() + interval '${from}' where endpoint_id = $1`,
    [endpoint.id],
  );

describe('a check for work', () => {
  it('wakes nobody if there is nothing to do', async () => {
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the senders of events that another process announced', async () => {
    await ada.takeSeat();
    expect([...(await look())]).toEqual(['announced']);
    await test.runJobs();
  });

  it('is also made by its own job, which does not depend on the checks of other jobs', async () => {
    await ada.takeSeat();
    expect([...(await look((job) => job))]).toEqual(['announced']);
    await test.runJobs();
  });

  it('wakes the lane of an endpoint whose turn has come', async () => {
    await setTurn('-1 second');
    expect([...(await look())]).toEqual(['slow']);
    await execute(test.database, 'update webhook_endpoint_states set is_cautious = false where endpoint_id = $1', [
      endpoint.id,
    ]);
    expect([...(await look())]).toEqual(['fast']);
  });

  it('wakes a lane at the time of a turn before the next look, and not for a later one', async () => {
    await setTurn('200 milliseconds');
    const woken = await look();
    await expect.poll(() => [...woken]).toEqual(['slow']);
    await setTurn('1 hour');
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the job that holds pending deliveries of a paused endpoint', async () => {
    await test.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status: 'paused' } });
    expect([...(await look())]).toEqual(['held']);
    await test.runJobs();
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the job that continues a replay while it runs', async () => {
    await test.api.post(`/v1/webhooks/${endpoint.id}/replay`, ada.accessToken, { since: '2020-01-01T00:00:00Z' });
    expect([...(await look())]).toEqual(['replayed']);
    await test.runJobs();
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the job that releases ended leases', async () => {
    await execute(
      test.database,
      `insert into webhook_queue (organization_id, delivery_id, endpoint_id, event_id, event_type, created_at, due_at, claim_id,
        leased_until)
       select $1, 'dlv_a', $2, 'evt_a', 'license.expired', t, t, 'dead', t from (select clock_timestamp() - interval '1 second' as t) n`,
      [ada.organizationId, endpoint.id],
    );
    expect([...(await look())]).toEqual(['expired']);
    await execute(test.database, 'delete from webhook_queue');
  });
});
