import { expect, it, onTestFinished } from 'vitest';
import { execute, startAppForTest } from '../../../test/harness/index.ts';
import { plantDeliveries } from '../../../test/harness/plant-deliveries.ts';
import { bringForward, plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { startReceiver } from '../../../test/harness/webhook-receiver.ts';

it('a replay to a failing endpoint starts one schedule at a time, and returns to its pace when that succeeds', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const test = await startAppForTest({ settings: receiver.settings });
  const ada = await test.register();
  const endpoint = await plantEndpoint(test, ada.organizationId, receiver.url());
  const path = `/v1/webhooks/${endpoint.id}`;
  const runJobs = async () => {
    await test.runJobs();
    await test.runJobs();
  };
  const statuses = async () => {
    const counts = 'select status, count(*)::integer as n from webhook_deliveries where endpoint_id = $1 group by 1';
    const rows = await execute<{ status: string; n: number }>(test.database, counts, [endpoint.id]);
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  receiver.behave((_received, response) => response.writeHead(500).end());
  const fail = 'update webhook_endpoint_states set failures_in_row = 3 where endpoint_id = $1';
  await execute(test.database, fail, [endpoint.id]);
  await plantDeliveries(test, endpoint, { status: 'held', count: 120 });
  const { id } = (await test.api.post(`${path}/replay`, ada.accessToken, { since: '2020-01-01T00:00:00Z' })).body.data;
  await runJobs();
  expect(await statuses()).toEqual({ pending: 1, held: 119 });
  expect(receiver.received).toHaveLength(1);
  await bringForward(test, endpoint.id, 61);
  await runJobs();
  expect(await statuses()).toEqual({ pending: 2, held: 118 });
  expect(receiver.received).toHaveLength(3);
  receiver.behave((_received, response) => response.writeHead(200).end());
  await bringForward(test, endpoint.id, 301);
  await runJobs();
  await runJobs();
  expect(await statuses()).toEqual({ succeeded: 120 });
  const { data } = (await test.api.get(`${path}/replays/${id}`, ada.accessToken)).body;
  expect(data).toMatchObject({ status: 'completed', replayed: 120 });
});
