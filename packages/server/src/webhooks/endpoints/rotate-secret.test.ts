import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { startReceiver, type WebhookReceiver } from '../../../test/harness/webhook-receiver.ts';
import { signAttempt, signingKey } from '../signing/sign-attempt.ts';

let receiver: WebhookReceiver;
let test: TestApp;
let ada: Member;
let id: string;
let firstSecret: string;

beforeAll(async () => {
  receiver = await startReceiver();
  test = await startTestApp({ settings: receiver.settings });
});
afterAll(async () => {
  await test.close();
  await receiver.close();
});
beforeEach(async () => {
  beganAtMs = Date.now();
  receiver.received.length = 0;
  ada = await test.register();
  const { data } = (
    await test.api.post('/v1/webhooks', ada.accessToken, { url: receiver.url(), events: ['license.expired'] })
  ).body;
  id = data.id;
  firstSecret = data.secret;
});

const rotate = (body?: unknown, headers?: Record<string, string>) =>
  test.api.post(`/v1/webhooks/${id}/rotate-secret`, ada.accessToken, body, headers);
const rotated = async (body?: unknown) => (await rotate(body)).body.data;

/** The current signing secrets, as the receiver sees them: one signature each, newest first. */
async function expectToSign(secrets: readonly string[]): Promise<void> {
  receiver.received.length = 0;
  await test.api.post(`/v1/webhooks/${id}/test`, ada.accessToken, { type: 'license.expired' });
  await test.runJobs();
  const [received] = receiver.received;
  const header = String(received?.headers['x-service-signature']);
  const timestamp = Number(/^t=(\d+),/.exec(header)?.[1]);
  const expected = signAttempt(secrets.map(signingKey), received?.event.id ?? '', timestamp, received?.body ?? '');
  expect(header).toBe(expected['x-service-signature']);
}

/** Lets time pass for the expiring secrets. */
const bringEndsForward = (seconds: number) =>
  execute(
    test.database,
    `update webhook_secrets set ends_at = ends_at - $2 * interval '1 second' where endpoint_id = $1`,
    [id, seconds],
  );

let beganAtMs: number;

/** Expects a time this long after a moment of the running test. PostgreSQL rounds to milliseconds. */
function expectToEndAfter(time: string, seconds: number): void {
  const fromMs = Date.parse(time) - seconds * 1000;
  expect(fromMs).toBeGreaterThanOrEqual(beganAtMs - 1);
  expect(fromMs).toBeLessThanOrEqual(Date.now() + 1);
}

describe('a rotation of the signing secret', () => {
  it('returns a new one, and for a day both sign, newest first', async () => {
    const answer = await rotate();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status: 'active', secret: expect.stringMatching(/^whsec_/) });
    expectToEndAfter(answer.body.data.previous_secret_expires_at, 86_400);
    await expectToSign([answer.body.data.secret, firstSecret]);
    const shown = (await test.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body.data;
    expect(shown.previous_secret_expires_at).toBe(answer.body.data.previous_secret_expires_at);
    expect(shown).not.toHaveProperty('secret');
    await bringEndsForward(86_401);
    await expectToSign([answer.body.data.secret]);
    const later = (await test.api.get(`/v1/webhooks/${id}`, ada.accessToken)).body.data;
    expect(later.previous_secret_expires_at).toBeNull();
  });

  it('accepts a given secret and an overlap', async () => {
    const own = 'a secret-of-our-own-0123'.replace(' ', '-');
    const answer = await rotated({ secret: own, overlap_seconds: 60 });
    expect(answer.secret).toBe(own);
    expectToEndAfter(answer.previous_secret_expires_at, 60);
    await expectToSign([own, firstSecret]);
  });

  it('without an overlap ends all previous secrets', async () => {
    await rotated();
    const { secret, previous_secret_expires_at } = await rotated({ overlap_seconds: 0 });
    expect(previous_secret_expires_at).toBeNull();
    await expectToSign([secret]);
  });

  it('keeps no previous secret longer than its overlap, nor longer than before', async () => {
    await rotated({ overlap_seconds: 600 });
    const longer = await rotated({ overlap_seconds: 3_600 });
    expectToEndAfter(longer.previous_secret_expires_at, 3_600);
    const shorter = await rotated({ overlap_seconds: 60 });
    expectToEndAfter(shorter.previous_secret_expires_at, 60);
  });

  it('lets at most three secrets sign: the oldest ends immediately', async () => {
    const secrets = [firstSecret];
    for (let each = 0; each < 4; each += 1) {
      secrets.unshift((await rotated()).secret);
    }
    await expectToSign(secrets.slice(0, 3));
  });

  it('stores new secrets encrypted, and deletes ended ones', async () => {
    const { secret } = await rotated({ overlap_seconds: 60 });
    await bringEndsForward(61);
    await test.runJobs();
    const rows = await execute<{ secret: Buffer }>(
      test.database,
      'select secret from webhook_secrets where endpoint_id = $1',
      [id],
    );
    expect(rows.map((row) => row.secret.includes(secret.slice(6)))).toEqual([false]);
  });

  it('is made once per Idempotency-Key, whose stored response does not reveal the secret', async () => {
    const headers = { 'idempotency-key': 'rotation-1' };
    const [first, again] = [await rotate({}, headers), await rotate({}, headers)];
    expect(again.body.data).toEqual(first.body.data);
    const kept = await execute<{ answer: Buffer }>(
      test.database,
      'select answer from idempotency_keys where organization_id = $1',
      [ada.organizationId],
    );
    expect(kept.map((row) => row.answer.includes(first.body.data.secret.slice(6)))).toEqual([false]);
    await expectToSign([first.body.data.secret, firstSecret]);
  });

  it('leaves three signing secrets after twenty simultaneous requests, and one without an end', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = await execute<{ ends: boolean }>(
      test.database,
      'select ends_at is not null as ends from webhook_secrets where endpoint_id = $1 order by created_at desc, id desc',
      [id],
    );
    expect(rows).toEqual([{ ends: false }, { ends: true }, { ends: true }]);
  });

  it.each([
    ['secret', 'length', { secret: 'short' }],
    ['secret', 'format', { secret: `${'x'.repeat(30)}\n` }],
    ['overlap_seconds', 'min', { overlap_seconds: -1 }],
    ['overlap_seconds', 'max', { overlap_seconds: 604_801 }],
    ['overlap_seconds', 'type', { overlap_seconds: 1.5 }],
    ['overlap', 'unknown', { overlap: 1 }],
  ])('is refused for its %s: %s', async (field, reason, body) => {
    const answer = await rotate(body);
    expect([answer.status, answer.body.error.details]).toEqual([400, { field, reason }]);
  });

  it('is recorded in the audit log, without a secret', async () => {
    const { secret } = await rotated();
    const { data } = (await test.api.get('/v1/audit-log', ada.accessToken)).body;
    expect(data[0]).toMatchObject({ action: 'webhook.secret_rotated', target: { id } });
    expect(JSON.stringify(data)).not.toContain(secret);
  });
});
