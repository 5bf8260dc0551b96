import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const it = createTest().extend('stranger', { scope: 'file' }, ({ app }) => app.register());

const pathOf = (admin: Member, userId = '') =>
  `/v1/orgs/${admin.organizationId}/members${userId === '' ? '' : `/${userId}`}`;
const changeRole = (
  app: TestApp,
  admin: Member,
  userId: string,
  role: unknown,
  token: string | undefined = admin.accessToken,
) => app.api.call('PATCH', pathOf(admin, userId), { token, body: { role } });
const remove = (app: TestApp, admin: Member, userId: string, token: string | undefined = admin.accessToken) =>
  app.api.call('DELETE', pathOf(admin, userId), { token });
const countOf = async (app: TestApp, admin: Member) =>
  (await app.api.get(`/v1/orgs/${admin.organizationId}`, admin.accessToken)).body.data.member_count;

async function eventsOf(app: TestApp, admin: Member, type: string) {
  return (await app.api.get(`/v1/events?type=${type}`, admin.accessToken)).body.data;
}

describe('GET /v1/orgs/{organization_id}/members', () => {
  it('200: pages by name are stable while others join and are renamed', async ({ app }) => {
    const owner = await app.register('Mo');
    for (const name of ['Cy', 'Al', 'Ed', 'Al', 'Bo']) {
      await joinOrganization(app, owner, 'member', name);
    }
    const first = (await app.api.get(`${pathOf(owner)}?sort=name&limit=2`, owner.accessToken)).body;
    expect(first.data.map((each: { name: string }) => each.name)).toEqual(['Al', 'Al']);
    await joinOrganization(app, owner, 'member', 'Aa');
    const rest = `${pathOf(owner)}?sort=name&limit=2&cursor=${first.pagination.next_cursor}`;
    const second = (await app.api.get(rest, owner.accessToken)).body;
    expect(second.data.map((each: { name: string }) => each.name)).toEqual(['Bo', 'Cy']);
    const last = `${pathOf(owner)}?sort=name&limit=2&cursor=${second.pagination.next_cursor}`;
    const third = (await app.api.get(last, owner.accessToken)).body;
    expect(third.data.map((each: { name: string }) => each.name)).toEqual(['Ed', 'Mo']);
    expect(third.pagination).toEqual({ has_more: false, next_cursor: null });
    const all = (await app.api.get(pathOf(owner), owner.accessToken)).body.data;
    expect(all.map((each: { name: string }) => each.name)).toEqual(['Aa', 'Bo', 'Al', 'Ed', 'Al', 'Cy', 'Mo']);
    expect(all.at(-1)).toMatchObject({
      user_id: owner.userId,
      email: owner.email,
      role: 'admin',
      avatar_url: 'https://api.test/avatar.svg',
    });
  });

  it('200: filters by role and by join time', async ({ app }) => {
    const owner = await app.register();
    const billing = await joinOrganization(app, owner, 'billing');
    const ids = async (query: string) =>
      (await app.api.get(`${pathOf(owner)}?${query}`, owner.accessToken)).body.data.map(
        (each: { user_id: string }) => each.user_id,
      );
    expect(await ids('role=billing')).toEqual([billing.userId]);
    expect(await ids('role=member')).toEqual([]);
    expect(await ids('created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('created_after=2020-01-01T00:00:00Z&sort=created_at')).toEqual([owner.userId, billing.userId]);
  });

  it('400; 401; 403 by scope; 404 in someone else’s organization', async ({ app, admin, stranger }) => {
    expect((await app.api.get(`${pathOf(admin)}?sort=email`, admin.accessToken)).status).toBe(400);
    expect((await app.api.get(`${pathOf(admin)}?role=owner`, admin.accessToken)).status).toBe(400);
    expect((await app.api.get(pathOf(admin))).status).toBe(401);
    const refused = await app.api.get(pathOf(admin), await createApiToken(app, admin, ['read:profile']));
    expect(refused.body.error.details).toEqual({ required_scope: 'read:org' });
    expect((await app.api.get(pathOf(stranger), admin.accessToken)).status).toBe(404);
    expect((await app.api.get(pathOf(stranger), await createApiToken(app, admin, ['read:org']))).status).toBe(404);
    const elsewhere = { 'x-organization-id': stranger.organizationId };
    expect((await app.api.get(pathOf(admin), admin.accessToken, elsewhere)).status).toBe(404);
  });

  it('can be read by any member, in the organization of the path, whatever the header names', async ({
    app,
    admin,
  }) => {
    const member = await joinOrganization(app, admin, 'member');
    const home = { 'x-organization-id': member.organizationId };
    const there = await app.api.get(`${pathOf(admin)}?limit=100`, member.accessToken, home);
    expect(there.body.data.map((each: { user_id: string }) => each.user_id)).toContain(admin.userId);
  });
});

describe('PATCH /v1/orgs/{organization_id}/members/{user_id}', () => {
  it('200: the role takes effect, is announced and is audited once; repeating the request changes nothing', async ({
    app,
  }) => {
    const owner = await app.register();
    const member = await joinOrganization(app, owner, 'member');
    const options = { token: owner.accessToken, body: { role: 'billing' } };
    for (let round = 0; round < 2; round += 1) {
      const answer = await app.api.call('PATCH', pathOf(owner, member.userId), options);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ user_id: member.userId, role: 'billing' });
    }
    const events = await eventsOf(app, owner, 'org.member.role_changed');
    expect(events).toHaveLength(1);
    expect(events[0].data.object).toMatchObject({
      user_id: member.userId,
      role: 'billing',
      previous_role: 'member',
      changed_by: owner.userId,
    });
    const log = (await app.api.get('/v1/audit-log?action=member.role_changed', owner.accessToken)).body.data;
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ before: { role: 'member' }, after: { role: 'billing' } });
  });

  it('409: the last admin cannot be demoted until there is another', async ({ app }) => {
    const owner = await app.register();
    const demote = () =>
      app.api.call('PATCH', pathOf(owner, owner.userId), { token: owner.accessToken, body: { role: 'member' } });
    const refused = await demote();
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe('conflict');
    await joinOrganization(app, owner, 'admin');
    expect((await demote()).status).toBe(200);
    expect((await demote()).status).toBe(403);
  });

  it('400; 401; 403 by role and by scope; 404', async ({ app, admin, stranger }) => {
    const billing = await joinOrganization(app, admin, 'billing');
    expect((await changeRole(app, admin, billing.userId, 'owner')).body.error.details).toEqual({
      field: 'role',
      reason: 'enum',
    });
    expect((await app.api.call('PATCH', pathOf(admin, billing.userId), { body: { role: 'admin' } })).status).toBe(401);
    const byRole = await changeRole(app, admin, billing.userId, 'admin', billing.accessToken);
    expect(byRole.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const byToken = await changeRole(
      app,
      admin,
      billing.userId,
      'admin',
      await createApiToken(app, billing, ['admin:org'], admin.organizationId),
    );
    expect(byToken.body.error.code).toBe('forbidden');
    const byScope = await changeRole(
      app,
      admin,
      billing.userId,
      'admin',
      await createApiToken(app, admin, ['read:org']),
    );
    expect(byScope.body.error.code).toBe('insufficient_scope');
    for (const userId of [stranger.userId, 'usr_unknown', '%00']) {
      expect((await changeRole(app, admin, userId, 'admin')).status).toBe(404);
    }
    const unknown = await changeRole(app, admin, stranger.userId, 'admin');
    expect(unknown.body.error.details).toEqual({ resource: 'member' });
    const options = { token: admin.accessToken, body: { role: 'member' } };
    expect((await app.api.call('PATCH', pathOf(stranger, stranger.userId), options)).status).toBe(404);
  });
});

describe('DELETE /v1/orgs/{organization_id}/members/{user_id}', () => {
  it('204: an admin removes a member, which is announced, audited and counted', async ({ app }) => {
    const owner = await app.register();
    const member = await joinOrganization(app, owner, 'member');
    expect(await countOf(app, owner)).toBe(2);
    const options = { token: owner.accessToken, body: 'not looked at', headers: { 'content-type': 'a/b; c' } };
    expect((await app.api.call('DELETE', pathOf(owner, member.userId), options)).status).toBe(204);
    expect(await countOf(app, owner)).toBe(1);
    const [event] = await eventsOf(app, owner, 'org.member.removed');
    expect(event.data.object).toMatchObject({ user_id: member.userId, email: member.email, removed_by: owner.userId });
    const [entry] = (await app.api.get('/v1/audit-log?action=member.removed', owner.accessToken)).body.data;
    expect(entry).toMatchObject({ target: { type: 'member', id: member.userId }, before: { role: 'member' } });
    const oversize = { token: owner.accessToken, body: 'x'.repeat(300_000) };
    const again = await app.api.call('DELETE', pathOf(owner, member.userId), oversize);
    expect(again.body.error).toMatchObject({ code: 'not_found', details: { resource: 'member' } });
  });

  it('204: a member leaves on their own, which the log records', async ({ app }) => {
    const owner = await app.register();
    const member = await joinOrganization(app, owner, 'member');
    const leave = () => app.api.call('DELETE', pathOf(owner, member.userId), { token: member.accessToken });
    expect((await leave()).status).toBe(204);
    expect((await leave()).status).toBe(404);
    const [event] = await eventsOf(app, owner, 'org.member.removed');
    expect(event.data.object.removed_by).toBe(member.userId);
    const [entry] = (await app.api.get('/v1/audit-log?action=member.left', owner.accessToken)).body.data;
    expect(entry.actor.user_id).toBe(member.userId);
  });

  it('409: the last admin can neither leave nor be removed', async ({ app }) => {
    const owner = await app.register();
    const leave = () => app.api.call('DELETE', pathOf(owner, owner.userId), { token: owner.accessToken });
    expect((await leave()).status).toBe(409);
    await joinOrganization(app, owner, 'billing');
    expect((await leave()).body.error.code).toBe('conflict');
    expect(await countOf(app, owner)).toBe(2);
  });

  it('401; 403 by role, by scope and with one’s own API token; 404', async ({ app, admin, stranger }) => {
    const [member, other] = [
      await joinOrganization(app, admin, 'member'),
      await joinOrganization(app, admin, 'billing'),
    ];
    expect((await app.api.call('DELETE', pathOf(admin, member.userId))).status).toBe(401);
    expect((await remove(app, admin, other.userId, member.accessToken)).status).toBe(403);
    const own = await createApiToken(app, other, ['admin:org'], admin.organizationId);
    expect((await remove(app, admin, other.userId, own)).body.error).toMatchObject({
      details: { required_role: 'admin' },
    });
    const byScope = await remove(app, admin, other.userId, await createApiToken(app, admin, ['read:org']));
    expect(byScope.body.error.code).toBe('insufficient_scope');
    expect((await remove(app, admin, stranger.userId)).status).toBe(404);
    const foreign = { token: admin.accessToken };
    expect((await app.api.call('DELETE', pathOf(stranger, stranger.userId), foreign)).status).toBe(404);
    expect((await app.api.call('DELETE', pathOf(stranger, admin.userId), foreign)).status).toBe(404);
  });
});
