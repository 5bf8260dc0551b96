import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import { joinOrganization } from '../../test/harness/join-organization.ts';
import { codeAt, MovedClock } from '../../test/harness/two-factor.ts';

const clock = new MovedClock();
let test: TestApp;
beforeAll(async () => {
  test = await openTestApp({ clock });
});
afterAll(() => test.close());

/** What the audit log of an organization tells of these actions, the oldest first. */
const entriesIn = async (organizationId: string, userId: string, actions: readonly string[]) =>
  execute<{ action: string; credential_kind: string; credential_id: string | null; request_id: string | null }>(
    test.database,
    `select action, actor_user_id, credential_kind, credential_id, request_id, client_address, target_id, after
      from audit_entries where organization_id = $1 and target_id = $2 and action = any($3::text[]) order by id`,
    [organizationId, userId, actions],
  );

/** A user in two organizations: their own, and one with another admin. */
async function openTwoOrganizations() {
  const admin = await test.register('Admin');
  const member = await joinOrganization(test, admin, 'member');
  return { admin, member, organizationIds: [member.organizationId, admin.organizationId] };
}

const send = (member: Member, method: string, path: string, body?: unknown) =>
  test.api.call(method, path, { token: member.accessToken, body });

const ACTIONS = [
  'profile.updated',
  'password.changed',
  'two_factor.enabled',
  'two_factor.recovery_codes_renewed',
  'two_factor.disabled',
];

describe('what happens to an account', () => {
  it('is told in every organization of the user, with the credential of the request', async () => {
    const { member, organizationIds } = await openTwoOrganizations();
    const password = 'a loom that weaves algebra';
    await send(member, 'PATCH', '/v1/me', { name: 'Augusta' });
    await send(member, 'PATCH', '/v1/me', { password, current_password: member.password });
    const { secret } = (await send(member, 'POST', '/v1/auth/2fa/setup')).body.data;
    const prove = () => {
      clock.nextStep(2);
      return { password, code: codeAt(clock, secret) };
    };
    await send(member, 'POST', '/v1/auth/2fa/enable', { code: prove().code });
    await send(member, 'POST', '/v1/auth/2fa/recovery-codes', prove());
    await send(member, 'POST', '/v1/auth/2fa/disable', prove());
    const [own, other] = await Promise.all(organizationIds.map((id) => entriesIn(id, member.userId, ACTIONS)));
    expect(own?.map(({ action }) => action)).toEqual(ACTIONS);
    expect(other).toEqual(own);
    for (const entry of own ?? []) {
      expect(entry).toMatchObject({ credential_kind: 'session', credential_id: expect.stringMatching(/^login_/) });
    }
  });

  it('is told in every organization where it comes without a token: logins, a lock, a verified address, a reset', async () => {
    const { member, organizationIds } = await openTwoOrganizations();
    const { email, password } = member;
    const logIn = (typed: string) => test.api.post('/v1/auth/login', undefined, { email, password: typed });
    await logIn(password);
    // Accepting an invitation proves the address.
    await execute(test.database, 'update users set email_verified_at = null where id = $1', [member.userId]);
    const code = async (kind: string) => (await test.mailsTo(email)).findLast((each) => each.kind === kind)?.code;
    await test.api.post('/v1/auth/email/verify', undefined, { token: await code('verify-email') });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await logIn('wrong');
    }
    await test.api.post('/v1/auth/password/forgot', undefined, { email });
    await test.runJobs();
    const reset = { token: await code('reset-password'), password: 'a loom that weaves algebra' };
    await test.api.post('/v1/auth/password/reset', undefined, reset);
    const actions = ['login.succeeded', 'email.verified', 'account.locked', 'password.reset'];
    for (const id of organizationIds) {
      const entries = await entriesIn(id, member.userId, actions);
      expect(entries.map(({ action }) => action).sort()).toEqual([...actions].sort());
      expect(new Set(entries.map((entry) => entry.credential_kind))).toEqual(new Set(['none']));
    }
  });

  it('is told in no organization that the user has left, or that is another’s', async () => {
    const { admin, member } = await openTwoOrganizations();
    const stranger = await test.register();
    const path = `/v1/orgs/${admin.organizationId}/members/${member.userId}`;
    expect((await send(admin, 'DELETE', path)).status).toBe(204);
    await send(member, 'PATCH', '/v1/me', { name: 'Augusta' });
    for (const [id, count] of [
      [member.organizationId, 1],
      [admin.organizationId, 0],
      [stranger.organizationId, 0],
    ] as const) {
      expect(await entriesIn(id, member.userId, ['profile.updated'])).toHaveLength(count);
    }
  });
});
