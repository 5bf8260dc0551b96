import { expect } from 'vitest';
import { createDeliveryTest } from '../../../test/harness/delivery-fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

const it = createDeliveryTest();

it('a delivery whose event is gone fails immediately, sends nothing, and does not count against its endpoint', async ({
  app,
  receiver,
}) => {
  const ada = await app.register();
  const { id } = await plantEndpoint(app, ada.organizationId, receiver.url());
  const { key } = await app.issueLicense(ada.organizationId, { maxSeats: 2 });
  const hardware = { license_key: key, hardware_id: `hw_${'0'.repeat(32)}` };
  expect((await app.api.post('/v1/licenses/acquire', ada.accessToken, hardware)).status).toBe(201);
  const healthOf = () =>
    execute(
      app.database,
      `select status, in_flight, in_flight_limit, swift_in_row, is_cautious, failures_in_row, failing_since, turn_at
        from webhook_endpoint_states where endpoint_id = $1`,
      [id],
    );
  const [before] = await healthOf();
  await app.service.jobs.find((job) => job.name === 'webhooks.fan-out-events')?.run();
  await execute(app.database, 'delete from events where organization_id = $1', [ada.organizationId]);
  await app.runJobs();

  const [delivery, ...others] = (await app.api.get(`/v1/webhooks/${id}/deliveries`, ada.accessToken)).body.data;
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({ status: 'failed', attempt_count: 1, last_error: 'event_expired' });
  expect(delivery.next_attempt_at).toBeNull();
  const { data } = (await app.api.get(`/v1/webhooks/${id}/deliveries/${delivery.id}`, ada.accessToken)).body;
  expect(data).toMatchObject({ event: null, attempts: [{ error: 'event_expired', status_code: null, address: null }] });
  expect(receiver.received).toEqual([]);
  expect(await healthOf()).toEqual([before]);
});
