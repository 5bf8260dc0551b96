import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';

/** A user who deletes their only organization is a member of none. */
async function leaveAll(app: TestApp, member: Member): Promise<void> {
  const deleted = await app.api.call('DELETE', `/v1/orgs/${member.organizationId}`, {
    token: member.accessToken,
    body: { confirm: 'Ada Test' },
  });
  expect(deleted.status).toBe(204);
}

const refresh = (app: TestApp, member: Member) =>
  app.api.post('/v1/auth/refresh', undefined, { refresh_token: member.refreshToken });

describe('a user who has left their last organization', () => {
  it('continues after a refresh, in a new organization', async ({ app, ada }) => {
    await leaveAll(app, ada);
    expect((await app.api.get('/v1/me', ada.accessToken)).status).toBe(401);
    const refreshed = await refresh(app, ada);
    expect(refreshed.status).toBe(200);
    const me = await app.api.get('/v1/me', refreshed.body.data.access_token);

    expect(me.body.data.organization).toMatchObject({ name: 'Ada Test', role: 'admin' });
    expect(me.body.data.organization.id).not.toBe(ada.organizationId);
    const made = await app.api.post('/v1/orgs', refreshed.body.data.access_token, { name: 'Another' });
    expect(made.status).toBe(201);
  });

  it('gets one organization, for any number of simultaneous logins and refreshes', async ({ app, second, ada }) => {
    await leaveAll(app, ada);
    const { email, password } = ada;
    const logIn = (app: TestApp) => app.api.post('/v1/auth/login', undefined, { email, password });
    const answers = await Promise.all([refresh(app, ada), refresh(second, ada), logIn(app), logIn(second)]);
    const memberships = await execute(app.database, 'select organization_id from memberships where user_id = $1', [
      ada.userId,
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(memberships).toHaveLength(1);
  });
});
