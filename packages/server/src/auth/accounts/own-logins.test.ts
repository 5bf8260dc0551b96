import { describe, expect, it } from 'vitest';
import { execute, type Member, openTwoProcesses } from '../../../test/harness/index.ts';

const { test, second } = await openTwoProcesses();

interface Login {
  accessToken: string;
  refreshToken: string;
  id: string;
}

const list = (token: string | undefined, query = '') => test.api.get(`/v1/auth/sessions${query}`, token);

const end = (token: string | undefined, id: string) => test.api.call('DELETE', `/v1/auth/sessions/${id}`, { token });

const logIn = async ({ email, password }: Member): Promise<Login> => {
  const headers = { 'user-agent': 'Test browser' };
  const { access_token: accessToken, refresh_token: refreshToken } = (
    await test.api.post('/v1/auth/login', undefined, { email, password }, headers)
  ).body.data;
  return { accessToken, refreshToken, id: await currentId(accessToken) };
};

const currentId = async (accessToken: string): Promise<string> =>
  (await list(accessToken)).body.data.find((login: { is_current: boolean }) => login.is_current).id;

const idsOf = (answer: { body: { data: Array<{ id: string }> } }) => answer.body.data.map((login) => login.id);

const createApiToken = async (owner: Member): Promise<string> => {
  const input = { name: 'ci', scopes: ['read:profile', 'write:profile'] };
  return (await test.api.post('/v1/api-tokens', owner.accessToken, input)).body.data.token;
};

describe('GET /v1/auth/sessions', () => {
  it('200: shows where each login came from and which one asks', async () => {
    const ada = await test.register();
    const other = await logIn(ada);
    const [newest, oldest] = (await list(ada.accessToken)).body.data;
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

  it('shows a login as seen when it was refreshed, and its expiry as slid', async () => {
    const ada = await test.register();
    const [before] = (await list(ada.accessToken)).body.data;
    const { access_token: token } = (
      await test.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken })
    ).body.data;
    const after = (await list(token)).body.data;
    expect(after).toHaveLength(1);
    expect(after[0].id).toBe(before.id);
    expect(Date.parse(after[0].last_seen_at)).toBeGreaterThan(Date.parse(before.last_seen_at));
    expect(Date.parse(after[0].expires_at)).toBeGreaterThan(Date.parse(before.expires_at));
  });

  it('leaves out what has ended or expired', async () => {
    const ada = await test.register();
    const [loggedOut, expired] = [await logIn(ada), await logIn(ada)];
    await test.api.post('/v1/auth/logout', loggedOut.accessToken, undefined);
    await execute(
      test.database,
      `update refresh_tokens set expires_at = clock_timestamp() - interval '1 second' where login_session_id = $1`,
      [expired.id],
    );
    expect(idsOf(await list(ada.accessToken))).toEqual([await currentId(ada.accessToken)]);
  });

  it('pages in either order and filters by time', async () => {
    const ada = await test.register();
    const logins = [await currentId(ada.accessToken)];
    for (let n = 0; n < 4; n += 1) {
      logins.push((await logIn(ada)).id);
    }
    const pages = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await list(ada.accessToken, `?limit=2${query}${cursor}`);
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

  it('400: an unknown sort or filter', async () => {
    const ada = await test.register();
    expect((await list(ada.accessToken, '?sort=last_seen_at')).status).toBe(400);
    expect((await list(ada.accessToken, '?status=active')).status).toBe(400);
  });

  it('shows nobody the logins of another, of the same organization neither', async () => {
    const [ada, grace] = [await test.register(), await test.register()];
    await execute(test.database, 'update memberships set organization_id = $2 where user_id = $1', [
      grace.userId,
      ada.organizationId,
    ]);
    const own = await test.api.get('/v1/auth/sessions', grace.accessToken, { 'x-organization-id': ada.organizationId });
    expect(own.body.data).toHaveLength(1);
    expect(idsOf(own)).not.toContain(await currentId(ada.accessToken));
  });

  it('401 without a token, 403 with an API token', async () => {
    const ada = await test.register();
    expect((await list(undefined)).status).toBe(401);
    expect((await list(await createApiToken(ada))).status).toBe(403);
  });
});

describe('DELETE /v1/auth/sessions/{id}', () => {
  it('204: both tokens of the login are dead at the next request on another process; the audit log tells', async () => {
    const ada = await test.register();
    const other = await logIn(ada);
    expect((await second.api.get('/v1/me', other.accessToken)).status).toBe(200);
    expect((await end(ada.accessToken, other.id)).status).toBe(204);
    expect((await second.api.get('/v1/me', other.accessToken)).body.error.code).toBe('invalid_token');
    const refreshed = await second.api.post('/v1/auth/refresh', undefined, { refresh_token: other.refreshToken });
    expect(refreshed.status).toBe(401);
    expect((await test.api.get('/v1/me', ada.accessToken)).status).toBe(200);
    const audit = await execute(
      test.database,
      `select actor_user_id, target_id from audit_entries
        where organization_id = $1 and action = 'login_session.ended'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, target_id: other.id }]);
  });

  it('204: ends the login that asks, too', async () => {
    const ada = await test.register();
    expect((await end(ada.accessToken, await currentId(ada.accessToken))).status).toBe(204);
    expect((await test.api.get('/v1/me', ada.accessToken)).status).toBe(401);
  });

  it('404: of another user, over already, and unknown', async () => {
    const [ada, eve] = [await test.register(), await test.register()];
    const other = await logIn(ada);
    expect((await end(eve.accessToken, other.id)).body.error).toMatchObject({
      code: 'not_found',
      details: { resource: 'session' },
    });
    expect((await test.api.get('/v1/me', other.accessToken)).status).toBe(200);
    await end(ada.accessToken, other.id);
    expect((await end(ada.accessToken, other.id)).status).toBe(404);
    expect((await end(ada.accessToken, 'login_unknown')).status).toBe(404);
    expect((await end(ada.accessToken, '%00')).status).toBe(404);
  });

  it('401 without a token, 403 with an API token', async () => {
    const ada = await test.register();
    const id = await currentId(ada.accessToken);
    expect((await end(undefined, id)).status).toBe(401);
    expect((await end(await createApiToken(ada), id)).status).toBe(403);
  });
});
