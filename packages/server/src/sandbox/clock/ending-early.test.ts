import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';

const DAY = 86_400;
const PATH = '/v1/sandbox/clock/advance';
/** Answers all requests to the receiver since the test started. */
let answerAll: () => void;

const it = createTest()
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({ ...receiver.settings, SEATHOLD_WEBHOOK_TIMEOUT: '60' }))
  .override('options', ({ settings }) => ({ environment: 'sandbox', settings }))
  /** A member whose receiver gets a seat timeout three minutes ahead, and keeps the clock waiting there. */
  .extend('whoWaits', ({ app, receiver }) => async (): Promise<Member> => {
    const who = await app.register();
    await plantEndpoint(app, who.organizationId, receiver.url(`/${who.organizationId}`), ['license.seat.timeout']);
    const { key } = await app.issueLicense(who.organizationId);
    const hardware_id = `hw_${randomBytes(16).toString('hex')}`;
    await app.api.post('/v1/licenses/acquire', who.accessToken, { license_key: key, hardware_id });
    return who;
  })
  .extend(
    'deliveriesTo',
    ({ receiver }) =>
      ({ organizationId }: Member) =>
        receiver.received.filter((each) => each.path === `/${organizationId}`),
  );
it.beforeEach(({ receiver }) => {
  receiver.received.length = 0;
  const waiting: Array<() => void> = [];
  receiver.behave((_received, response) => waiting.push(() => response.writeHead(200).end()));
  answerAll = () => {
    receiver.behave((_received, response) => response.writeHead(200).end());
    for (const answer of waiting.splice(0)) {
      answer();
    }
  };
});

const newKey = () => ({ 'idempotency-key': randomBytes(8).toString('hex') });
const advance = (app: TestApp, who: Member, headers: Record<string, string>) =>
  app.api.post(PATH, who.accessToken, { seconds: DAY }, headers);
const offsetOf = async (app: TestApp, who: Member) =>
  (await app.api.get('/v1/sandbox/clock', who.accessToken)).body.data.offset_seconds;
const isLeased = async (app: TestApp, { organizationId }: Member) =>
  (await execute(app.database, LEASED, [organizationId])).length;

describe('a move that ends early', () => {
  it('ends when the process stops while a receiver hangs, and another process continues it with the same Idempotency-Key', async ({
    app,
    settings,
    whoWaits,
    deliveriesTo,
  }) => {
    const stopping = new AbortController();
    const leaving = await startAppForTest({ environment: 'sandbox', settings, beside: app, stopping: stopping.signal });
    const ada = await whoWaits();
    const key = newKey();
    const first = advance(leaving, ada, key);
    await expect.poll(() => deliveriesTo(ada).length).toBe(1);
    stopping.abort();
    const ended = await first;
    expect(deliveriesTo(ada)).toHaveLength(1);
    expect(ended.status).toBe(503);
    expect(ended.body.error.code).toBe('service_unavailable');
    expect(Number(ended.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await advance(leaving, ada, newKey())).status).toBe(503);
    expect(await offsetOf(app, ada)).toBeLessThan(DAY);
    answerAll();
  });

  it('continues from where it stopped to its original target', async ({ app, settings, whoWaits, deliveriesTo }) => {
    const stopping = new AbortController();
    const leaving = await startAppForTest({ environment: 'sandbox', settings, beside: app, stopping: stopping.signal });
    const ada = await whoWaits();
    const key = newKey();
    const first = advance(leaving, ada, key);
    await expect.poll(() => deliveriesTo(ada).length).toBe(1);
    stopping.abort();
    expect((await first).status).toBe(503);
    answerAll();
    const moved = await advance(app, ada, key);
    expect(moved.body.data).toMatchObject({ offset_seconds: DAY, count: 2 });
    expect(deliveriesTo(ada)).toHaveLength(1);
  });

  it('ends when the client disconnects, and releases the clock', async ({ app, whoWaits, deliveriesTo }) => {
    const ada = await whoWaits();
    const key = newKey();
    const leaving = new AbortController();
    const asked = fetch(app.api.baseUrl + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json', ...key },
      body: JSON.stringify({ seconds: DAY }),
      signal: leaving.signal,
    });
    await expect.poll(() => deliveriesTo(ada).length).toBe(1);
    expect(await isLeased(app, ada)).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => isLeased(app, ada)).toBe(0);
    answerAll();
    expect((await advance(app, ada, key)).body.data.offset_seconds).toBe(DAY);
  });
});

it('one process moves two clocks simultaneously, and the next one waits for its turn', async ({
  app,
  whoWaits,
  deliveriesTo,
}) => {
  const [ada, ben, cleo] = [await whoWaits(), await whoWaits(), await whoWaits()];
  const answers = [advance(app, ada, newKey()), advance(app, ben, newKey())];
  await expect.poll(() => deliveriesTo(ada).length + deliveriesTo(ben).length).toBe(2);
  answers.push(advance(app, cleo, newKey()));
  await expect.poll(() => isLeased(app, cleo)).toBe(1);
  // A waiting member gets every other response immediately.
  expect((await advance(app, cleo, newKey())).body.error.code).toBe('conflict');
  expect(await offsetOf(app, cleo)).toBe(0);
  expect(deliveriesTo(cleo)).toEqual([]);
  answerAll();
  expect((await Promise.all(answers)).map((each) => each.status)).toEqual([200, 200, 200]);
  expect(deliveriesTo(cleo)).toHaveLength(1);
});

const LEASED = 'select from sandbox_clock_moves where organization_id = $1 and leased_until > clock_timestamp()';
