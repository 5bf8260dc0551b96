import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const create = async (app: TestApp, admin: Member, expiresAt: string | null = null, owner = admin) => {
  const input = { name: 'Nightly build', scopes: ['read:profile', 'read:org'], expires_at: expiresAt };
  return (await app.api.post('/v1/api-tokens', owner.accessToken, input)).body.data;
};
const rotate = (
  app: TestApp,
  admin: Member,
  id: string,
  body: unknown = {},
  token: string | undefined = admin.accessToken,
) => app.api.post(`/v1/api-tokens/${id}/rotate`, token, body);
const show = async (app: TestApp, admin: Member, id: string) =>
  (await app.api.get(`/v1/api-tokens/${id}`, admin.accessToken)).body.data;
const codeOf = async (app: TestApp, token: string) => (await app.api.get('/v1/me', token)).body.error?.code;
const daysUntil = (time: string) => (Date.parse(time) - Date.now()) / DAY_MS;

/** Sets a token's expiry as if time had passed. */
const expire = (app: TestApp, id: string) =>
  execute(
    app.database,
    `with a as (update api_tokens set expires_at = clock_timestamp() where id = $1)
      update bearer_tokens set expires_at = clock_timestamp() where source_id = $1`,
    [id],
  );

describe('POST /v1/api-tokens/{id}/rotate', () => {
  it('201: returns a new token with the same name, scopes and lifetime; the old one works for another day', async ({
    app,
    admin,
  }) => {
    const old = await create(app, admin, inDays(30));
    const answer = await rotate(app, admin, old.id);
    expect(answer.status).toBe(201);
    const { token, ...shown } = answer.body.data;
    expect(shown).toMatchObject({ name: old.name, scopes: old.scopes, status: 'active', replaced_by: null });
    expect(shown.id).not.toBe(old.id);
    expect(shown.prefix).toBe(token.slice(0, 13));
    expect(Date.parse(shown.expires_at) - Date.parse(shown.created_at)).toBeCloseTo(
      Date.parse(old.expires_at) - Date.parse(old.created_at),
      -3,
    );
    expect(await codeOf(app, token)).toBeUndefined();
    expect(await codeOf(app, old.token)).toBeUndefined();
    const replaced = await show(app, admin, old.id);
    expect(replaced.replaced_by).toBe(shown.id);
    expect(daysUntil(replaced.expires_at)).toBeCloseTo(1, 2);
    const [bearer] = await execute<{ expires_at: Date }>(
      app.database,
      'select expires_at from bearer_tokens where source_id = $1',
      [old.id],
    );
    expect(bearer?.expires_at.toISOString()).toBe(replaced.expires_at);
  });

  it('ends the old one immediately with an overlap of 0', async ({ app, admin }) => {
    const old = await create(app, admin);
    const { token, expires_at } = (await rotate(app, admin, old.id, { overlap_seconds: 0 })).body.data;
    expect(expires_at).toBeNull();
    expect(await codeOf(app, old.token)).toBe('token_expired');
    expect(await codeOf(app, token)).toBeUndefined();
    expect((await show(app, admin, old.id)).status).toBe('expired');
    const [told] = await execute(
      app.database,
      `select after ->> 'status' as status from audit_entries
        where organization_id = $1 and target_id = $2 and action = 'api_token.rotated'`,
      [admin.organizationId, old.id],
    );
    expect(told).toEqual({ status: 'expired' });
  });

  it('never extends the old one beyond its expiry', async ({ app, admin }) => {
    const old = await create(app, admin, inDays(0.5));
    await rotate(app, admin, old.id, { overlap_seconds: 604_800 });
    expect((await show(app, admin, old.id)).expires_at).toBe(old.expires_at);
  });

  it.for([
    ['2099-01-31T12:00:00Z', '2099-01-31T12:00:00.000Z'],
    [null, null],
  ] as const)('accepts another expiry: %j', async ([wished, shown], { app, admin }) => {
    const old = await create(app, admin, inDays(30));
    expect((await rotate(app, admin, old.id, { expires_at: wished })).body.data.expires_at).toBe(shown);
  });

  it('gives a token that expires in the year 9999 a successor that does too', async ({ app, admin }) => {
    const old = await create(app, admin, '9999-12-31T23:59:59.999Z');
    await execute(app.database, `update api_tokens set created_at = created_at - interval '1 day' where id = $1`, [
      old.id,
    ]);
    expect((await rotate(app, admin, old.id)).body.data.expires_at).toBe('9999-12-31T23:59:59.999Z');
  });

  it('409: an already rotated or expired token', async ({ app, admin }) => {
    const [rotated, expired] = [await create(app, admin), await create(app, admin, inDays(30))];
    await rotate(app, admin, rotated.id);
    await expire(app, expired.id);
    for (const { id } of [rotated, expired]) {
      const answer = await rotate(app, admin, id);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    }
  });

  it('404: a revoked or unknown token, or another user’s', async ({ app, admin }) => {
    const [revoked, own] = [await create(app, admin), await create(app, admin)];
    await app.api.call('DELETE', `/v1/api-tokens/${revoked.id}`, { token: admin.accessToken });
    expect((await rotate(app, admin, revoked.id)).status).toBe(404);
    expect((await rotate(app, admin, 'tok_nothing')).body.error.details).toEqual({ resource: 'api_token' });
    expect((await rotate(app, admin, own.id, {}, (await app.register()).accessToken)).status).toBe(404);
    expect((await show(app, admin, own.id)).replaced_by).toBeNull();
  });

  it.for([
    [{ overlap_seconds: -1 }, 'overlap_seconds', 'min'],
    [{ overlap_seconds: 604_801 }, 'overlap_seconds', 'max'],
    [{ overlap_seconds: 1.5 }, 'overlap_seconds', 'type'],
    [{ expires_at: 'tomorrow' }, 'expires_at', 'format'],
    [{ scopes: ['admin:org'] }, 'scopes', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { app, admin }) => {
    const answer = await rotate(app, admin, (await create(app, admin)).id, body);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('422: an expiry in the past; the old token does not change', async ({ app, admin }) => {
    const old = await create(app, admin);
    expect((await rotate(app, admin, old.id, { expires_at: '2020-01-31T12:00:00Z' })).body.error.code).toBe(
      'validation_failed',
    );
    expect(await show(app, admin, old.id)).toMatchObject({ replaced_by: null, expires_at: null });
  });

  it('403: scopes beyond the current role, and with an API token; 401: without a token', async ({ app, admin }) => {
    const owner = await app.register();
    const input = { name: 'admin', scopes: ['admin:org'], expires_at: null };
    const { id } = (await app.api.post('/v1/api-tokens', owner.accessToken, input)).body.data;
    await execute(app.database, `update memberships set role = 'member' where user_id = $1`, [owner.userId]);
    const refused = await rotate(app, admin, id, {}, owner.accessToken);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'billing' } });
    const minter = await create(app, admin);
    expect((await rotate(app, admin, minter.id, {}, minter.token)).body.error.code).toBe('forbidden');
    expect((await app.api.post(`/v1/api-tokens/${minter.id}/rotate`, undefined, {})).status).toBe(401);
  });

  it('creates one new token from fifty simultaneous requests on two processes', async ({ app, admin }) => {
    const second = await startAppForTest({ beside: app });
    const old = await create(app, admin);
    const opening = [app, second].flatMap(({ api }) => Array.from({ length: 10 }, () => api.get('/v1/me', old.token)));
    await Promise.all(opening);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? app : second).api.post(`/v1/api-tokens/${old.id}/rotate`, admin.accessToken, {}),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'conflict')).toHaveLength(49);
    const made = await execute<{ n: number }>(
      app.database,
      'select count(*)::int as n from api_tokens where user_id = $1 and created_at > $2::timestamptz',
      [admin.userId, old.created_at],
    );
    expect(made).toEqual([{ n: 1 }]);
  });

  it('returns the same secret for the same Idempotency-Key', async ({ app, admin }) => {
    const path = `/v1/api-tokens/${(await create(app, admin)).id}/rotate`;
    const first = await app.api.post(path, admin.accessToken, {}, { 'idempotency-key': 'rotate once' });
    const again = await app.api.post(path, admin.accessToken, {}, { 'idempotency-key': 'rotate once' });
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('records the end of the old token and the new token in the audit log', async ({ app, admin }) => {
    const old = await create(app, admin);
    const before = await show(app, admin, old.id);
    const { token, ...successor } = (await rotate(app, admin, old.id)).body.data;
    const entries = await execute<Record<string, unknown>>(
      app.database,
      `select action, target_id, before, after from audit_entries
        where organization_id = $1 and (target_id = $2 or target_id = $3) order by id`,
      [admin.organizationId, old.id, successor.id],
    );
    expect(entries.slice(1)).toEqual([
      { action: 'api_token.created', target_id: successor.id, before: null, after: successor },
      { action: 'api_token.rotated', target_id: old.id, before, after: await show(app, admin, old.id) },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});
