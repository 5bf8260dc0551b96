import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';

const INPUT = { name: 'Nightly build', scopes: ['read:profile'], expires_at: null };

const create = (app: TestApp, admin: Member, changes: Record<string, unknown> = {}, owner = admin) =>
  app.api.post('/v1/api-tokens', owner.accessToken, { ...INPUT, ...changes });

const rolesOf = (app: TestApp, userId: string, role: string) =>
  execute(app.database, 'update memberships set role = $2 where user_id = $1', [userId, role]);

describe('POST /v1/api-tokens', () => {
  it('201: returns the token once; it acts as its owner within its scopes', async ({ app, admin }) => {
    const answer = await create(app, admin, { expires_at: '2099-01-31T12:00:00+02:00' });
    expect(answer.status).toBe(201);
    const { token, ...shown } = answer.body.data;
    expect(token).toMatch(/^svc_live_[0-9A-Za-z]{42}$/);
    expect(shown).toMatchObject({
      name: 'Nightly build',
      prefix: token.slice(0, 13),
      scopes: ['read:profile'],
      expires_at: '2099-01-31T10:00:00.000Z',
      last_used_at: null,
    });
    expect((await app.api.get('/v1/me', token)).body.data.id).toBe(admin.userId);
    const refused = await app.api.get('/v1/licenses', token);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: 'insufficient_scope',
      details: { required_scope: 'read:licenses' },
    });
  });

  it.for([
    [{ name: undefined }, 'name', 'required'],
    [{ name: '  ' }, 'name', 'format'],
    [{ scopes: [] }, 'scopes', 'length'],
    [{ scopes: ['read:profile', 'read:profile'] }, 'scopes', 'length'],
    [{ scopes: ['operator'] }, 'scopes.0', 'enum'],
    [{ expires_at: 'tomorrow' }, 'expires_at', 'format'],
    [{ expires_at: '2099-06-30T23:59:60Z' }, 'expires_at', 'format'],
    [{ id: 'tok_1' }, 'id', 'unknown'],
  ] as const)('400: %j', async ([changes, field, reason], { app, admin }) => {
    const answer = await create(app, admin, changes);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('422: an expiry in the past', async ({ app, admin }) => {
    const answer = await create(app, admin, { expires_at: '2020-01-31T12:00:00Z' });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toEqual({ field: 'expires_at', reason: 'past' });
  });

  it('403: scopes beyond the role, and a token that creates tokens', async ({ app, admin }) => {
    const member = await app.register();
    await rolesOf(app, member.userId, 'member');
    const refused = await create(app, admin, { scopes: ['read:org', 'admin:org'] }, member);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'billing' } });
    const { token } = (await create(app, admin, { scopes: ['write:profile'] })).body.data;
    const minted = await app.api.post('/v1/api-tokens', token, INPUT);
    expect(minted.status).toBe(403);
    expect(minted.body.error.code).toBe('forbidden');
  });

  it('401: without a token', async ({ app }) => {
    expect((await app.api.post('/v1/api-tokens', undefined, INPUT)).status).toBe(401);
  });

  it('records in the audit log who created and revoked a token, but never the secret', async ({ app, admin }) => {
    const owner = await app.register();
    const { token, ...shown } = (await create(app, admin, {}, owner)).body.data;
    await app.api.call('DELETE', `/v1/api-tokens/${shown.id}`, { token: owner.accessToken });
    const entries = await execute<Record<string, unknown>>(
      app.database,
      `select action, actor_user_id, credential_kind, before, after from audit_entries
        where organization_id = $1 and target_id = $2 order by id`,
      [owner.organizationId, shown.id],
    );
    const by = { actor_user_id: owner.userId, credential_kind: 'session' };
    expect(entries).toEqual([
      { action: 'api_token.created', ...by, before: null, after: shown },
      { action: 'api_token.revoked', ...by, before: shown, after: null },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  it('creates one token per Idempotency-Key, and returns its secret again', async ({ app }) => {
    const owner = await app.register();
    const key = { 'idempotency-key': 'once' };
    const first = await app.api.post('/v1/api-tokens', owner.accessToken, INPUT, key);
    const again = await app.api.post('/v1/api-tokens', owner.accessToken, INPUT, key);
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    expect((await app.api.get('/v1/api-tokens', owner.accessToken)).body.data).toHaveLength(1);
  });
});

describe('GET /v1/api-tokens', () => {
  it('200: pages through the user’s tokens in either order, without secrets', async ({ app, admin }) => {
    const owner = await app.register();
    for (const name of ['beta', 'alpha', 'gamma']) {
      await create(app, admin, { name }, owner);
    }
    const names = async (query: string) => {
      const found: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await app.api.get(`/v1/api-tokens?limit=2${query}${cursor}`, owner.accessToken)).body;
        found.push(...page.data.map((token: { name: string }) => token.name));
        expect(JSON.stringify(page.data)).not.toMatch(/svc_live_[0-9A-Za-z]{5}/);
        if (!page.pagination.has_more) {
          return found;
        }
        cursor = `&cursor=${page.pagination.next_cursor}`;
      }
    };
    expect(await names('')).toEqual(['gamma', 'alpha', 'beta']);
    expect(await names('&sort=created_at')).toEqual(['beta', 'alpha', 'gamma']);
    expect(await names('&sort=name')).toEqual(['alpha', 'beta', 'gamma']);
    expect(await names('&sort=-name&created_after=2020-01-01T00:00:00Z')).toEqual(['gamma', 'beta', 'alpha']);
    expect(await names('&created_before=2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('200: distinguishes active and expired tokens, in the list and individually', async ({ app, admin }) => {
    const owner = await app.register();
    const active = (await create(app, admin, { name: 'active' }, owner)).body.data;
    const expired = (await create(app, admin, { name: 'expired', expires_at: '2099-01-31T12:00:00Z' }, owner)).body
      .data;
    await execute(app.database, 'update api_tokens set expires_at = clock_timestamp() where id = $1', [expired.id]);
    for (const { id, name } of [active, expired]) {
      const listed = (await app.api.get(`/v1/api-tokens?status=${name}`, owner.accessToken)).body.data;
      expect(listed.map((each: { id: string }) => each.id)).toEqual([id]);
      expect((await app.api.get(`/v1/api-tokens/${id}`, owner.accessToken)).body.data).toEqual(listed[0]);
      expect(listed[0]).toMatchObject({ status: name, replaced_by: null });
    }
  });

  it('400: an unknown sort or filter', async ({ app, admin }) => {
    expect((await app.api.get('/v1/api-tokens?sort=prefix', admin.accessToken)).status).toBe(400);
    expect((await app.api.get('/v1/api-tokens?status=revoked', admin.accessToken)).status).toBe(400);
  });

  it('does not show the tokens of other users, even of the same organization', async ({ app, admin }) => {
    const [owner, colleague] = [await app.register(), await app.register()];
    await execute(app.database, `update memberships set organization_id = $2 where user_id = $1`, [
      colleague.userId,
      owner.organizationId,
    ]);
    const { id } = (await create(app, admin, {}, owner)).body.data;
    const elsewhere = { 'x-organization-id': owner.organizationId };
    const listed = await app.api.get('/v1/api-tokens', colleague.accessToken, elsewhere);
    expect(listed.body.data).toEqual([]);
    for (const [member, headers] of [
      [colleague, elsewhere],
      [admin, {}],
    ] as const) {
      const { accessToken: token } = member;
      expect((await app.api.get(`/v1/api-tokens/${id}`, token, headers)).status).toBe(404);
      expect((await app.api.call('DELETE', `/v1/api-tokens/${id}`, { token, headers })).status).toBe(404);
    }
    expect((await app.api.get('/v1/api-tokens', owner.accessToken)).body.data).toHaveLength(1);
  });

  it('401 without a token, 403 with an API token', async ({ app, admin }) => {
    const { token } = (await create(app, admin, { scopes: ['write:profile'] })).body.data;
    expect((await app.api.get('/v1/api-tokens')).status).toBe(401);
    expect((await app.api.get('/v1/api-tokens', token)).status).toBe(403);
  });

  it('shows when a token was last used, once that is recorded', async ({ app, admin }) => {
    const owner = await app.register();
    const { token } = (await create(app, admin, {}, owner)).body.data;
    await create(app, admin, { name: 'Unused' }, owner);
    await app.api.get('/v1/me', token);
    await app.runJobs();
    const [unused, used] = (await app.api.get('/v1/api-tokens', owner.accessToken)).body.data;
    expect(unused.last_used_at).toBeNull();
    expect(Math.abs(Date.parse(used.last_used_at) - Date.now())).toBeLessThan(60_000);
  });
});

describe('GET /v1/api-tokens/{id}', () => {
  it('404 for an unknown and a revoked one, 401 without a token, 403 with an API token', async ({ app, admin }) => {
    const { id, token } = (await create(app, admin, { scopes: ['write:profile'] })).body.data;
    const path = `/v1/api-tokens/${id}`;
    expect((await app.api.get(path)).status).toBe(401);
    expect((await app.api.get(path, token)).body.error.details).toEqual({ required_token: 'session' });
    await app.api.call('DELETE', path, { token: admin.accessToken });
    for (const gone of [path, '/v1/api-tokens/tok_nothing']) {
      const answer = await app.api.get(gone, admin.accessToken);
      expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'api_token' } });
    }
  });
});

describe('DELETE /v1/api-tokens/{id}', () => {
  it('204: the token is refused at its next request and no longer listed', async ({ app, admin }) => {
    const { id, token } = (await create(app, admin)).body.data;
    expect((await app.api.call('DELETE', `/v1/api-tokens/${id}`, { token: admin.accessToken })).status).toBe(204);
    expect((await app.api.get('/v1/me', token)).body.error.code).toBe('invalid_token');
    const listed = (await app.api.get('/v1/api-tokens?limit=100', admin.accessToken)).body.data;
    expect(listed.some((each: { id: string }) => each.id === id)).toBe(false);
    const again = await app.api.call('DELETE', `/v1/api-tokens/${id}`, { token: admin.accessToken });
    expect(again.body.error).toMatchObject({ code: 'not_found', details: { resource: 'api_token' } });
  });

  it('401 without a token, 403 with an API token', async ({ app, admin }) => {
    const { id, token } = (await create(app, admin, { scopes: ['write:profile'] })).body.data;
    expect((await app.api.call('DELETE', `/v1/api-tokens/${id}`)).status).toBe(401);
    expect((await app.api.call('DELETE', `/v1/api-tokens/${id}`, { token })).status).toBe(403);
  });
});

describe('an API token', () => {
  it('is refused with token_expired and the time of expiry once it has expired', async ({ app, admin }) => {
    const { id, token } = (await create(app, admin)).body.data;
    const expiredAt = '2026-01-31T12:00:00.000Z';
    await execute(app.database, 'update bearer_tokens set expires_at = $2 where source_id = $1', [id, expiredAt]);
    const answer = await app.api.get('/v1/me', token);
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({ code: 'token_expired', details: { expired_at: expiredAt } });
  });

  it('loses rights with its owner’s role, and ends with the membership', async ({ app, admin }) => {
    const owner = await app.register();
    const { token } = (await create(app, admin, { scopes: ['read:profile', 'read:org'] }, owner)).body.data;
    expect((await app.api.get('/v1/me', token)).body.data.organization.role).toBe('admin');
    await rolesOf(app, owner.userId, 'member');
    expect((await app.api.get('/v1/me', token)).body.data.organization.role).toBe('member');
    await execute(app.database, 'delete from memberships where user_id = $1', [owner.userId]);
    expect((await app.api.get('/v1/me', token)).body.error.code).toBe('invalid_token');
  });

  it('is confined to its own organization, which it may name', async ({ app, admin }) => {
    const { token } = (await create(app, admin)).body.data;
    const naming = (organizationId: string) => app.api.get('/v1/me', token, { 'x-organization-id': organizationId });
    expect((await naming(admin.organizationId)).status).toBe(200);
    expect((await naming((await app.register()).organizationId)).status).toBe(404);
  });

  it('is refused with invalid_token in the other environment, whose tokens have another prefix', async ({
    app,
    admin,
  }) => {
    const sandbox = await startAppForTest({ environment: 'sandbox', beside: app });
    const { token } = (await create(app, admin)).body.data;
    expect((await sandbox.api.get('/v1/me', token)).body.error.code).toBe('invalid_token');
    const made = await sandbox.api.post('/v1/api-tokens', admin.accessToken, INPUT);
    expect(made.body.data.token).toMatch(/^svc_test_/);
    expect((await app.api.get('/v1/me', made.body.data.token)).body.error.code).toBe('invalid_token');
  });
});
