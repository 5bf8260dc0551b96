import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';
import { makeStaff, registerStaff } from '../../../test/harness/staff.ts';
import { MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';
import { makeRoleTokens } from '../../../test/usage/usage-world.ts';

const clock = new MovedClock();
const it = createTest({ clock }).extend('tokens', { scope: 'file' }, ({ app }) => makeRoleTokens(app));

const PATH = '/v1/operator/users';
const get = async (app: TestApp, token: string, { userId }: Member) =>
  (await app.api.get(`${PATH}/${userId}`, token)).body.data;
const found = async (app: TestApp, token: string, query: Readonly<Record<string, string>>) => {
  const answer = await app.api.get(`${PATH}?${new URLSearchParams(query)}`, token);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body.data.map(({ id }: { id: string }) => id);
};
const unlock = (app: TestApp, token: string, { userId }: Member) =>
  app.api.post(`${PATH}/${userId}/unlock`, token, undefined);
const disable = (app: TestApp, token: string, { userId }: Member) =>
  app.api.post(`${PATH}/${userId}/disable-two-factor`, token, undefined);
const logIn = (app: TestApp, { email, password }: Member) =>
  app.api.post('/v1/auth/login', undefined, { email, password });

/** Locks an account as ten wrong passwords would. */
async function lock(app: TestApp, { userId }: Member): Promise<void> {
  await execute(
    app.database,
    "update users set locked_until = clock_timestamp() + interval '15 minutes' where id = $1",
    [userId],
  );
}

describe('GET /v1/operator/users', () => {
  it('shows where a user belongs, when they last logged in, and what keeps them out', async ({ app, tokens }) => {
    const bob = await registerWithTwoFactor(app, clock);
    const ada = await app.register('Ada');
    await joinOrganization(app, ada, 'billing', 'Grace');
    const [registered] = (await app.api.get(`${PATH}?query=${ada.email}`, tokens.viewer)).body.data;
    const { name } = (await app.api.get(`/v1/orgs/${ada.organizationId}`, ada.accessToken)).body.data;
    expect(registered).toEqual({
      id: ada.userId,
      email: ada.email,
      name: 'Ada',
      email_verified: false,
      two_factor_enabled: false,
      is_locked: false,
      last_login_at: expect.any(String),
      organizations: [{ id: ada.organizationId, name, role: 'admin' }],
      created_at: expect.any(String),
    });
    expect(await get(app, tokens.viewer, ada)).toEqual(registered);
    expect(await get(app, tokens.viewer, bob)).toMatchObject({ two_factor_enabled: true });
    await logIn(app, ada);
    const { last_login_at: later } = await get(app, tokens.viewer, ada);
    expect(Date.parse(later)).toBeGreaterThan(Date.parse(registered.last_login_at));
    await lock(app, ada);
    expect(await get(app, tokens.viewer, ada)).toMatchObject({ is_locked: true });
    expect(JSON.stringify(registered)).not.toMatch(/password|secret/);
  });

  it('finds users by ID and by prefix of the address or name, in any case', async ({ app, tokens }) => {
    const one = await app.register('Zoë Quine');
    const two = await app.register('zoë queen');
    const by = (query: string) => found(app, tokens.viewer, { query, sort: 'email' });
    expect(await by(one.userId)).toEqual([one.userId]);
    expect(await by(one.email.slice(0, -4).toUpperCase())).toEqual([one.userId]);
    expect((await by('ZOË QU')).toSorted()).toEqual([one.userId, two.userId].toSorted());
    expect(await by('zoë queen')).toEqual([two.userId]);
    expect(await by('%')).toEqual([]);
    expect(await by('usr_')).toEqual([]);
  });

  it('filters locked users, and pages by address', async ({ app, tokens }) => {
    const members = [await app.register('Paged A'), await app.register('Paged B'), await app.register('Paged C')];
    const [first] = members;
    await lock(app, first ?? expect.fail());
    const locked = { query: 'paged', is_locked: 'true' };
    expect(await found(app, tokens.viewer, locked)).toEqual([first?.userId]);
    expect(await found(app, tokens.viewer, { query: 'paged', is_locked: 'false' })).toHaveLength(2);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ query: 'paged', sort: '-email', limit: '1', ...(cursor && { cursor }) });
      const page = (await app.api.get(`${PATH}?${query}`, tokens.viewer)).body;
      seen.push(...page.data.map(({ email }: { email: string }) => email));
      cursor = page.pagination.next_cursor;
    }
    expect(seen).toEqual(
      members
        .map(({ email }) => email)
        .toSorted()
        .toReversed(),
    );
  });

  it('does not show a user who deleted their account', async ({ app, tokens }) => {
    const gone = await app.register('Gone');
    await app.api.call('DELETE', '/v1/me', { token: gone.accessToken, body: { password: gone.password } });
    expect((await app.api.get(`${PATH}/${gone.userId}`, tokens.viewer)).status).toBe(404);
    expect(await found(app, tokens.viewer, { query: gone.email })).toEqual([]);
  });

  it('400, 401, 403, 404', async ({ app, tokens, ada }) => {
    const errorOf = async (query: string, token?: string) => (await app.api.get(`${PATH}${query}`, token)).body.error;
    expect(await errorOf('?is_locked=maybe', tokens.viewer)).toMatchObject({ details: { field: 'is_locked' } });
    expect(await errorOf('?email=x', tokens.viewer)).toMatchObject({ details: { reason: 'unknown' } });
    expect(await errorOf('')).toMatchObject({ code: 'invalid_token' });
    expect(await errorOf('', ada.accessToken)).toMatchObject({ code: 'insufficient_scope' });
    expect(await errorOf('/usr_nobody', tokens.viewer)).toMatchObject({ code: 'not_found' });
  });
});

describe('POST /v1/operator/users/{user_id}/unlock', () => {
  it('lets a locked user log in immediately, and is recorded in the audit log of their organization', async ({
    app,
    tokens,
    ada,
  }) => {
    await lock(app, ada);
    expect((await logIn(app, ada)).status).toBe(401);
    expect((await unlock(app, tokens.support, ada)).body.data).toMatchObject({ id: ada.userId, is_locked: false });
    expect((await logIn(app, ada)).status).toBe(200);
    const acts = async () => (await app.api.get('/v1/audit-log?action=user.unlocked', ada.accessToken)).body.data;
    expect(await acts()).toMatchObject([{ actor: { type: 'operator_token' }, target: { id: ada.userId } }]);
    expect((await unlock(app, tokens.support, ada)).status).toBe(200);
    expect(await acts()).toHaveLength(1);
  });
});

describe('POST /v1/operator/users/{user_id}/disable-two-factor', () => {
  it('lets a user log in with the password alone, mails them, and is visible to their organization', async ({
    app,
  }) => {
    const support = await registerStaff(app, clock, 'support');
    const user = await registerWithTwoFactor(app, clock);
    const challenge = (await logIn(app, user)).body.data.challenge_token;
    expect((await disable(app, support.accessToken, user)).body.data).toMatchObject({ two_factor_enabled: false });
    expect((await logIn(app, user)).body.data).toHaveProperty('access_token');
    const [code] = user.recoveryCodes;
    const late = await app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token: challenge, code });
    expect(late.body.error.code).toBe('invalid_token');
    expect((await app.mailsTo(user.email)).map(({ kind }) => kind)).toContain('two-factor-disabled');
    const [entry] = (await app.api.get('/v1/audit-log?action=two_factor.disabled', user.accessToken)).body.data;
    expect(entry.actor).toMatchObject({ type: 'staff', id: support.userId, email: support.email });
    expect((await disable(app, support.accessToken, user)).status).toBe(200);
  });
});

describe('an attacker in support', () => {
  it('cannot touch the login of an owner or any other colleague', async ({ app, tokens }) => {
    const support = await registerStaff(app, clock, 'support');
    for (const role of ['owner', 'finance', 'support', 'viewer'] as const) {
      const colleague = await registerStaff(app, clock, role);
      await lock(app, colleague);
      for (const token of [support.accessToken, tokens.support]) {
        for (const act of [disable, unlock]) {
          const refused = await act(app, token, colleague);
          expect(refused.body.error).toMatchObject({ code: 'forbidden', details: { required_role: 'owner' } });
        }
      }
      const untouched = { two_factor_enabled: true, is_locked: true };
      expect(await get(app, tokens.viewer, colleague)).toMatchObject(untouched);
      expect((await app.mailsTo(colleague.email)).map(({ kind }) => kind)).not.toContain('two-factor-disabled');
    }
  });

  it('cannot turn off their own second factor without a code, and neither can an owner', async ({ app }) => {
    for (const role of ['support', 'owner'] as const) {
      const staff = await registerStaff(app, clock, role);
      expect((await disable(app, staff.accessToken, staff)).body.error.code).toBe('conflict');
      expect((await unlock(app, staff.accessToken, staff)).body.error.code).toBe('conflict');
    }
  });

  it('gains nothing from a colleague whose second factor an owner turned off', async ({ app, tokens }) => {
    const colleague = await registerStaff(app, clock, 'finance');
    expect((await disable(app, tokens.owner, colleague)).status).toBe(200);
    const fresh = (await logIn(app, colleague)).body.data.access_token;
    for (const token of [colleague.accessToken, fresh]) {
      expect((await app.api.get(PATH, token)).body.error.code).toBe('two_factor_required');
    }
  });

  it('is refused from the next request on after leaving the staff, and without two-factor', async ({ app, ada }) => {
    const support = await registerStaff(app, clock, 'support');
    await execute(app.database, 'update login_sessions set passed_two_factor = false where user_id = $1', [
      support.userId,
    ]);
    expect((await disable(app, support.accessToken, ada)).body.error.code).toBe('two_factor_required');
    await makeStaff(app, support, null);
    expect((await disable(app, support.accessToken, ada)).body.error.code).toBe('insufficient_scope');
  });

  it("needs the role, which viewers, finance and a customer's admin lack", async ({ app, tokens, ada }) => {
    for (const act of [disable, unlock]) {
      for (const token of [tokens.viewer, tokens.finance]) {
        expect((await act(app, token, ada)).body.error.details).toEqual({ required_role: 'support' });
      }
      expect((await act(app, ada.accessToken, ada)).body.error.code).toBe('insufficient_scope');
      expect((await act(app, tokens.support, { ...ada, userId: 'usr_nobody' })).status).toBe(404);
    }
  });
});
