import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';

const refresh = (app: TestApp, refreshToken: unknown) =>
  app.api.post('/v1/auth/refresh', undefined, { refresh_token: refreshToken });

/** Moves the whole history of a user's refresh tokens into the past. */
const age = (app: TestApp, userId: string, seconds: number) =>
  execute(
    app.database,
    `update refresh_tokens set created_at = created_at - $2 * interval '1 second',
      expires_at = expires_at - $2 * interval '1 second', used_at = used_at - $2 * interval '1 second' where user_id = $1`,
    [userId, seconds],
  );

const warmConnections = ({ database }: TestApp) =>
  Array.from({ length: 10 }, () => execute(database, 'select pg_sleep(0.1)'));

describe('POST /v1/auth/refresh', () => {
  it('200: returns new tokens that work, including the refresh token', async ({ app, ada }) => {
    const first = (await refresh(app, ada.refreshToken)).body.data;
    expect(first.refresh_token).not.toBe(ada.refreshToken);
    expect((await app.api.get('/v1/me', first.access_token)).body.data.id).toBe(ada.userId);
    const next = await refresh(app, first.refresh_token);
    expect(next.status).toBe(200);
    expect(next.body.data.access_token).not.toBe(first.access_token);
  });

  it('gives one successor to fifty simultaneous requests on two processes', async ({ app, second, ada }) => {
    // With all connections open, the fifty requests really overlap. Otherwise the first finishes before the others
    // arrive.
    await Promise.all([app, second].flatMap(warmConnections));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => refresh(index % 2 === 0 ? app : second, ada.refreshToken)),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
    const rows = await execute(app.database, 'select token_hash from refresh_tokens where user_id = $1', [ada.userId]);
    expect(rows).toHaveLength(2);
  });

  it('returns the identical response again for ten seconds, even if the successor was used in the meantime', async ({
    app,
    ada,
  }) => {
    const first = await refresh(app, ada.refreshToken);
    await refresh(app, first.body.data.refresh_token);
    await age(app, ada.userId, 8);
    await app.runJobs();
    expect((await refresh(app, ada.refreshToken)).body.data).toEqual(first.body.data);
  });

  it('401: later reuse of a token ends the whole login, including access tokens, and no other', async ({
    app,
    ada,
  }) => {
    const { password, email } = ada;
    const other = (await app.api.post('/v1/auth/login', undefined, { email, password })).body.data;
    const successor = (await refresh(app, ada.refreshToken)).body.data;
    await age(app, ada.userId, 11);
    const reused = await refresh(app, ada.refreshToken);
    expect(reused.status).toBe(401);
    expect(reused.body.error.code).toBe('invalid_token');
    expect((await refresh(app, successor.refresh_token)).body.error.code).toBe('invalid_token');
    for (const dead of [ada.accessToken, successor.access_token]) {
      expect((await app.api.get('/v1/me', dead)).body.error.code).toBe('invalid_token');
    }
    expect((await app.api.get('/v1/me', other.access_token)).status).toBe(200);
  });

  it('stores the response unreadably, and only while it may be repeated', async ({ app, ada }) => {
    const { access_token: accessToken } = (await refresh(app, ada.refreshToken)).body.data;
    const kept = () =>
      execute<{ answer: Buffer }>(
        app.database,
        'select answer from refresh_tokens where user_id = $1 and answer is not null',
        [ada.userId],
      );
    const [row] = await kept();
    expect(row?.answer.includes(accessToken)).toBe(false);
    await age(app, ada.userId, 11);
    await app.runJobs();
    expect(await kept()).toEqual([]);
  });

  it('slides the expiry by 30 days, but never past the 90 days of the login', async ({ app, ada }) => {
    await execute(
      app.database,
      `update login_sessions set ends_at = clock_timestamp() + interval '10 minutes' where user_id = $1`,
      [ada.userId],
    );
    const last = (await refresh(app, ada.refreshToken)).body.data;
    const minutes = (Date.parse(last.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThanOrEqual(10.1);
    const [row] = await execute(
      app.database,
      `select 1 as one from refresh_tokens r join login_sessions l on l.id = r.login_session_id
        where r.user_id = $1 and r.used_at is null and r.expires_at = l.ends_at`,
      [ada.userId],
    );
    expect(row).toBeDefined();
  });

  it('401: an expired or unknown token, one of another kind, and a malformed one', async ({ app, ada }) => {
    await age(app, ada.userId, 31 * 86_400);
    const unknown = 'svc_srt_000000000000000000000000000000000000000000';
    for (const token of [ada.refreshToken, ada.accessToken, unknown, 'nonsense']) {
      const answer = await refresh(app, token);
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('invalid_token');
    }
  });

  it('400: a body without the token, or with other fields', async ({ app }) => {
    const missing = await app.api.post('/v1/auth/refresh', undefined, {});
    expect(missing.body.error.details).toEqual({ field: 'refresh_token', reason: 'required' });
    expect((await refresh(app, 5)).body.error.details).toEqual({ field: 'refresh_token', reason: 'type' });
  });

  it('leaves no valid token behind when a logout and a refresh race', async ({ app, second }) => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await app.register();
      const [refreshed] = await Promise.all([
        refresh(second, ada.refreshToken),
        app.api.post('/v1/auth/logout', ada.accessToken, undefined),
      ]);
      if (refreshed.status === 200) {
        expect((await app.api.get('/v1/me', refreshed.body.data.access_token)).status).toBe(401);
        expect((await refresh(app, refreshed.body.data.refresh_token)).status).toBe(401);
      }
    }
  });
});
