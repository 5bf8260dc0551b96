import { describe, expect } from 'vitest';
import { execute } from '../../../test/harness/index.ts';
import { createGrantsTest } from '../../../test/oauth/grants-under-test.ts';
import { grantToApp } from './grant-to-app.ts';
import { lockLiveGrant } from './queries.ts';

const it = createGrantsTest();

describe('grantToApp', () => {
  it('extends the current grant, and creates a new one after its end', async ({ app, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    const { organizationId, userId } = user;
    const wish = (scopes: string[]) =>
      app.database.transaction((tx) => grantToApp(tx, { organizationId, userId, appId, scopes }));
    const first = await wish(['read:licenses']);
    expect(first?.scopes).toEqual(['read:licenses']);
    expect(await wish(['read:profile', 'read:licenses'])).toEqual({
      id: first?.id,
      scopes: ['read:licenses', 'read:profile'],
    });
    await grants.endAt(first?.id ?? '', user);
    const next = await wish(['read:org']);
    expect(next?.id).not.toBe(first?.id);
    expect(next?.scopes).toEqual(['read:org']);
  });

  it('creates one grant from fifty simultaneous consents, with the scopes of all', async ({ app, second, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    const { organizationId, userId } = user;
    const scopes = ['read:profile', 'read:licenses', 'read:org'];
    await Promise.all(
      [app, second].flatMap(({ api }) => Array.from({ length: 10 }, () => api.get('/v1/me', user.accessToken))),
    );
    const wished = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 === 0 ? app : second).database.transaction((tx) =>
          grantToApp(tx, { organizationId, userId, appId, scopes: scopes.slice(n % 3, (n % 3) + 1) }),
        ),
      ),
    );
    expect(new Set(wished.map((grant) => grant?.id)).size).toBe(1);
    const [shown] = await grants.listFor(user);
    expect(shown.scopes.toSorted()).toEqual(scopes.toSorted());
  });

  it('grants nothing to a deleted app, or for a user who is not a member', async ({ app, admin, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    expect(await grants.agree(appId, user, ['read:profile'], admin.organizationId)).toBe('');
    await app.api.call('DELETE', `/v1/oauth-apps/${appId}`, { token: admin.accessToken });
    expect(await grants.agree(appId, user)).toBe('');
    expect(await grants.listFor(user)).toEqual([]);
  });
});

describe('GET /v1/auth/grants', () => {
  it('200: lists what apps may do for the user in all organizations, page by page', async ({ app, grants }) => {
    const user = await app.register();
    const other = (await app.api.post('/v1/orgs', user.accessToken, { name: 'Second' })).body.data?.id;
    const apps = [await grants.makeApp('one'), await grants.makeApp('two'), await grants.makeApp('three')];
    const ids: string[] = [];
    for (const [n, appId] of apps.entries()) {
      ids.push(await grants.agree(appId, user, ['read:profile'], n === 1 ? (other ?? user.organizationId) : undefined));
    }
    await grants.agree(apps[0] ?? '', await app.register());
    expect(await grants.listFor(user)).toHaveLength(3);
    const page = (await app.api.get('/v1/auth/grants?limit=2', user.accessToken)).body;
    expect(page.data.map((grant: { id: string }) => grant.id)).toEqual([ids[2], ids[1]]);
    expect(page.data[1]).toMatchObject({ app: { id: apps[1], name: 'two' }, scopes: ['read:profile'] });
    expect(await grants.listFor(user, `?limit=2&cursor=${page.pagination.next_cursor}`)).toMatchObject([
      { id: ids[0], organization_id: user.organizationId },
    ]);
    expect((await grants.listFor(user, '?sort=created_at'))[0].id).toBe(ids[0]);
    expect(await grants.listFor(user, '?created_after=2020-01-01T00:00:00Z')).toHaveLength(3);
    expect(await grants.listFor(user, '?created_before=2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('400: an unknown filter; 401: without a token; 403: with an API token', async ({ app, admin }) => {
    const body = { name: 'A token', scopes: ['write:profile'], expires_at: null };
    const { token } = (await app.api.post('/v1/api-tokens', admin.accessToken, body)).body.data;
    expect((await app.api.get('/v1/auth/grants?app=x', admin.accessToken)).status).toBe(400);
    expect((await app.api.get('/v1/auth/grants')).status).toBe(401);
    expect((await app.api.get('/v1/auth/grants', token)).status).toBe(403);
    expect((await app.api.call('DELETE', '/v1/auth/grants/grant_1')).status).toBe(401);
    expect((await app.api.call('DELETE', '/v1/auth/grants/grant_1', { token })).status).toBe(403);
  });
});

describe('DELETE /v1/auth/grants/{id}', () => {
  it('204: the tokens are refused at their next request on another process, and the log has an entry', async ({
    app,
    grants,
  }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    const id = await grants.agree(appId, user);
    const other = await grants.agree(await grants.makeApp(), user);
    const [token, kept] = [await grants.tokenFor(id), await grants.tokenFor(other)];
    expect(await grants.statusOf(token)).toBe(200);
    const [shown] = (await grants.listFor(user)).filter((grant: { id: string }) => grant.id === id);
    expect((await grants.endAt(id, user)).status).toBe(204);
    expect(await grants.statusOf(token)).toBe(401);
    expect(await grants.statusOf(kept)).toBe(200);
    expect(await grants.artifactsOf(id)).toEqual([]);
    expect(await grants.artifactsOf(other)).toHaveLength(1);
    expect(await grants.writeToken(id)).toBeUndefined();
    expect((await grants.endAt(id, user)).status).toBe(404);
    const entries = await execute(
      app.database,
      'select organization_id, action, actor_user_id, before from audit_entries where target_id = $1',
      [id],
    );
    expect(entries).toEqual([
      {
        organization_id: user.organizationId,
        action: 'oauth_grant.ended',
        actor_user_id: user.userId,
        before: shown,
      },
    ]);
  });

  it('404: another user’s grant, and one that never existed', async ({ app, admin, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    const id = await grants.agree(appId, user);
    const answer = await grants.endAt(id, admin);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'oauth_grant' } });
    expect((await grants.endAt('grant_01k9m2v5x8e4bt3q6r7s8t9vwz', user)).status).toBe(404);
    expect(await grants.statusOf(await grants.tokenFor(id))).toBe(200);
  });
});

describe('lockLiveGrant', () => {
  it('omits scopes that the app has lost', async ({ app, admin, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    const id = await grants.agree(appId, user, ['read:org', 'read:licenses', 'read:profile']);
    const scopes = ['read:profile', 'read:org'];
    const path = `/v1/oauth-apps/${appId}`;
    await app.api.call('PATCH', path, { token: admin.accessToken, body: { scopes } });
    const grant = await app.database.transaction((tx) => lockLiveGrant(tx, { grantId: id }));
    expect(grant).toEqual({
      id,
      organization_id: user.organizationId,
      user_id: user.userId,
      app_id: appId,
      scopes: ['read:org', 'read:profile'],
    });
  });
});
