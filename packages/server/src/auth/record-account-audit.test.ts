import { describe, expect } from 'vitest';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import { joinOrganization } from '../../test/harness/join-organization.ts';
import { codeAt, MovedClock } from '../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ clock });

/** The entries for these actions in an organization's audit log, oldest first. */
const entriesIn = async (app: TestApp, organizationId: string, userId: string, actions: readonly string[]) =>
  execute<{ action: string; credential_kind: string; credential_id: string | null; request_id: string | null }>(
    app.database,
    `select action, actor_user_id, credential_kind, credential_id, request_id, client_address, target_id, after
      from audit_entries where organization_id = $1 and target_id = $2 and action = any($3::text[]) order by id`,
    [organizationId, userId, actions],
  );

/** A user in two organizations: their own, and one with another admin. */
async function createTwoOrganizations(app: TestApp) {
  const admin = await app.register('Admin');
  const member = await joinOrganization(app, admin, 'member');
  return { admin, member, organizationIds: [member.organizationId, admin.organizationId] };
}

const send = (app: TestApp, member: Member, method: string, path: string, body?: unknown) =>
  app.api.call(method, path, { token: member.accessToken, body });

const ACTIONS = [
  'profile.updated',
  'password.changed',
  'two_factor.enabled',
  'two_factor.recovery_codes_renewed',
  'two_factor.disabled',
];

describe('an account change', () => {
  it('is recorded in every organization of the user, with the credential of the request', async ({ app }) => {
    const { member, organizationIds } = await createTwoOrganizations(app);
    const password = 'a loom that weaves algebra';
    await send(app, member, 'PATCH', '/v1/me', { name: 'Augusta' });
    await send(app, member, 'PATCH', '/v1/me', { password, current_password: member.password });
    const { secret } = (await send(app, member, 'POST', '/v1/auth/2fa/setup')).body.data;
    const prove = () => {
      clock.nextStep(2);
      return { password, code: codeAt(clock, secret) };
    };
    await send(app, member, 'POST', '/v1/auth/2fa/enable', { code: prove().code });
    await send(app, member, 'POST', '/v1/auth/2fa/recovery-codes', prove());
    await send(app, member, 'POST', '/v1/auth/2fa/disable', prove());
    const [own, other] = await Promise.all(organizationIds.map((id) => entriesIn(app, id, member.userId, ACTIONS)));
    expect(own?.map(({ action }) => action)).toEqual(ACTIONS);
    expect(other).toEqual(own);
    for (const entry of own ?? []) {
      expect(entry).toMatchObject({ credential_kind: 'session', credential_id: expect.stringMatching(/^login_/) });
    }
  });

  it('is recorded in every organization even without a token: logins, a lock, a verified address, a reset', async ({
    app,
  }) => {
    const { member, organizationIds } = await createTwoOrganizations(app);
    const { email, password } = member;
    const logIn = (typed: string) => app.api.post('/v1/auth/login', undefined, { email, password: typed });
    await logIn(password);
    // Accepting an invitation proves the address.
    await execute(app.database, 'update users set email_verified_at = null where id = $1', [member.userId]);
    const code = async (kind: string) => (await app.mailsTo(email)).findLast((each) => each.kind === kind)?.code;
    await app.api.post('/v1/auth/email/verify', undefined, { token: await code('verify-email') });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await logIn('wrong');
    }
    await app.api.post('/v1/auth/password/forgot', undefined, { email });
    await app.runJobs();
    const reset = { token: await code('reset-password'), password: 'a loom that weaves algebra' };
    await app.api.post('/v1/auth/password/reset', undefined, reset);
    const actions = ['login.succeeded', 'email.verified', 'account.locked', 'password.reset'];
    for (const id of organizationIds) {
      const entries = await entriesIn(app, id, member.userId, actions);
      expect(entries.map(({ action }) => action).sort()).toEqual([...actions].sort());
      expect(new Set(entries.map((entry) => entry.credential_kind))).toEqual(new Set(['none']));
    }
  });

  it('is not recorded in organizations that the user has left or never joined', async ({ app }) => {
    const { admin, member } = await createTwoOrganizations(app);
    const stranger = await app.register();
    const path = `/v1/orgs/${admin.organizationId}/members/${member.userId}`;
    expect((await send(app, admin, 'DELETE', path)).status).toBe(204);
    await send(app, member, 'PATCH', '/v1/me', { name: 'Augusta' });
    for (const [id, count] of [
      [member.organizationId, 1],
      [admin.organizationId, 0],
      [stranger.organizationId, 0],
    ] as const) {
      expect(await entriesIn(app, id, member.userId, ['profile.updated'])).toHaveLength(count);
    }
  });
});
