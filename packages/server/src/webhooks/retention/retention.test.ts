import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { type DeliveryTerms, plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { type PlantedEndpoint, plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

let test: TestApp;
let ada: Member;
let endpoint: PlantedEndpoint;

beforeAll(async () => {
  test = await startTestApp({ settings: { SEATHOLD_RETENTION_DAYS: '10' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  ada = await test.register();
  endpoint = await plantEndpoint(test, ada.organizationId, 'https://93.184.216.34/hooks');
});

const DAY = 86_400;
const OLD = 10.01 * DAY;
const NEW = 9.99 * DAY;

const plant = (terms: Partial<DeliveryTerms> = {}, at = endpoint) =>
  plantDeliveries(test, at, { status: 'succeeded', ageSeconds: OLD, ...terms });

/** Runs the cleanup until it has looked at everything once. Returns how many batches it took. */
async function clean(...names: string[]): Promise<number> {
  let portions = 0;
  for (const name of names.length > 0 ? names : ['delete-old-deliveries', 'delete-old-events']) {
    const job = test.service.jobs.find((each) => each.name === `webhooks.${name}`);
    do {
      portions += 1;
    } while (await job?.run());
  }
  return portions;
}

const left = async (table: string, ids: readonly string[], column = 'id') =>
  (
    await execute<{ id: string }>(
      test.database,
      `select distinct ${column} as id from ${table} where ${column} = any($1)`,
      [ids],
    )
  ).length;

async function leftOf(made: ReadonlyArray<{ id: string; eventId: string }>) {
  const ids = made.map((each) => each.id);
  return {
    deliveries: await left('webhook_deliveries', ids),
    attempts: await left('webhook_attempts', ids, 'delivery_id'),
    events: await left(
      'events',
      made.map((each) => each.eventId),
    ),
  };
}

const NOTHING = { deliveries: 0, attempts: 0, events: 0 };

describe('the retention', () => {
  it.each(['succeeded', 'failed', 'held'] as const)(
    'deletes old deliveries that are %s, with their attempts and events, and keeps those that are not old',
    async (status) => {
      const old = await plant({ status, count: 3 });
      const fresh = await plant({ status, count: 3, ageSeconds: NEW });
      await clean();
      expect(await leftOf(old)).toEqual(NOTHING);
      expect(await leftOf(fresh)).toEqual({ deliveries: 3, attempts: status === 'held' ? 0 : 3, events: 3 });
    },
  );

  it('keeps pending deliveries, however old, and their events', async () => {
    const pending = await plant({ status: 'pending', count: 2 });
    const over = await plant({ count: 2 });
    await clean();
    expect(await leftOf(pending)).toEqual({ deliveries: 2, attempts: 0, events: 2 });
    expect(await leftOf(over)).toEqual(NOTHING);
  });

  it.each(['waits', 'is under way'])('keeps a delivery with a manual attempt that %s', async (state) => {
    const [retried] = await plant({ status: 'failed' });
    const path = `/v1/webhooks/${endpoint.id}/deliveries/${retried?.id}/retry`;
    await test.api.post(path, ada.accessToken, {});
    const isClaimed = state === 'is under way';
    await execute(
      test.database,
      `update webhook_planned_attempts set claim_id = case when $2 then 'someone' end,
        leased_until = case when $2 then clock_timestamp() + interval '1 minute' end where delivery_id = $1`,
      [retried?.id, isClaimed],
    );
    await clean();
    expect(await leftOf(retried === undefined ? [] : [retried])).toEqual({ deliveries: 1, attempts: 1, events: 1 });
    await execute(test.database, 'delete from webhook_planned_attempts where delivery_id = $1', [retried?.id]);
    await clean();
    expect(await leftOf(retried === undefined ? [] : [retried])).toEqual(NOTHING);
  });

  it('keeps an event while an endpoint needs it or its deliveries have not been created', async () => {
    const [shared] = await plant({ status: 'succeeded' });
    const [unsent] = await plant({ status: 'succeeded' });
    const other = await plantEndpoint(test, ada.organizationId, 'https://93.184.216.34/other');
    const [pending] = await plant({ status: 'pending' }, other);
    await execute(
      test.database,
      `with moved as (update webhook_deliveries set event_id = $1 where id = $2)
      insert into unsent_events (organization_id, event_id, announced_at) values ($3, $4, clock_timestamp())`,
      [shared?.eventId, pending?.id, ada.organizationId, unsent?.eventId],
    );
    await clean();
    expect(await left('events', [shared?.eventId ?? '', unsent?.eventId ?? ''])).toBe(2);
    expect(await left('webhook_deliveries', [shared?.id ?? '', unsent?.id ?? ''])).toBe(0);
    await execute(
      test.database,
      `with done as (update webhook_deliveries set status = 'succeeded' where id = $1)
      delete from unsent_events where event_id = $2`,
      [pending?.id, unsent?.eventId],
    );
    await clean();
    expect(await left('events', [shared?.eventId ?? '', unsent?.eventId ?? ''])).toBe(0);
  });

  it('uses real time: moving a clock forward does not delete recent data', async () => {
    const [mine] = await plant({ ageSeconds: DAY });
    await test.moveClock(ada.organizationId, 400 * DAY);
    await clean();
    expect(await leftOf(mine === undefined ? [] : [mine])).toEqual({ deliveries: 1, attempts: 1, events: 1 });
  });

  it('deletes in limited batches, past rows that must stay, and looks once if there is nothing', async () => {
    const kept = await plant({ status: 'pending', count: 600, ageSeconds: 11 * DAY });
    const over = await plant({ count: 1_200, ageSeconds: 11 * DAY });
    const portions = await clean();
    expect(await leftOf(over)).toEqual(NOTHING);
    expect(await leftOf(kept)).toEqual({ deliveries: 600, attempts: 0, events: 600 });
    expect(portions).toBeGreaterThan(5);
    expect(await clean('delete-old-deliveries')).toBe(1);
  });

  it('deletes at most about 2,000 attempts at a time, however many a delivery has', async () => {
    const over = await plant({ count: 60 });
    const ids = over.map((each) => each.id);
    await execute(
      test.database,
      `with counted as (update webhook_deliveries set attempts = 100 where id = any($1))
      insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms)
      select $2, id, n, $3, 'manual', clock_timestamp(), 5 from unnest($1::text[]) as d (id), generate_series(2, 100) n`,
      [ids, ada.organizationId, endpoint.id],
    );
    const deleting = test.service.jobs.find((each) => each.name === 'webhooks.delete-old-deliveries');
    expect(await deleting?.run()).toBe(true);
    expect(await left('webhook_deliveries', ids)).toBe(40);
    await clean();
    expect(await leftOf(over)).toEqual(NOTHING);
  });

  it('continues from one endpoint to the next, however many there are', async () => {
    const made: Array<{ id: string; eventId: string }> = [];
    for (let n = 0; n < 5; n += 1) {
      const member = await test.register();
      await execute(
        test.database,
        `insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination)
          select $1, 'wh_' || n, 'active', 'nowhere:443' from generate_series(1, 45) n`,
        [member.organizationId],
      );
      const theirs = await plantEndpoint(test, member.organizationId, 'https://93.184.216.34/hooks');
      made.push(...(await plant({}, theirs)));
    }
    await clean();
    expect(await leftOf(made)).toEqual(NOTHING);
  });

  it('deletes finished replays, and no others', async () => {
    const age = (id: string) =>
      execute(test.database, `update webhook_replays set created_at = created_at - interval '11 days' where id = $1`, [
        id,
      ]);
    const start = async () =>
      (await test.api.post(`/v1/webhooks/${endpoint.id}/replay`, ada.accessToken, { since: '2020-01-01T00:00:00Z' }))
        .body.data.id;
    const cancel = (id: string) =>
      test.api.post(`/v1/webhooks/${endpoint.id}/replays/${id}/cancel`, ada.accessToken, {});
    const over = await start();
    await cancel(over);
    const fresh = await start();
    await cancel(fresh);
    const running = await start();
    await age(over);
    await age(running);
    await clean();
    const { data } = (await test.api.get(`/v1/webhooks/${endpoint.id}/replays`, ada.accessToken)).body;
    expect(data.map((each: { id: string }) => each.id)).toEqual([fresh, running]);
  });
});
