import { setTimeout } from 'node:timers/promises';
import { firstIdAt } from '../../src/ids/index.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';
import type { RecordedApi } from './recorded-api.ts';

/** The endpoint with the most deliveries. */
export const BUSIEST_ENDPOINT = `wh_${'0'.repeat(26)}`;

/** Creates, changes, tests and removes an endpoint at this URL, with the jobs in between. */
export async function useWebhooks(test: TestApp, api: RecordedApi, member: Member, url: string): Promise<void> {
  const token = member.accessToken;
  const call = (method: string, at: string, body?: unknown) => api.call(method, `/v1/webhooks${at}`, { token, body });
  await api.get(`/v1/webhooks/${BUSIEST_ENDPOINT}`, token);
  await api.get('/v1/events/stream', token);
  await api.during('a stream that catches up', () => readMissedEvent(test, token));
  const { id } = (await call('POST', '', { url, events: ['*'], description: 'A receiver' })).body.data;
  await call('GET', `/${id}`);
  await call('PATCH', `/${id}`, { url: `${url}/moved`, status: 'paused' });
  await runJob(test, api, 'webhooks.hold-waiting');
  await call('PATCH', `/${id}`, { status: 'active' });
  await call('POST', `/${id}/rotate-secret`, { overlap_seconds: 0 });
  const delivery = (await call('POST', `/${id}/test`, { type: 'license.expired' })).body.data;
  await deliver(test, api);
  await useDeliveries(api, token, id, delivery.id);
  await deliver(test, api);
  await usePortal(api, token);
  await call('DELETE', `/${id}`);
  await runJob(test, api, 'webhooks.delete-cleared-endpoints');
}

/** Opens the portal with a link, once. */
async function usePortal(api: RecordedApi, token: string): Promise<void> {
  const { url } = await api.post('/v1/webhooks/portal-links', token, {});
  const exchange = () => ({ token: url.slice(url.indexOf('#') + 1) });
  const { access_token: session } = await api.post('/v1/webhooks/portal-links/exchange', undefined, exchange());
  await api.get('/v1/webhooks', session);
}

/** Reads a stream up to the first missed event. */
async function readMissedEvent(test: TestApp, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': firstIdAt('event', 0) };
  const response = await fetch(`${test.api.baseUrl}/v1/events/stream`, { headers });
  for await (const piece of response.body ?? []) {
    if (Buffer.from(piece).includes('data:')) {
      return;
    }
  }
}

async function useDeliveries(api: RecordedApi, token: string, endpoint: string, delivery: string): Promise<void> {
  const call = (method: string, at: string, body?: unknown) =>
    api.call(method, `/v1/webhooks/${endpoint}${at}`, { token, body });
  await call('GET', `/deliveries/${delivery}`);
  await call('POST', `/deliveries/${delivery}/retry`);
  const scope = { since: '2020-01-01T00:00:00Z', only_failed: false };
  const { id } = (await call('POST', '/replay', scope)).body.data;
  await call('GET', `/replays/${id}`);
  await call('POST', `/replays/${id}/cancel`);
  await call('POST', '/replay', scope);
}

/** Sends what happened, and writes the outcome. */
async function deliver(test: TestApp, api: RecordedApi): Promise<void> {
  for (const name of ['fan-out-events', 'replay-deliveries', 'deliver-fast-lane', 'deliver-slow-lane']) {
    await runJob(test, api, `webhooks.${name}`);
  }
  await api.during('the end of attempts', async () => {
    while ((await execute(test.database, UNDER_WAY)).length > 0) {
      await setTimeout(10);
    }
  });
}

/** The seeded attempts stay in progress forever. */
const UNDER_WAY = `select from webhook_planned_attempts where claim_id <> 'a claim' limit 1`;

async function runJob(test: TestApp, api: RecordedApi, name: string): Promise<void> {
  await api.during(`the job ${name}`, () => test.runJob(name));
}
