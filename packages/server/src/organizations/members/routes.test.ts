import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

let test: TestApp;
let ada: Member;
let stranger: Member;

beforeAll(async () => {
  test = await openTestApp();
  ada = await test.register();
  stranger = await test.register();
});
afterAll(() => test.close());

const pathOf = (admin: Member, userId = '') =>
  `/v1/orgs/${admin.organizationId}/members${userId === '' ? '' : `/${userId}`}`;
const changeRole = (userId: string, role: unknown, token: string | undefined = ada.accessToken) =>
  test.api.call('PATCH', pathOf(ada, userId), { token, body: { role } });
const remove = (userId: string, token: string | undefined = ada.accessToken) =>
  test.api.call('DELETE', pathOf(ada, userId), { token });
const countOf = async (admin: Member) =>
  (await test.api.get(`/v1/orgs/${admin.organizationId}`, admin.accessToken)).body.data.member_count;

async function apiToken(owner: Member, scopes: string[], organizationId = owner.organizationId): Promise<string> {
  const headers = { 'x-organization-id': organizationId };
  const made = await test.api.post('/v1/api-tokens', owner.accessToken, { name: 'a token', scopes }, headers);
  return made.body.data.token;
}

async function eventsOf(admin: Member, type: string) {
  return (await test.api.get(`/v1/events?type=${type}`, admin.accessToken)).body.data;
}

describe('GET /v1/orgs/{organization_id}/members', () => {
  it('200: pages by name stay where they are while others join and are renamed', async () => {
    const owner = await test.register('Mo');
    for (const name of ['Cy', 'Al', 'Ed', 'Al', 'Bo']) {
      await joinOrganization(test, owner, 'member', name);
    }
    const first = (await test.api.get(`${pathOf(owner)}?sort=name&limit=2`, owner.accessToken)).body;
    expect(first.data.map((each: { name: string }) => each.name)).toEqual(['Al', 'Al']);
    await joinOrganization(test, owner, 'member', 'Aa');
    const rest = `${pathOf(owner)}?sort=name&limit=2&cursor=${first.pagination.next_cursor}`;
    const second = (await test.api.get(rest, owner.accessToken)).body;
    expect(second.data.map((each: { name: string }) => each.name)).toEqual(['Bo', 'Cy']);
    const last = `${pathOf(owner)}?sort=name&limit=2&cursor=${second.pagination.next_cursor}`;
    const third = (await test.api.get(last, owner.accessToken)).body;
    expect(third.data.map((each: { name: string }) => each.name)).toEqual(['Ed', 'Mo']);
    expect(third.pagination).toEqual({ has_more: false, next_cursor: null });
    const all = (await test.api.get(pathOf(owner), owner.accessToken)).body.data;
    expect(all.map((each: { name: string }) => each.name)).toEqual(['Aa', 'Bo', 'Al', 'Ed', 'Al', 'Cy', 'Mo']);
    expect(all.at(-1)).toMatchObject({
      user_id: owner.userId,
      email: owner.email,
      role: 'admin',
      avatar_url: 'https://api.test/avatar.svg',
    });
  });

  it('200: filters by role and by when they joined', async () => {
    const owner = await test.register();
    const billing = await joinOrganization(test, owner, 'billing');
    const ids = async (query: string) =>
      (await test.api.get(`${pathOf(owner)}?${query}`, owner.accessToken)).body.data.map(
        (each: { user_id: string }) => each.user_id,
      );
    expect(await ids('role=billing')).toEqual([billing.userId]);
    expect(await ids('role=member')).toEqual([]);
    expect(await ids('created_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('created_after=2020-01-01T00:00:00Z&sort=created_at')).toEqual([owner.userId, billing.userId]);
  });

  it('400, 401, 403 by scope, 404 of others', async () => {
    expect((await test.api.get(`${pathOf(ada)}?sort=email`, ada.accessToken)).status).toBe(400);
    expect((await test.api.get(`${pathOf(ada)}?role=owner`, ada.accessToken)).status).toBe(400);
    expect((await test.api.get(pathOf(ada))).status).toBe(401);
    const refused = await test.api.get(pathOf(ada), await apiToken(ada, ['read:profile']));
    expect(refused.body.error.details).toEqual({ required_scope: 'read:org' });
    expect((await test.api.get(pathOf(stranger), ada.accessToken)).status).toBe(404);
    expect((await test.api.get(pathOf(stranger), await apiToken(ada, ['read:org']))).status).toBe(404);
    const elsewhere = { 'x-organization-id': stranger.organizationId };
    expect((await test.api.get(pathOf(ada), ada.accessToken, elsewhere)).status).toBe(404);
  });

  it('is read by any member, in the organization of the path, whatever the header says', async () => {
    const member = await joinOrganization(test, ada, 'member');
    const home = { 'x-organization-id': member.organizationId };
    const there = await test.api.get(`${pathOf(ada)}?limit=100`, member.accessToken, home);
    expect(there.body.data.map((each: { user_id: string }) => each.user_id)).toContain(ada.userId);
  });
});

describe('PATCH /v1/orgs/{organization_id}/members/{user_id}', () => {
  it('200: the role counts, is announced and is audited once; the same again changes nothing', async () => {
    const owner = await test.register();
    const member = await joinOrganization(test, owner, 'member');
    const options = { token: owner.accessToken, body: { role: 'billing' } };
    for (let round = 0; round < 2; round += 1) {
      const answer = await test.api.call('PATCH', pathOf(owner, member.userId), options);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ user_id: member.userId, role: 'billing' });
    }
    const events = await eventsOf(owner, 'org.member.role_changed');
    expect(events).toHaveLength(1);
    expect(events[0].data.object).toMatchObject({
      user_id: member.userId,
      role: 'billing',
      previous_role: 'member',
      changed_by: owner.userId,
    });
    const log = (await test.api.get('/v1/audit-log?action=member.role_changed', owner.accessToken)).body.data;
    expect(log).toHaveLength(1);
    expect(log[0]).toMatchObject({ before: { role: 'member' }, after: { role: 'billing' } });
  });

  it('409: the last admin, who may once there is another', async () => {
    const owner = await test.register();
    const demote = () =>
      test.api.call('PATCH', pathOf(owner, owner.userId), { token: owner.accessToken, body: { role: 'member' } });
    const refused = await demote();
    expect(refused.status).toBe(409);
    expect(refused.body.error.code).toBe('conflict');
    await joinOrganization(test, owner, 'admin');
    expect((await demote()).status).toBe(200);
    expect((await demote()).status).toBe(403);
  });

  it('400, 401, 403 by role and by scope, 404', async () => {
    const billing = await joinOrganization(test, ada, 'billing');
    expect((await changeRole(billing.userId, 'owner')).body.error.details).toEqual({ field: 'role', reason: 'enum' });
    expect((await test.api.call('PATCH', pathOf(ada, billing.userId), { body: { role: 'admin' } })).status).toBe(401);
    const byRole = await changeRole(billing.userId, 'admin', billing.accessToken);
    expect(byRole.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'admin' } });
    const byToken = await changeRole(
      billing.userId,
      'admin',
      await apiToken(billing, ['admin:org'], ada.organizationId),
    );
    expect(byToken.body.error.code).toBe('forbidden');
    const byScope = await changeRole(billing.userId, 'admin', await apiToken(ada, ['read:org']));
    expect(byScope.body.error.code).toBe('insufficient_scope');
    for (const userId of [stranger.userId, 'usr_unknown', '%00']) {
      expect((await changeRole(userId, 'admin')).status).toBe(404);
    }
    const unknown = await changeRole(stranger.userId, 'admin');
    expect(unknown.body.error.details).toEqual({ resource: 'member' });
    const options = { token: ada.accessToken, body: { role: 'member' } };
    expect((await test.api.call('PATCH', pathOf(stranger, stranger.userId), options)).status).toBe(404);
  });
});

describe('DELETE /v1/orgs/{organization_id}/members/{user_id}', () => {
  it('204: an admin removes a member, which is announced, audited and counted', async () => {
    const owner = await test.register();
    const member = await joinOrganization(test, owner, 'member');
    expect(await countOf(owner)).toBe(2);
    const options = { token: owner.accessToken, body: 'not looked at', headers: { 'content-type': 'a/b; c' } };
    expect((await test.api.call('DELETE', pathOf(owner, member.userId), options)).status).toBe(204);
    expect(await countOf(owner)).toBe(1);
    const [event] = await eventsOf(owner, 'org.member.removed');
    expect(event.data.object).toMatchObject({ user_id: member.userId, email: member.email, removed_by: owner.userId });
    const [entry] = (await test.api.get('/v1/audit-log?action=member.removed', owner.accessToken)).body.data;
    expect(entry).toMatchObject({ target: { type: 'member', id: member.userId }, before: { role: 'member' } });
    const oversize = { token: owner.accessToken, body: 'x'.repeat(300_000) };
    const again = await test.api.call('DELETE', pathOf(owner, member.userId), oversize);
    expect(again.body.error).toMatchObject({ code: 'not_found', details: { resource: 'member' } });
  });

  it('204: a member leaves by themself, and that is what the log says', async () => {
    const owner = await test.register();
    const member = await joinOrganization(test, owner, 'member');
    const leave = () => test.api.call('DELETE', pathOf(owner, member.userId), { token: member.accessToken });
    expect((await leave()).status).toBe(204);
    expect((await leave()).status).toBe(404);
    const [event] = await eventsOf(owner, 'org.member.removed');
    expect(event.data.object.removed_by).toBe(member.userId);
    const [entry] = (await test.api.get('/v1/audit-log?action=member.left', owner.accessToken)).body.data;
    expect(entry.actor.user_id).toBe(member.userId);
  });

  it('409: the last admin can neither leave nor be removed', async () => {
    const owner = await test.register();
    const leave = () => test.api.call('DELETE', pathOf(owner, owner.userId), { token: owner.accessToken });
    expect((await leave()).status).toBe(409);
    await joinOrganization(test, owner, 'billing');
    expect((await leave()).body.error.code).toBe('conflict');
    expect(await countOf(owner)).toBe(2);
  });

  it('401, 403 by role, by scope and with an API token of oneself, 404', async () => {
    const [member, other] = [await joinOrganization(test, ada, 'member'), await joinOrganization(test, ada, 'billing')];
    expect((await test.api.call('DELETE', pathOf(ada, member.userId))).status).toBe(401);
    expect((await remove(other.userId, member.accessToken)).status).toBe(403);
    const own = await apiToken(other, ['admin:org'], ada.organizationId);
    expect((await remove(other.userId, own)).body.error).toMatchObject({ details: { required_role: 'admin' } });
    const byScope = await remove(other.userId, await apiToken(ada, ['read:org']));
    expect(byScope.body.error.code).toBe('insufficient_scope');
    expect((await remove(stranger.userId)).status).toBe(404);
    const foreign = { token: ada.accessToken };
    expect((await test.api.call('DELETE', pathOf(stranger, stranger.userId), foreign)).status).toBe(404);
    expect((await test.api.call('DELETE', pathOf(stranger, ada.userId), foreign)).status).toBe(404);
  });
});
