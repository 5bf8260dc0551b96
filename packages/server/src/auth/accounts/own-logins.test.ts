import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { execute, type Member } from '../../../test/harness/index.ts';

interface Login {
  accessToken: string;
  refreshToken: string;
  id: string;
}

const list = (app: TestApp, token: string | undefined, query = '') => app.api.get(`/v1/auth/sessions${query}`, token);

const end = (app: TestApp, token: string | undefined, id: string) =>
  app.api.call('DELETE', `/v1/auth/sessions/${id}`, { token });

const logIn = async (app: TestApp, { email, password }: Member): Promise<Login> => {
  const headers = { 'user-agent': 'Test browser' };
  const { access_token: accessToken, refresh_token: refreshToken } = (
    await app.api.post('/v1/auth/login', undefined, { email, password }, headers)
  ).body.data;
  return { accessToken, refreshToken, id: await currentId(app, accessToken) };
};

const currentId = async (app: TestApp, accessToken: string): Promise<string> =>
  (await list(app, accessToken)).body.data.find((login: { is_current: boolean }) => login.is_current).id;

const idsOf = (answer: { body: { data: Array<{ id: string }> } }) => answer.body.data.map((login) => login.id);

describe('GET /v1/auth/sessions', () => {
  it('200: shows where each login came from and which one is current', async ({ app, ada }) => {
    const other = await logIn(app, ada);
    const [newest, oldest] = (await list(app, ada.accessToken)).body.data;
    expect(newest).toMatchObject({
      id: other.id,
      client_address: '127.0.0.1',
      user_agent: 'Test browser',
      organization_id: ada.organizationId,
      is_current: false,
    });
    expect(oldest.is_current).toBe(true);
    expect(newest.last_seen_at).toBe(newest.created_at);
    const days = (Date.parse(newest.expires_at) - Date.parse(newest.created_at)) / 86_400_000;
    expect(days).toBe(30);
    expect(JSON.stringify([newest, oldest])).not.toContain('svc_');
  });

  it('shows when a login was last refreshed, and its extended expiry', async ({ app, ada }) => {
    const [before] = (await list(app, ada.accessToken)).body.data;
    const { access_token: token } = (
      await app.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken })
    ).body.data;
    const after = (await list(app, token)).body.data;
    expect(after).toHaveLength(1);
    expect(after[0].id).toBe(before.id);
    expect(Date.parse(after[0].last_seen_at)).toBeGreaterThan(Date.parse(before.last_seen_at));
    expect(Date.parse(after[0].expires_at)).toBeGreaterThan(Date.parse(before.expires_at));
  });

  it('omits ended and expired logins', async ({ app, ada }) => {
    const [loggedOut, expired] = [await logIn(app, ada), await logIn(app, ada)];
    await app.api.post('/v1/auth/logout', loggedOut.accessToken, undefined);
    await execute(
      app.database,
      `update refresh_tokens set expires_at = clock_timestamp() - interval '1 second' where login_session_id = $1`,
      [expired.id],
    );
    expect(idsOf(await list(app, ada.accessToken))).toEqual([await currentId(app, ada.accessToken)]);
  });

  it('pages in either order and filters by time', async ({ app, ada }) => {
    const logins = [await currentId(app, ada.accessToken)];
    for (let n = 0; n < 4; n += 1) {
      logins.push((await logIn(app, ada)).id);
    }
    const pages = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await list(app, ada.accessToken, `?limit=2${query}${cursor}`);
        found.push(...idsOf(page));
        if (!page.body.pagination.has_more) {
          return found;
        }
        cursor = `&cursor=${page.body.pagination.next_cursor}`;
      }
    };
    expect(await pages('')).toEqual(logins.toReversed());
    expect(await pages('&sort=created_at&created_after=2020-01-01T00:00:00Z')).toEqual(logins);
    expect(await pages('&created_before=2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('400: an unknown sort or filter', async ({ app, ada }) => {
    expect((await list(app, ada.accessToken, '?sort=last_seen_at')).status).toBe(400);
    expect((await list(app, ada.accessToken, '?status=active')).status).toBe(400);
  });

  it('does not show the sessions of other users, even of the same organization', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await execute(app.database, 'update memberships set organization_id = $2 where user_id = $1', [
      grace.userId,
      ada.organizationId,
    ]);
    const own = await app.api.get('/v1/auth/sessions', grace.accessToken, { 'x-organization-id': ada.organizationId });
    expect(own.body.data).toHaveLength(1);
    expect(idsOf(own)).not.toContain(await currentId(app, ada.accessToken));
  });

  it('401 without a token, 403 with an API token', async ({ app, ada }) => {
    expect((await list(app, undefined)).status).toBe(401);
    expect((await list(app, await createApiToken(app, ada, ['read:profile', 'write:profile']))).status).toBe(403);
  });
});

describe('DELETE /v1/auth/sessions/{id}', () => {
  it('204: both tokens of the session are refused at the next request on another process, and the audit log has an entry', async ({
    app,
    second,
    ada,
  }) => {
    const other = await logIn(app, ada);
    expect((await second.api.get('/v1/me', other.accessToken)).status).toBe(200);
    expect((await end(app, ada.accessToken, other.id)).status).toBe(204);
    expect((await second.api.get('/v1/me', other.accessToken)).body.error.code).toBe('invalid_token');
    const refreshed = await second.api.post('/v1/auth/refresh', undefined, { refresh_token: other.refreshToken });
    expect(refreshed.status).toBe(401);
    expect((await app.api.get('/v1/me', ada.accessToken)).status).toBe(200);
    const audit = await execute(
      app.database,
      `select actor_user_id, target_id from audit_entries
        where organization_id = $1 and action = 'login_session.ended'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, target_id: other.id }]);
  });

  it('204: can end the current login', async ({ app, ada }) => {
    expect((await end(app, ada.accessToken, await currentId(app, ada.accessToken))).status).toBe(204);
    expect((await app.api.get('/v1/me', ada.accessToken)).status).toBe(401);
  });

  it('404: another user’s session, an ended one, and an unknown one', async ({ app }) => {
    const [ada, eve] = [await app.register(), await app.register()];
    const other = await logIn(app, ada);
    expect((await end(app, eve.accessToken, other.id)).body.error).toMatchObject({
      code: 'not_found',
      details: { resource: 'session' },
    });
    expect((await app.api.get('/v1/me', other.accessToken)).status).toBe(200);
    await end(app, ada.accessToken, other.id);
    expect((await end(app, ada.accessToken, other.id)).status).toBe(404);
    expect((await end(app, ada.accessToken, 'login_unknown')).status).toBe(404);
    expect((await end(app, ada.accessToken, '%00')).status).toBe(404);
  });

  it('401 without a token, 403 with an API token', async ({ app, ada }) => {
    const id = await currentId(app, ada.accessToken);
    expect((await end(app, undefined, id)).status).toBe(401);
    expect((await end(app, await createApiToken(app, ada, ['read:profile', 'write:profile']), id)).status).toBe(403);
  });
});
