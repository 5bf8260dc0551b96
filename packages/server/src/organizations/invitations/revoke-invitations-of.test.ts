import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { inviteToOrganization, joinOrganization } from '../../../test/harness/join-organization.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

interface Scene {
  path: string;
  owner: Member;
  admin: Member;
  /** Who has invitations of the admin and of the owner. */
  guest: Member;
  code: string;
  friend: Member;
  friendsCode: string;
}

/** An organization whose admin invited a guest, as its owner invited another, and an expired one of the admin. */
async function createScene(): Promise<Scene> {
  const owner = await test.register();
  const admin = await joinOrganization(test, owner, 'admin');
  const [guest, friend] = [await test.register(), await test.register()];
  const actingThere = { ...admin, organizationId: owner.organizationId };
  const expired = `${randomBytes(8).toString('hex')}@example.com`;
  await inviteToOrganization(test, actingThere, 'member', expired);
  await execute(test.database, 'update invitations set expires_at = created_at where email = $1', [expired]);
  return {
    path: `/v1/orgs/${owner.organizationId}`,
    owner,
    admin,
    guest,
    code: await inviteToOrganization(test, actingThere, 'admin', guest.email),
    friend,
    friendsCode: await inviteToOrganization(test, owner, 'member', friend.email),
  };
}

const accept = (member: Member, token: string) =>
  test.api.post('/v1/invitations/accept', member.accessToken, { token });

const WAYS: ReadonlyArray<[string, (scene: Scene) => ReturnType<TestApp['api']['call']>, string]> = [
  [
    'who is demoted',
    ({ path, owner, admin }) =>
      test.api.call('PATCH', `${path}/members/${admin.userId}`, {
        token: owner.accessToken,
        body: { role: 'billing' },
      }),
    'member.role_changed',
  ],
  [
    'who is removed',
    ({ path, owner, admin }) =>
      test.api.call('DELETE', `${path}/members/${admin.userId}`, { token: owner.accessToken }),
    'member.removed',
  ],
  [
    'who leaves',
    ({ path, admin }) => test.api.call('DELETE', `${path}/members/${admin.userId}`, { token: admin.accessToken }),
    'member.left',
  ],
];

describe('the open invitations of an admin', () => {
  it.each(WAYS)('%s end, which the audit log records, and those of others stay open', async (_, lose, action) => {
    const scene = await createScene();
    const { owner, guest, code, friend, friendsCode } = scene;
    const answer = await lose(scene);
    expect(answer.status).toBeLessThan(300);
    expect((await accept(guest, code)).body.error.code).toBe('invalid_token');
    expect((await accept(friend, friendsCode)).status).toBe(200);
    const told = (await test.api.get('/v1/audit-log?limit=10', owner.accessToken)).body.data.filter(
      (each: { request_id: string }) => each.request_id === answer.headers.get('x-request-id'),
    );
    expect(told.map((each: { action: string }) => each.action).sort()).toEqual(['invitation.revoked', action].sort());
    const entry = told.find((each: { action: string }) => each.action === 'invitation.revoked');
    expect(entry).toMatchObject({
      before: { email: guest.email, status: 'pending' },
      after: { email: guest.email, status: 'revoked' },
    });
  });

  it('stay open when their role does not change', async () => {
    const { path, owner, admin, guest, code } = await createScene();
    const again = { token: owner.accessToken, body: { role: 'admin' } };
    expect((await test.api.call('PATCH', `${path}/members/${admin.userId}`, again)).status).toBe(200);
    expect((await accept(guest, code)).status).toBe(200);
  });
});
