import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../../../test/harness/join-organization.ts';

const accept = (app: TestApp, token: string, by: Member) =>
  app.api.post('/v1/invitations/accept', by.accessToken, { token });

describe('POST /v1/invitations/accept', () => {
  it('200: makes the user a member with the offered role, which is announced, audited and counted', async ({ app }) => {
    const owner = await app.register();
    const guest = await app.register('Grace');
    await app.moveClock(owner.organizationId, 3_600);
    const token = await inviteToOrganization(app, owner, 'billing', guest.email);
    const answer = await accept(app, token, guest);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: owner.organizationId, role: 'billing', member_count: 2 });
    const [event] = (await app.api.get('/v1/events?type=org.member.joined', owner.accessToken)).body.data;
    const [member] = (await app.api.get(`/v1/orgs/${owner.organizationId}/members`, guest.accessToken)).body.data;
    const [invited] = (await app.api.get(`/v1/orgs/${owner.organizationId}/invitations`, owner.accessToken)).body.data;
    expect(event.data.object).toEqual({ ...member, invitation_id: invited.id });
    // The clock is that of the joined organization, not of the one that the request acts in.
    expect(Date.parse(event.created) - Date.now()).toBeGreaterThan(3_500_000);
    expect(invited).toMatchObject({ status: 'accepted' });
    const log = (await app.api.get(`/v1/audit-log?actor_user_id=${guest.userId}`, owner.accessToken)).body.data;
    expect(log.map((each: { action: string }) => each.action)).toEqual(['member.joined', 'invitation.accepted']);
    expect(log[1]).toMatchObject({ before: { status: 'pending' }, after: { status: 'accepted' } });
    const own = await app.api.get('/v1/audit-log?action=member.joined', guest.accessToken);
    expect(own.body.data).toEqual([]);
  });

  it('verifies the address', async ({ app, admin }) => {
    const guest = await joinOrganization(app, admin);
    const [row] = await execute(app.database, 'select email_verified_at from users where id = $1', [guest.userId]);
    expect(row).toEqual({ email_verified_at: expect.any(Date) });
  });

  it('403: by another address, which does not use up the token', async ({ app, admin }) => {
    const [guest, thief] = [await app.register(), await app.register()];
    const token = await inviteToOrganization(app, admin, 'admin', guest.email);
    const refused = await accept(app, token, thief);
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('forbidden');
    expect(refused.body.error.message).not.toContain(guest.email);
    expect((await accept(app, token, guest)).status).toBe(200);
  });

  it('401: unknown, malformed and accepted tokens; expired ones with the time of expiry', async ({ app, admin }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, admin, 'member', guest.email);
    for (const wrong of ['x', admin.accessToken, `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`]) {
      expect((await accept(app, wrong, guest)).body.error.code).toBe('invalid_token');
    }
    const expiredAt = '2026-01-31T12:00:00.000Z';
    const at = (time: string) =>
      execute(app.database, 'update invitations set expires_at = $2 where email = $1', [guest.email, time]);
    await at(expiredAt);
    expect((await accept(app, token, guest)).body.error).toMatchObject({
      code: 'token_expired',
      details: { expired_at: expiredAt },
    });
    await at('2099-01-31T12:00:00Z');
    expect((await accept(app, token, guest)).status).toBe(200);
    expect((await accept(app, token, guest)).body.error.code).toBe('invalid_token');
  });

  it('409: already a member; the token stays valid', async ({ app, admin }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, admin, 'member', guest.email);
    const values = [admin.organizationId, guest.userId];
    await execute(
      app.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at)
        values ($1, $2, 'Test', 'member', clock_timestamp())`,
      values,
    );
    expect((await accept(app, token, guest)).body.error.code).toBe('conflict');
    await execute(app.database, 'delete from memberships where organization_id = $1 and user_id = $2', values);
    expect((await accept(app, token, guest)).status).toBe(200);
  });

  it('400; 401 without a token, 403 with an API token', async ({ app, admin }) => {
    const empty = await app.api.post('/v1/invitations/accept', admin.accessToken, {});
    expect(empty.body.error.details).toEqual({ field: 'token', reason: 'required' });
    expect((await app.api.post('/v1/invitations/accept', undefined, { token: 'x' })).status).toBe(401);
    const input = { name: 'a token', scopes: ['admin:org'] };
    const apiToken = (await app.api.post('/v1/api-tokens', admin.accessToken, input)).body.data.token;
    const refused = await app.api.post('/v1/invitations/accept', apiToken, { token: 'x' });
    expect(refused.body.error.details).toEqual({ required_token: 'session' });
  });

  it('sent fifty times simultaneously to two processes makes one membership and one event', async ({ app, second }) => {
    const owner = await app.register();
    const guest = await app.register();
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    await Promise.all(
      [app, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', guest.accessToken))),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, place) => accept(place % 2 === 0 ? app : second, token, guest)),
    );
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    const refused = answers.filter((each) => each.status === 401 && each.body.error.code === 'invalid_token');
    expect(refused).toHaveLength(49);
    const members = (await app.api.get(`/v1/orgs/${owner.organizationId}/members`, owner.accessToken)).body.data;
    expect(members).toHaveLength(2);
    const events = (await app.api.get('/v1/events?type=org.member.joined', owner.accessToken)).body.data;
    expect(events).toHaveLength(1);
    const { member_count } = (await app.api.get(`/v1/orgs/${owner.organizationId}`, owner.accessToken)).body.data;
    expect(member_count).toBe(2);
  });

  it('sent while the invitation is revoked has one outcome or the other', async ({ app, second, admin }) => {
    for (let round = 0; round < 10; round += 1) {
      const guest = await app.register();
      const token = await inviteToOrganization(app, admin, 'member', guest.email);
      const path = `/v1/orgs/${admin.organizationId}/invitations`;
      const [{ id }] = (await app.api.get(`${path}?limit=1`, admin.accessToken)).body.data;
      const [accepted, revoked] = await Promise.all([
        accept(app, token, guest),
        second.api.call('DELETE', `${path}/${id}`, { token: admin.accessToken }),
      ]);
      expect([
        [200, 409],
        [401, 204],
      ]).toContainEqual([accepted.status, revoked.status]);
    }
  });
});

describe('the member events', () => {
  it('match their schemas', async ({ app }) => {
    const owner = await app.register();
    const member = await joinOrganization(app, owner);
    const path = `/v1/orgs/${owner.organizationId}/members/${member.userId}`;
    await app.api.call('PATCH', path, { token: owner.accessToken, body: { role: 'admin' } });
    await app.api.call('DELETE', path, { token: owner.accessToken });
    const { Compile } = await import('typebox/compile');
    const events = (await app.api.get('/v1/events', owner.accessToken)).body.data;
    const types = events.map((each: { type: string }) => each.type);
    expect(types).toEqual(['org.member.removed', 'org.member.role_changed', 'org.member.joined', 'org.member.invited']);
    for (const event of events) {
      const definition = app.service.events.find((each) => each.type === event.type);
      expect(definition && Compile(definition.schema).Check(event.data.object)).toBe(true);
      expect(Object.keys(event.data.object).sort()).toEqual(Object.keys(definition?.example ?? {}).sort());
    }
  });
});
