import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openAppForTest, openTestApp, type TestApp } from '../../../test/harness/index.ts';

let test: TestApp;
let ada: Member;

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register();
});
afterAll(() => test.close());

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const create = async (expiresAt: string | null = null, owner = ada) => {
  const input = { name: 'Nightly build', scopes: ['read:profile', 'read:org'], expires_at: expiresAt };
  return (await test.api.post('/v1/api-tokens', owner.accessToken, input)).body.data;
};
const rotate = (id: string, body: unknown = {}, token: string | undefined = ada.accessToken) =>
  test.api.post(`/v1/api-tokens/${id}/rotate`, token, body);
const show = async (id: string) => (await test.api.get(`/v1/api-tokens/${id}`, ada.accessToken)).body.data;
const codeOf = async (token: string) => (await test.api.get('/v1/me', token)).body.error?.code;
const daysUntil = (time: string) => (Date.parse(time) - Date.now()) / DAY_MS;

/** Sets the expiry of a token as time would bring it. */
const expire = (id: string) =>
  execute(
    test.database,
    `with a as (update api_tokens set expires_at = clock_timestamp() where id = $1)
      update bearer_tokens set expires_at = clock_timestamp() where source_id = $1`,
    [id],
  );

describe('POST /v1/api-tokens/{id}/rotate', () => {
  it('201: answers a new token of the same name, scopes and life; the old one works for a day more', async () => {
    const old = await create(inDays(30));
    const answer = await rotate(old.id);
    expect(answer.status).toBe(201);
    const { token, ...shown } = answer.body.data;
    expect(shown).toMatchObject({ name: old.name, scopes: old.scopes, status: 'active', replaced_by: null });
    expect(shown.id).not.toBe(old.id);
    expect(shown.prefix).toBe(token.slice(0, 13));
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBeCloseTo(
      Date.parse(old.expires_at) - Date.parse(old.created_at),
      -3,
    );
    expect(await codeOf(token)).toBeUndefined();
    expect(await codeOf(old.token)).toBeUndefined();
    const replaced = await show(old.id);
    expect(replaced.replaced_by).toBe(shown.id);
    expect(daysUntil(replaced.expires_at)).toBeCloseTo(1, 2);
    const [bearer] = await execute<{ expires_at: Date }>(
      test.database,
      'select expires_at from bearer_tokens where source_id = $1',
      [old.id],
    );
    expect(bearer?.expires_at.toISOString()).toBe(replaced.expires_at);
  });

  it('ends the old one at once with an overlap of 0', async () => {
    const old = await create();
    const { token, expires_at } = (await rotate(old.id, { overlap_seconds: 0 })).body.data;
    expect(expires_at).toBeNull();
    expect(await codeOf(old.token)).toBe('token_expired');
    expect(await codeOf(token)).toBeUndefined();
    expect((await show(old.id)).status).toBe('expired');
    const [told] = await execute(
      test.database,
      `select after ->> 'status' as status from audit_entries
        where organization_id = $1 and target_id = $2 and action = 'api_token.rotated'`,
      [ada.organizationId, old.id],
    );
    expect(told).toEqual({ status: 'expired' });
  });

  it('never lets the old one live longer than it was made to', async () => {
    const old = await create(inDays(0.5));
    await rotate(old.id, { overlap_seconds: 604_800 });
    expect((await show(old.id)).expires_at).toBe(old.expires_at);
  });

  it.each([
    ['2099-01-31T12:00:00Z', '2099-01-31T12:00:00.000Z'],
    [null, null],
  ])('takes another expiry: %j', async (wished, shown) => {
    const old = await create(inDays(30));
    expect((await rotate(old.id, { expires_at: wished })).body.data.expires_at).toBe(shown);
  });

  it('gives a token that was made to end in the year 9999 a successor that ends then, too', async () => {
    const old = await create('9999-12-31T23:59:59.999Z');
    await execute(test.database, `update api_tokens set created_at = created_at - interval '1 day' where id = $1`, [
      old.id,
    ]);
    expect((await rotate(old.id)).body.data.expires_at).toBe('9999-12-31T23:59:59.999Z');
  });

  it('409: a token that was rotated before, or has expired', async () => {
    const [rotated, expired] = [await create(), await create(inDays(30))];
    await rotate(rotated.id);
    await expire(expired.id);
    for (const { id } of [rotated, expired]) {
      const answer = await rotate(id);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    }
  });

  it('404: a revoked one, an unknown one, another user’s', async () => {
    const [revoked, own] = [await create(), await create()];
    await test.api.call('DELETE', `/v1/api-tokens/${revoked.id}`, { token: ada.accessToken });
    expect((await rotate(revoked.id)).status).toBe(404);
    expect((await rotate('tok_nothing')).body.error.details).toEqual({ resource: 'api_token' });
    expect((await rotate(own.id, {}, (await test.register()).accessToken)).status).toBe(404);
    expect((await show(own.id)).replaced_by).toBeNull();
  });

  it.each([
    [{ overlap_seconds: -1 }, 'overlap_seconds', 'min'],
    [{ overlap_seconds: 604_801 }, 'overlap_seconds', 'max'],
    [{ overlap_seconds: 1.5 }, 'overlap_seconds', 'type'],
    [{ expires_at: 'tomorrow' }, 'expires_at', 'format'],
    [{ scopes: ['admin:org'] }, 'scopes', 'unknown'],
  ])('400: %j', async (body, field, reason) => {
    const answer = await rotate((await create()).id, body);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('422: an expiry that has passed, and the old token stays as it was', async () => {
    const old = await create();
    expect((await rotate(old.id, { expires_at: '2020-01-31T12:00:00Z' })).body.error.code).toBe('validation_failed');
    expect(await show(old.id)).toMatchObject({ replaced_by: null, expires_at: null });
  });

  it('403: scopes that the present role does not allow, and with an API token; 401 without one', async () => {
    const owner = await test.register();
    const input = { name: 'admin', scopes: ['admin:org'], expires_at: null };
    const { id } = (await test.api.post('/v1/api-tokens', owner.accessToken, input)).body.data;
    await execute(test.database, `update memberships set role = 'member' where user_id = $1`, [owner.userId]);
    const refused = await rotate(id, {}, owner.accessToken);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'billing' } });
    const minter = await create();
    expect((await rotate(minter.id, {}, minter.token)).body.error.code).toBe('forbidden');
    expect((await test.api.post(`/v1/api-tokens/${minter.id}/rotate`, undefined, {})).status).toBe(401);
  });

  it('makes one new token of fifty that are asked for at once, on two processes', async () => {
    const second = await openAppForTest({ beside: test });
    const old = await create();
    const opening = [test, second].flatMap(({ api }) => Array.from({ length: 10 }, () => api.get('/v1/me', old.token)));
    await Promise.all(opening);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? test : second).api.post(`/v1/api-tokens/${old.id}/rotate`, ada.accessToken, {}),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'conflict')).toHaveLength(49);
    const made = await execute<{ n: number }>(
      test.database,
      'select count(*)::int as n from api_tokens where user_id = $1 and created_at > $2::timestamptz',
      [ada.userId, old.created_at],
    );
    expect(made).toEqual([{ n: 1 }]);
  });

  it('answers the same secret again under the same Idempotency-Key', async () => {
    const path = `/v1/api-tokens/${(await create()).id}/rotate`;
    const first = await test.api.post(path, ada.accessToken, {}, { 'idempotency-key': 'rotate once' });
    const again = await test.api.post(path, ada.accessToken, {}, { 'idempotency-key': 'rotate once' });
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('writes into the audit log what became of the old token, and that there is a new one', async () => {
    const old = await create();
    const before = await show(old.id);
    const { token, ...successor } = (await rotate(old.id)).body.data;
    const entries = await execute<Record<string, unknown>>(
      test.database,
      `select action, target_id, before, after from audit_entries
        where organization_id = $1 and (target_id = $2 or target_id = $3) order by id`,
      [ada.organizationId, old.id, successor.id],
    );
    expect(entries.slice(1)).toEqual([
      { action: 'api_token.created', target_id: successor.id, before: null, after: successor },
      { action: 'api_token.rotated', target_id: old.id, before, after: await show(old.id) },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});
