import { describe, expect } from 'vitest';
import { createDeliveryTest } from '../../../test/harness/delivery-fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import type { Executor } from '../../database/index.ts';
import { type Job, Nudge, sleepUntilDue } from '../../jobs/index.ts';
import { createWorkNudges, findWorkJob } from './find-work.ts';

const it = createDeliveryTest()
  .extend('endpoint', async ({ app, receiver, ada }) => {
    await execute(app.database, 'delete from webhook_endpoint_states');
    return plantEndpoint(app, ada.organizationId, receiver.url());
  })
  /** The look that all jobs share. The app has one of its own on the same connections, so this one has another name. */
  .extend('sharedLook', ({ app }) => (job: Job): Job | undefined => {
    const execute: Executor['execute'] = (statement, values) =>
      app.database.execute({ ...statement, name: 'look_of_one_job' }, values);
    return sleepUntilDue({ execute }, [job]).find(({ name }) => name === 'jobs.look-for-due-work');
  })
  /** Looks once. Returns who was woken immediately or before the next look. */
  .extend(
    'look',
    ({ app, endpoint: _endpoint, sharedLook }) =>
      async (lookOf: (job: Job) => Job | undefined = sharedLook): Promise<Set<string>> => {
        const nudges = { announced: new Nudge(), due: { fast: new Nudge(), slow: new Nudge() }, ...createWorkNudges() };
        const woken = new Set<string>();
        const { due, ...others } = nudges;
        for (const [name, nudge] of Object.entries({ ...due, ...others })) {
          nudge.onRing(() => woken.add(name));
        }
        await (lookOf(findWorkJob(app.database, nudges)) ?? expect.fail('there is no look')).run();
        return woken;
      },
  )
  .extend(
    'setTurn',
    ({ app, endpoint }) =>
      (from: string) =>
        execute(
          app.database,
          `update webhook_endpoint_states set turn_at = clock_timestamp() + interval '${from}' where endpoint_id = $1`,
          [endpoint.id],
        ),
  );

describe('a check for work', () => {
  it('wakes nobody if there is nothing to do', async ({ look }) => {
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the senders of events that another process announced', async ({ app, ada, look }) => {
    await ada.takeSeat();
    expect([...(await look())]).toEqual(['announced']);
    await app.runJobs();
  });

  it('is also made by its own job, which does not depend on the checks of other jobs', async ({ app, ada, look }) => {
    await ada.takeSeat();
    expect([...(await look((job) => job))]).toEqual(['announced']);
    await app.runJobs();
  });

  it('wakes the lane of an endpoint whose turn has come', async ({ app, endpoint, look, setTurn }) => {
    await setTurn('-1 second');
    expect([...(await look())]).toEqual(['slow']);
    await execute(app.database, 'update webhook_endpoint_states set is_cautious = false where endpoint_id = $1', [
      endpoint.id,
    ]);
    expect([...(await look())]).toEqual(['fast']);
  });

  it('wakes a lane at the time of a turn before the next look, and not for a later one', async ({ look, setTurn }) => {
    await setTurn('200 milliseconds');
    const woken = await look();
    await expect.poll(() => [...woken]).toEqual(['slow']);
    await setTurn('1 hour');
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the job that holds pending deliveries of a paused endpoint', async ({ app, ada, endpoint, look }) => {
    await app.api.call('PATCH', `/v1/webhooks/${endpoint.id}`, { token: ada.accessToken, body: { status: 'paused' } });
    expect([...(await look())]).toEqual(['held']);
    await app.runJobs();
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the job that continues a replay while it runs', async ({ app, ada, endpoint, look }) => {
    await app.api.post(`/v1/webhooks/${endpoint.id}/replay`, ada.accessToken, { since: '2020-01-01T00:00:00Z' });
    expect([...(await look())]).toEqual(['replayed']);
    await app.runJobs();
    expect([...(await look())]).toEqual([]);
  });

  it('wakes the job that releases ended leases', async ({ app, ada, endpoint, look }) => {
    await execute(
      app.database,
      `insert into webhook_queue (organization_id, delivery_id, endpoint_id, event_id, event_type, created_at, due_at, claim_id,
        leased_until)
       select $1, 'dlv_a', $2, 'evt_a', 'license.expired', t, t, 'dead', t from (select clock_timestamp() - interval '1 second' as t) n`,
      [ada.organizationId, endpoint.id],
    );
    expect([...(await look())]).toEqual(['expired']);
    await execute(app.database, 'delete from webhook_queue');
  });
});
