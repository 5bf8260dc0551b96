import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { openReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { plantEndpoint } from '../../../test/harness/webhook-world.ts';

const DAY = 86_400;
const PATH = '/v1/sandbox/clock/advance';

let receiver: WebhookReceiver;
let settings: Record<string, string>;
let test: TestApp;
/** Answers what the receiver has been asked since the test began. */
let answerAll: () => void;

beforeAll(async () => {
  receiver = await openReceiver();
  settings = { ...receiver.settings, SEATHOLD_WEBHOOK_TIMEOUT: '60' };
  test = await openTestApp({ environment: 'sandbox', settings });
});
afterAll(async () => {
  await test.close();
  await receiver.close();
});
beforeEach(() => {
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
const advance = (who: Member, headers: Record<string, string>, on = test) =>
  on.api.post(PATH, who.accessToken, { seconds: DAY }, headers);
const offsetOf = async (who: Member) =>
  (await test.api.get('/v1/sandbox/clock', who.accessToken)).body.data.offset_seconds;
const isLeased = async ({ organizationId }: Member) => (await execute(test.database, LEASED, [organizationId])).length;
/** A member whose receiver gets the timeout of a seat, three minutes ahead, and keeps the clock waiting there. */
async function whoWaits(): Promise<Member> {
  const who = await test.register();
  await plantEndpoint(test, who.organizationId, receiver.url(`/${who.organizationId}`), ['license.seat.timeout']);
  const { key } = await test.issueLicense(who.organizationId);
  const hardware_id = `hw_${randomBytes(16).toString('hex')}`;
  await test.api.post('/v1/licenses/acquire', who.accessToken, { license_key: key, hardware_id });
  return who;
}
const toldOf = ({ organizationId }: Member) => receiver.received.filter((each) => each.path === `/${organizationId}`);

describe('a move that ends early', () => {
  it('ends when the process stops while a receiver hangs, and another process continues it under the same Idempotency-Key', async () => {
    const stopping = new AbortController();
    const leaving = await openAppForTest({ environment: 'sandbox', settings, beside: test, stopping: stopping.signal });
    const ada = await whoWaits();
    const key = newKey();
    const first = advance(ada, key, leaving);
    await expect.poll(() => toldOf(ada).length).toBe(1);
    stopping.abort();
    const ended = await first;
    expect(toldOf(ada)).toHaveLength(1);
    expect(ended.status).toBe(503);
    expect(ended.body.error.code).toBe('service_unavailable');
    expect(Number(ended.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await advance(ada, newKey(), leaving)).status).toBe(503);
    expect(await offsetOf(ada)).toBeLessThan(DAY);
    answerAll();
  });

  it('goes on from where it stood, to where it led at first', async () => {
    const stopping = new AbortController();
    const leaving = await openAppForTest({ environment: 'sandbox', settings, beside: test, stopping: stopping.signal });
    const ada = await whoWaits();
    const key = newKey();
    const first = advance(ada, key, leaving);
    await expect.poll(() => toldOf(ada).length).toBe(1);
    stopping.abort();
    expect((await first).status).toBe(503);
    answerAll();
    const moved = await advance(ada, key);
    expect(moved.body.data).toMatchObject({ offset_seconds: DAY, count: 2 });
    expect(toldOf(ada)).toHaveLength(1);
  });

  it('ends when the client has gone away, and nobody holds the clock any more', async () => {
    const ada = await whoWaits();
    const key = newKey();
    const leaving = new AbortController();
    const asked = fetch(test.api.baseUrl + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json', ...key },
      body: JSON.stringify({ seconds: DAY }),
      signal: leaving.signal,
    });
    await expect.poll(() => toldOf(ada).length).toBe(1);
    expect(await isLeased(ada)).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => isLeased(ada)).toBe(0);
    answerAll();
    expect((await advance(ada, key)).body.data.offset_seconds).toBe(DAY);
  });
});

it('two clocks are moved at once by one process; the next waits for its turn', async () => {
  const [ada, ben, cleo] = [await whoWaits(), await whoWaits(), await whoWaits()];
  const answers = [advance(ada, newKey()), advance(ben, newKey())];
  await expect.poll(() => toldOf(ada).length + toldOf(ben).length).toBe(2);
  answers.push(advance(cleo, newKey()));
  await expect.poll(() => isLeased(cleo)).toBe(1);
  // A member who waits gets every other answer at once.
  expect((await advance(cleo, newKey())).body.error.code).toBe('conflict');
  expect(await offsetOf(cleo)).toBe(0);
  expect(toldOf(cleo)).toEqual([]);
  answerAll();
  expect((await Promise.all(answers)).map((each) => each.status)).toEqual([200, 200, 200]);
  expect(toldOf(cleo)).toHaveLength(1);
});

const LEASED = 'select from sandbox_clock_moves where organization_id = $1 and leased_until > clock_timestamp()';
