import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../../../test/harness/join-organization.ts';

const it = createTest();

interface Scene {
  app: TestApp;
  path: string;
  owner: Member;
  admin: Member;
  /** Who has invitations from the admin and from the owner. */
  guest: Member;
  code: string;
  friend: Member;
  friendsCode: string;
}

/** An organization whose admin and owner each invited a guest, and an expired invitation of the admin. */
async function createScene(app: TestApp): Promise<Scene> {
  const owner = await app.register();
  const admin = await joinOrganization(app, owner, 'admin');
  const [guest, friend] = [await app.register(), await app.register()];
  const actingThere = { ...admin, organizationId: owner.organizationId };
  const expired = `${randomBytes(8).toString('hex')}@example.com`;
  await inviteToOrganization(app, actingThere, 'member', expired);
  await execute(app.database, 'update invitations set expires_at = created_at where email = $1', [expired]);
  return {
    app,
    path: `/v1/orgs/${owner.organizationId}`,
    owner,
    admin,
    guest,
    code: await inviteToOrganization(app, actingThere, 'admin', guest.email),
    friend,
    friendsCode: await inviteToOrganization(app, owner, 'member', friend.email),
  };
}

const accept = (app: TestApp, member: Member, token: string) =>
  app.api.post('/v1/invitations/accept', member.accessToken, { token });

const WAYS: ReadonlyArray<[string, (scene: Scene) => ReturnType<TestApp['api']['call']>, string]> = [
  [
    'who is demoted',
    ({ app, path, owner, admin }) =>
      app.api.call('PATCH', `${path}/members/${admin.userId}`, {
        token: owner.accessToken,
        body: { role: 'billing' },
      }),
    'member.role_changed',
  ],
  [
    'who is removed',
    ({ app, path, owner, admin }) =>
      app.api.call('DELETE', `${path}/members/${admin.userId}`, { token: owner.accessToken }),
    'member.removed',
  ],
  [
    'who leaves',
    ({ app, path, admin }) => app.api.call('DELETE', `${path}/members/${admin.userId}`, { token: admin.accessToken }),
    'member.left',
  ],
];

describe('the open invitations of an admin', () => {
  it.for(WAYS)(
    '%s end, which the audit log records, while those of others stay open',
    async ([, lose, action], { app }) => {
      const scene = await createScene(app);
      const { owner, guest, code, friend, friendsCode } = scene;
      const answer = await lose(scene);
      expect(answer.status).toBeLessThan(300);
      expect((await accept(app, guest, code)).body.error.code).toBe('invalid_token');
      expect((await accept(app, friend, friendsCode)).status).toBe(200);
      const told = (await app.api.get('/v1/audit-log?limit=10', owner.accessToken)).body.data.filter(
        (each: { request_id: string }) => each.request_id === answer.headers.get('x-request-id'),
      );
      expect(told.map((each: { action: string }) => each.action).sort()).toEqual(['invitation.revoked', action].sort());
      const entry = told.find((each: { action: string }) => each.action === 'invitation.revoked');
      expect(entry).toMatchObject({
        before: { email: guest.email, status: 'pending' },
        after: { email: guest.email, status: 'revoked' },
      });
    },
  );

  it('stay open if their role does not change', async ({ app }) => {
    const { path, owner, admin, guest, code } = await createScene(app);
    const again = { token: owner.accessToken, body: { role: 'admin' } };
    expect((await app.api.call('PATCH', `${path}/members/${admin.userId}`, again)).status).toBe(200);
    expect((await accept(app, guest, code)).status).toBe(200);
  });
});
