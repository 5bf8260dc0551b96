import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { execute, type Member } from '../../../test/harness/index.ts';
import { plantGrant } from '../../../test/harness/plant-grant.ts';
import { Mailer } from '../../mail/index.ts';
import { refreshSession } from '../login-sessions/refresh-session.ts';

const NEW_PASSWORD = 'a loom that weaves algebra';

const change = (app: TestApp, member: Member, password = NEW_PASSWORD, currentPassword = member.password) =>
  app.api.call('PATCH', '/v1/me', {
    token: member.accessToken,
    body: { password, current_password: currentPassword },
  });

const logIn = (app: TestApp, email: string, password: string) =>
  app.api.post('/v1/auth/login', undefined, { email, password });

const refresh = (app: TestApp, refreshToken: string) =>
  app.api.post('/v1/auth/refresh', undefined, { refresh_token: refreshToken });

const openConnections = (app: TestApp, second: TestApp, member: Member) =>
  Promise.all(
    [app, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', member.accessToken))),
  );

describe('a changed password', () => {
  it('is required to log in from then on', async ({ app, second, ada }) => {
    expect((await change(app, ada)).status).toBe(200);
    expect((await logIn(second, ada.email, ada.password)).status).toBe(401);
    expect((await logIn(second, ada.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('ends all other sessions and all apps at the next request on another process; this session and API tokens stay valid', async ({
    app,
    second,
    ada,
  }) => {
    const other = (await logIn(app, ada.email, ada.password)).body.data;
    const grant = await plantGrant(app, ada);
    const token = await createApiToken(app, ada, ['read:profile']);
    for (const each of [other.access_token, grant.accessToken, token]) {
      expect((await second.api.get('/v1/me', each)).status).toBe(200);
    }
    await change(app, ada);
    for (const dead of [other.access_token, grant.accessToken]) {
      expect((await second.api.get('/v1/me', dead)).body.error.code).toBe('invalid_token');
    }
    expect((await refresh(second, other.refresh_token)).body.error.code).toBe('invalid_token');
    const ended = 'select ended_at is not null as ended from oauth_grants where id = $1';
    expect(await execute(app.database, ended, [grant.id])).toEqual([{ ended: true }]);
    const kept = 'select 1 as one from oauth_artifacts where grant_key = $1';
    expect(await execute(app.database, kept, [grant.id])).toEqual([]);
    for (const alive of [ada.accessToken, token]) {
      expect((await second.api.get('/v1/me', alive)).status).toBe(200);
    }
    expect((await refresh(second, ada.refreshToken)).status).toBe(200);
  });

  it('does not end sessions of other users', async ({ app, second }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await change(app, ada);
    expect((await second.api.get('/v1/me', grace.accessToken)).status).toBe(200);
  });

  it('invalidates mailed reset tokens and open challenges', async ({ app, ada }) => {
    await app.api.post('/v1/auth/password/forgot', undefined, { email: ada.email });
    await app.runJobs();
    const reset = (await app.mailsTo(ada.email)).find((mail) => mail.kind === 'reset-password');
    await execute(
      app.database,
      `insert into login_challenges (token_hash, user_id, created_at, expires_at)
        values ('\\x01', $1, clock_timestamp(), clock_timestamp() + interval '5 minutes')`,
      [ada.userId],
    );
    await change(app, ada);
    const answer = await app.api.post('/v1/auth/password/reset', undefined, {
      token: reset?.code,
      password: 'yet another password',
    });
    expect(answer.body.error.code).toBe('invalid_token');
    const open = 'select 1 as one from login_challenges where user_id = $1 and spent_at is null';
    expect(await execute(app.database, open, [ada.userId])).toEqual([]);
  });

  it('is emailed to the owner', async ({ app, ada }) => {
    await change(app, ada);
    const mails = (await app.mailsTo(ada.email)).filter((mail) => mail.kind === 'password-changed');
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain(NEW_PASSWORD);
  });
});

/** Waits until a transaction is blocked on a row that another has locked. */
const untilBlocked = async (second: TestApp) => {
  const waiting = `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await execute(second.database, waiting)).length === 0) {
    // Poll again.
  }
};

describe('while a password changes', () => {
  it('a refresh that commits midway leaves no valid token behind', async ({ app, second, ada }) => {
    const other = (await logIn(app, ada.email, ada.password)).body.data;
    const lifetimes = { accessTokenTtlSeconds: 3600, refreshTokenTtlSeconds: 86_400 };
    const tools = { lifetimes, mailer: new Mailer(app.masterKey) };
    const { refreshed, changing } = await second.database.transaction(async (tx) => {
      const refreshed = await refreshSession(
        { database: tx, requestId: 'req_1', clientAddress: '::1' },
        tools,
        other.refresh_token,
      );
      const changing = change(app, ada);
      await untilBlocked(second);
      return { refreshed, changing: () => changing };
    });
    expect((await changing()).status).toBe(200);
    expect((await app.api.get('/v1/me', refreshed.access_token)).body.error.code).toBe('invalid_token');
    expect((await refresh(app, refreshed.refresh_token)).status).toBe(401);
  });

  it('a refresh in flight leaves no valid token behind', async ({ app, second }) => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await app.register();
      const other = (await logIn(app, ada.email, ada.password)).body.data;
      await openConnections(app, second, ada);
      const [refreshed] = await Promise.all([refresh(second, other.refresh_token), change(app, ada)]);
      if (refreshed.status === 200) {
        expect((await app.api.get('/v1/me', refreshed.body.data.access_token)).status).toBe(401);
        expect((await refresh(app, refreshed.body.data.refresh_token)).status).toBe(401);
      }
    }
  });

  it('a login in flight with the old password is refused or ended', async ({ app, second }) => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await app.register();
      await openConnections(app, second, ada);
      const [login] = await Promise.all([logIn(second, ada.email, ada.password), change(app, ada)]);
      if (login.status === 200) {
        expect((await app.api.get('/v1/me', login.body.data.access_token)).status).toBe(401);
      }
    }
  });

  it('only one of many simultaneous changes on two processes succeeds', async ({ app, second, ada }) => {
    await openConnections(app, second, ada);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => change(n % 2 === 0 ? app : second, ada, `${NEW_PASSWORD} ${n}`)),
    );
    const won = answers.findIndex((answer) => answer.status === 200);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'invalid_credentials')).toHaveLength(7);
    expect((await app.api.get('/v1/me', ada.accessToken)).status).toBe(200);
    await execute(app.database, 'update users set locked_until = null where id = $1', [ada.userId]);
    expect((await logIn(app, ada.email, `${NEW_PASSWORD} ${won}`)).status).toBe(200);
  });
});
