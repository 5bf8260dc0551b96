import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { appsUnderTest, at, type Caller, INPUT } from '../../../test/oauth/apps-under-test.ts';
import { hashToken } from '../../security/index.ts';
import { findOauthClient } from './find-client.ts';

const it = createTest().extend('apps', { scope: 'file' }, ({ app, admin }) => appsUnderTest(app, admin));

/** Another member of Ada's organization. */
async function join(app: TestApp, admin: Member, role: string): Promise<Caller> {
  const member = await app.register();
  await execute(
    app.database,
    `insert into memberships (organization_id, user_id, user_name, role, created_at)
      values ($1, $2, 'Bob', $3, clock_timestamp())`,
    [admin.organizationId, member.userId, role],
  );
  return at(member, admin.organizationId);
}

async function apiToken(app: TestApp, admin: Member): Promise<string> {
  const body = { name: 'A token', scopes: ['read:profile', 'write:profile'], expires_at: null };
  return (await app.api.post('/v1/api-tokens', admin.accessToken, body)).body.data.token;
}

describe('POST /v1/oauth-apps', () => {
  it('201: a confidential app, with its secret once', async ({ app, admin, apps }) => {
    const answer = await apps.create({ name: '  Console ' });
    expect(answer.status).toBe(201);
    const { client_secret: secret, ...oauthApp } = answer.body.data;
    expect(secret).toMatch(/^svc_ocs_[0-9A-Za-z]{42}$/);
    expect(oauthApp).toMatchObject({
      client_id: oauthApp.id,
      name: 'Console',
      redirect_uris: INPUT.redirect_uris,
      scopes: INPUT.scopes,
      confidential: true,
      created_by: admin.userId,
      secrets: [{ expires_at: null }],
    });
    expect((await app.api.get(`/v1/oauth-apps/${oauthApp.id}`, admin.accessToken)).body.data).toEqual(oauthApp);
    expect(await apps.auditOf(oauthApp.id)).toEqual([{ action: 'oauth_app.created', before: null, after: oauthApp }]);
  });

  it('201: a public app, without a secret', async ({ app, apps }) => {
    const oauthApp = await apps.made({ confidential: false, redirect_uris: ['com.example.app:/callback'] });
    expect(oauthApp).toMatchObject({ confidential: false, client_secret: null, secrets: [] });
    expect((await findOauthClient(app.database, oauthApp.id))?.secretHashes).toEqual([]);
  });

  it.for([
    [{ name: undefined }, 'name', 'required'],
    [{ name: ' ' }, 'name', 'format'],
    [{ name: 'Seat\u202Edloh' }, 'name', 'format'],
    [{ redirect_uris: [] }, 'redirect_uris', 'length'],
    [{ redirect_uris: [], device_flow: false }, 'redirect_uris', 'length'],
    [{ device_flow: 'yes' }, 'device_flow', 'type'],
    [{ redirect_uris: 'https://example.com/' }, 'redirect_uris', 'type'],
    [{ redirect_uris: [7] }, 'redirect_uris.0', 'type'],
    [{ redirect_uris: [`https://example.com/${'a'.repeat(2048)}`] }, 'redirect_uris.0', 'length'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, n) => `https://example.com/${n}`) }, 'redirect_uris', 'length'],
    [{ scopes: [] }, 'scopes', 'length'],
    [{ scopes: ['operator'] }, 'scopes.0', 'enum'],
    [{ scopes: ['read:profile', 'read:profile'] }, 'scopes', 'length'],
    [{ confidential: undefined }, 'confidential', 'required'],
    [{ confidential: 'yes' }, 'confidential', 'type'],
    [{ client_secret: 'mine' }, 'client_secret', 'unknown'],
  ] as const)('400: %j', async ([changes, field, reason], { apps }) => {
    const answer = await apps.create(changes);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it.for([
    [['http://example.com/'], 'redirect_uris.0', 'not_https'],
    [['https://example.com/', 'https://a@example.com/'], 'redirect_uris.1', 'credentials'],
    [['https://example.com/', 'https://example.com/'], 'redirect_uris.1', 'duplicate'],
    [['com.example.app:/callback'], 'redirect_uris.0', 'scheme'],
  ] as const)('422: %j', async ([uris, field, reason], { apps }) => {
    const answer = await apps.create({ redirect_uris: uris });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'validation_failed', details: { field, reason } });
  });

  it('401 without a token, 403 with an API token', async ({ app, admin }) => {
    expect((await app.api.post('/v1/oauth-apps', undefined, INPUT)).status).toBe(401);
    const refused = await app.api.post('/v1/oauth-apps', await apiToken(app, admin), INPUT);
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('forbidden');
  });

  it('creates one app per Idempotency-Key, and returns its secret again', async ({ app }) => {
    const owner = at(await app.register());
    const options = { ...owner, headers: { 'idempotency-key': 'once' }, body: INPUT };
    const first = await app.api.call('POST', '/v1/oauth-apps', options);
    const again = await app.api.call('POST', '/v1/oauth-apps', options);
    expect(again.body.data).toEqual(first.body.data);
    expect((await app.api.get('/v1/oauth-apps', owner.token)).body.data).toHaveLength(1);
  });

  it('409: at most 100 apps, even with simultaneous requests', async ({ app, apps }) => {
    const owner = await app.register();
    await execute(
      app.database,
      `insert into oauth_apps (organization_id, id, created_by, name, redirect_uris, scopes, is_confidential,
          created_at, updated_at)
        select $1, 'app_filler_' || $1 || n, $2, 'Filler', '{https://example.com/}', '{read:profile}', false,
          clock_timestamp(), clock_timestamp() from generate_series(1, 95) n`,
      [owner.organizationId, owner.userId],
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => apps.create({}, at(owner))));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 201),
      ...Array.from({ length: 15 }, () => 409),
    ]);
    const one = answers.find((answer) => answer.status === 201)?.body.data.id;
    await app.api.call('DELETE', `/v1/oauth-apps/${one}`, at(owner));
    expect((await apps.create({}, at(owner))).status).toBe(201);
  });
});

describe('GET /v1/oauth-apps', () => {
  it('200: pages through the apps in either order, filtered, without secrets', async ({ app, apps }) => {
    const owner = at(await app.register());
    for (const name of ['beta', 'alpha', 'gamma']) {
      await apps.create({ name, confidential: name !== 'gamma' }, owner);
    }
    const names = async (query: string) => {
      const found: string[] = [];
      let cursor = '';
      for (;;) {
        const page = (await app.api.get(`/v1/oauth-apps?limit=2${query}${cursor}`, owner.token)).body;
        found.push(...page.data.map((app: { name: string }) => app.name));
        expect(JSON.stringify(page.data)).not.toContain('svc_ocs_');
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
    expect(await names('&confidential=true')).toEqual(['alpha', 'beta']);
    expect(await names('&confidential=false')).toEqual(['gamma']);
    const secrets = (await app.api.get('/v1/oauth-apps', owner.token)).body.data.map(
      (app: { secrets: unknown[] }) => app.secrets.length,
    );
    expect(secrets).toEqual([0, 1, 1]);
  });

  it('400: an unknown sort; 401: without a token; 403: with an API token', async ({ app, admin }) => {
    expect((await app.api.get('/v1/oauth-apps?sort=scopes', admin.accessToken)).status).toBe(400);
    expect((await app.api.get('/v1/oauth-apps')).status).toBe(401);
    expect((await app.api.get('/v1/oauth-apps', await apiToken(app, admin))).status).toBe(403);
  });
});

describe('access to apps:', () => {
  it('a member sees and changes their own, an admin all of the organization', async ({ app, admin, apps }) => {
    const [member, colleague, chief] = [
      await join(app, admin, 'member'),
      await join(app, admin, 'billing'),
      await join(app, admin, 'admin'),
    ];
    const { id } = await apps.made({}, member);
    const path = `/v1/oauth-apps/${id}`;
    const list = async (caller: Caller) =>
      (await app.api.call('GET', '/v1/oauth-apps?limit=100', caller)).body.data.map((app: { id: string }) => app.id);
    expect(await list(member)).toEqual([id]);
    expect(await list(colleague)).toEqual([]);
    expect(await list(chief)).toEqual(expect.arrayContaining([id]));
    expect((await app.api.call('GET', path, colleague)).status).toBe(404);
    for (const caller of [member, chief]) {
      expect((await app.api.call('GET', path, caller)).status).toBe(200);
      expect((await app.api.call('PATCH', path, { ...caller, body: { name: 'Mine' } })).status).toBe(200);
      expect((await apps.rotate(id, {}, caller)).status).toBe(200);
    }
    expect((await app.api.call('DELETE', path, chief)).status).toBe(204);
  });

  it('404: an unknown app, or one of a colleague or another organization', async ({ app, admin, apps }) => {
    const own = await apps.made();
    const strangers: Array<[Caller, string]> = [
      [at(admin), 'app_01k9m2v5x8e4bt3q6r7s8t9vwx'],
      [await join(app, admin, 'billing'), own.id],
      [at(await app.register()), own.id],
    ];
    for (const [caller, id] of strangers) {
      const path = `/v1/oauth-apps/${id}`;
      const answers = [
        await app.api.call('GET', path, caller),
        await app.api.call('PATCH', path, { ...caller, body: { name: 'Stolen' } }),
        await apps.rotate(id, {}, caller),
        await app.api.call('DELETE', path, caller),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'oauth_app' } });
      }
    }
    expect((await app.api.call('GET', `/v1/oauth-apps/${own.id}`, at(admin))).body.data.name).toBe('Console');
  });

  it('401 without a token, 403 with an API token', async ({ app, admin, apps }) => {
    const { id } = await apps.made();
    for (const [token, status] of [
      [undefined, 401],
      [await apiToken(app, admin), 403],
    ] as const) {
      const path = `/v1/oauth-apps/${id}`;
      expect((await app.api.call('GET', path, { token })).status).toBe(status);
      expect((await app.api.call('PATCH', path, { token, body: { name: 'X' } })).status).toBe(status);
      expect((await app.api.call('POST', `${path}/rotate-secret`, { token, body: {} })).status).toBe(status);
      expect((await app.api.call('DELETE', path, { token })).status).toBe(status);
    }
  });
});

describe('PATCH /v1/oauth-apps/{id}', () => {
  it('200: changes the given fields and keeps the others', async ({ app, admin, apps }) => {
    const { client_secret: secret, ...before } = await apps.made();
    const changes = { redirect_uris: ['https://new.example.com/'], scopes: ['read:profile'] };
    const answer = await app.api.call('PATCH', `/v1/oauth-apps/${before.id}`, { ...at(admin), body: changes });
    expect(answer.status).toBe(200);
    const after = answer.body.data;
    expect(after).toEqual({ ...before, ...changes, updated_at: after.updated_at });
    expect((await apps.auditOf(before.id)).at(-1)).toEqual({ action: 'oauth_app.updated', before, after });
    expect(await findOauthClient(app.database, before.id)).toMatchObject({
      name: 'Console',
      organizationId: admin.organizationId,
      redirectUris: changes.redirect_uris,
      scopes: changes.scopes,
      isConfidential: true,
    });
    expect(await apps.accepted(before.id, [secret])).toEqual([true]);
  });

  it('400 and 422: for the same reasons as the creation; a public app stays public', async ({ app, admin, apps }) => {
    const { id } = await apps.made();
    const patch = (body: unknown) => app.api.call('PATCH', `/v1/oauth-apps/${id}`, { ...at(admin), body });
    expect((await patch({})).status).toBe(200);
    expect((await patch({ confidential: false })).body.error.details).toEqual({
      field: 'confidential',
      reason: 'unknown',
    });
    expect((await patch({ scopes: ['read:org', 'read:org'] })).status).toBe(400);
    expect((await patch({ redirect_uris: ['https://b.example/*'] })).body.error.details).toEqual({
      field: 'redirect_uris.0',
      reason: 'wildcard',
    });
    expect((await patch({ redirect_uris: ['com.example.app:/callback'] })).status).toBe(422);
  });
});

describe('DELETE /v1/oauth-apps/{id}', () => {
  it('204: deletes the app and its secret for everyone', async ({ app, admin, apps }) => {
    const { id, client_secret: secret, ...oauthApp } = await apps.made();
    const path = `/v1/oauth-apps/${id}`;
    expect((await app.api.call('DELETE', path, at(admin))).status).toBe(204);
    expect((await app.api.call('GET', path, at(admin))).status).toBe(404);
    expect((await app.api.call('DELETE', path, at(admin))).status).toBe(404);
    expect(await findOauthClient(app.database, id)).toBeUndefined();
    expect((await apps.auditOf(id)).at(-1)).toEqual({
      action: 'oauth_app.deleted',
      before: { id, ...oauthApp },
      after: null,
    });
    const [kept] = await execute<{ lives: boolean }>(
      app.database,
      'select expires_at is null or expires_at > clock_timestamp() as lives from oauth_client_secrets where secret_hash = $1',
      [hashToken(secret)],
    );
    expect(kept).toEqual({ lives: false });
  });

  it('makes the apps of a deleted organization not found', async ({ app, apps }) => {
    const owner = await app.register();
    const { id } = await apps.made({}, at(owner));
    expect(await findOauthClient(app.database, id)).toMatchObject({ organizationName: expect.any(String) });
    await execute(app.database, 'update organizations set deleted_at = clock_timestamp() where id = $1', [
      owner.organizationId,
    ]);
    expect(await findOauthClient(app.database, id)).toBeUndefined();
  });
});
