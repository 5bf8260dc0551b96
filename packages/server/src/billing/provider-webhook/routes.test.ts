import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { type StripeDouble, type StripeEvent, startStripeDouble } from '../../../test/stripe-double/index.ts';
import { systemClock } from '../../clock/index.ts';
import {
  createHttpApp,
  Deadlines,
  MemoryLimiter,
  Metrics,
  OriginDirectory,
  parseRateLimits,
  SessionCookies,
} from '../../http/index.ts';
import { createLogger } from '../../log/index.ts';
import type { PaymentProvider } from '../payment-provider/payment-provider.ts';
import { createStripeProvider } from '../payment-provider/stripe/create-stripe-provider.ts';
import { deleteOldProviderEventsJob } from './jobs.ts';
import { providerWebhookRoutes } from './routes.ts';

let test: TestApp;
let double: StripeDouble;
let stripe: PaymentProvider;
let served: Awaited<ReturnType<typeof serve>>;
/** The calls of the routes, in order. */
const called: string[] = [];
let failing = 0;

beforeAll(async () => {
  [test, double] = await Promise.all([startTestApp(), startStripeDouble()]);
  const { apiBase, secretKey, webhookSecret } = double;
  stripe = createStripeProvider({ apiBase, secretKey, webhookSecret });
  served = await serve(stripe);
});
afterAll(async () => {
  served.close();
  await double.close();
  await test.close();
});
beforeEach(() => {
  called.length = 0;
  failing = 0;
});

/** Only the routes, on the test's database, with a limit of one request a minute. */
async function serve(provider: PaymentProvider | undefined) {
  const parsed = parseRateLimits(JSON.stringify({ tiers: { free: { minute: 1, hour: 1, day: 1 } } }), 1);
  if (!parsed.ok) {
    throw new Error(parsed.problems.join());
  }
  const note = async (what: string) => {
    if (failing > 0) {
      failing -= 1;
      throw new Error('the database is away');
    }
    called.push(what);
  };
  const { database, masterKey } = test;
  const app = createHttpApp(
    {
      tokens: { resolve: async () => ({ kind: 'invalid' }), recall: () => undefined, revokeLeaked: async () => false },
      limiter: new MemoryLimiter(),
      limits: parsed.limits,
      trustedProxies: [],
      origins: new OriginDirectory([], { isOfSomeApp: async () => false, isOfAppOf: async () => false }, systemClock),
      cookies: new SessionCookies('https://api.test', 'svc_scl_'),
      clock: systemClock,
      log: createLogger('fatal', { write: () => undefined }),
      metrics: new Metrics('production'),
      database,
      masterKey,
      deadlines: new Deadlines(),
    },
    providerWebhookRoutes({
      provider,
      database,
      onPayment: (paymentRef) => note(`payment ${paymentRef}`),
      onMethodDetached: (methodRef) => note(`detached ${methodRef}`),
    }),
  );
  await app.ready();
  const server = createServer((request, response) => app.routing(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/v1/providers/stripe/webhook`, close };
}

const eventOf = (id: string, type = 'payment_intent.succeeded', objectId = `pi_of_${id}`): StripeEvent => ({
  id,
  type,
  object: { id: objectId, object: type.split('.')[0], description: 'Grüße \u2028 0.10' },
});

const target = () => ({ url: served.url, secret: double.webhookSecret });
const send = (event: StripeEvent) => double.send(event, target());

async function post(body: string, headers: Record<string, string>, url = served.url) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

async function notedEvents(): Promise<string[]> {
  const rows = await execute<{ event_id: string }>(test.database, 'select event_id from provider_events order by 1');
  return rows.map((row) => row.event_id);
}

describe('the Stripe webhook', () => {
  it('passes on a payment and records the event', async () => {
    const { body, headers } = double.sign(eventOf('evt_paid'));
    expect(await post(body, headers)).toMatchObject({ status: 200, answer: { data: { received: true } } });
    expect(called).toEqual(['payment pi_of_evt_paid']);
    expect(await notedEvents()).toContain('evt_paid');
  });

  it('passes on a card that Stripe detached', async () => {
    expect(await send(eventOf('evt_gone', 'payment_method.detached', 'pm_gone'))).toBe(200);
    expect(called).toEqual(['detached pm_gone']);
  });

  it('accepts other events and does nothing', async () => {
    expect(await send(eventOf('evt_other', 'customer.updated'))).toBe(200);
    expect(called).toEqual([]);
  });

  it('handles each event once, however often and in whatever order it arrives', async () => {
    const events = ['evt_c', 'evt_b', 'evt_a'].map((id) => eventOf(id));
    for (const event of [...events, ...events.toReversed()]) {
      expect(await send(event)).toBe(200);
    }
    expect(called).toEqual(['payment pi_of_evt_c', 'payment pi_of_evt_b', 'payment pi_of_evt_a']);
  });

  it('handles an event sent ten times simultaneously at least once, and records it once', async () => {
    const statuses = await Promise.all(Array.from({ length: 10 }, () => send(eventOf('evt_herd'))));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(called.length).toBeGreaterThan(0);
    expect((await notedEvents()).filter((id) => id === 'evt_herd')).toHaveLength(1);
  });

  it('does not record an event that could not be handled, so that it is handled when sent again', async () => {
    failing = 1;
    expect(await send(eventOf('evt_again'))).toBe(500);
    expect(await notedEvents()).not.toContain('evt_again');
    expect(await send(eventOf('evt_again'))).toBe(200);
    expect(called).toEqual(['payment pi_of_evt_again']);
  });

  it('refuses an event that is forged, altered or too old, and changes nothing', async () => {
    const { body, headers } = double.sign(eventOf('evt_forged'));
    const old = double.sign(eventOf('evt_forged'), Math.floor(Date.now() / 1000) - 400);
    const other = { url: served.url, secret: 'whsec_somebody_elses' };
    const refused = { status: 400, answer: { error: { code: 'invalid_request' } } };
    expect(await post(body, {})).toMatchObject(refused);
    expect(await post(body.replace('evt_forged', 'evt_other1'), headers)).toMatchObject(refused);
    expect(await post(JSON.stringify(JSON.parse(body), null, 1), headers)).toMatchObject(refused);
    expect(await post(old.body, old.headers)).toMatchObject(refused);
    expect(await post('not json', headers)).toMatchObject(refused);
    expect(await double.send(eventOf('evt_forged'), other)).toBe(400);
    const unsigned = await fetch(served.url, { method: 'POST' });
    expect(unsigned.status).toBe(400);
    expect(called).toEqual([]);
    expect(await notedEvents()).not.toContain('evt_forged');
  });

  it('does not exist if Stripe is not configured', async () => {
    const without = await serve(undefined);
    const { body, headers } = double.sign(eventOf('evt_nowhere'));
    const answer = await post(body, headers, without.url);
    without.close();
    expect(answer).toMatchObject({ status: 404, answer: { error: { code: 'not_found' } } });
    expect(called).toEqual([]);
  });
});

it('events older than 30 days are deleted in batches', async () => {
  await execute(
    test.database,
    `insert into provider_events (provider, event_id, received_at)
     select 'stripe', 'evt_old_' || n, clock_timestamp() - interval '30 days 1 minute' from generate_series(1, 1001) n`,
  );
  await execute(
    test.database,
    `insert into provider_events (provider, event_id, received_at)
     values ('stripe', 'evt_young', clock_timestamp() - interval '29 days 23 hours')`,
  );
  const job = deleteOldProviderEventsJob(test.database);
  expect([await job.run(), await job.run()]).toEqual([true, false]);
  const left = await notedEvents();
  expect(left).toContain('evt_young');
  expect(left.filter((id) => id.startsWith('evt_old_'))).toEqual([]);
});
