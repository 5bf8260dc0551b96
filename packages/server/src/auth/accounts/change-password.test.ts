import { describe, expect, it } from 'vitest';
import { execute, type Member, openTwoProcesses } from '../../../test/harness/index.ts';
import { plantGrant } from '../../../test/harness/plant-grant.ts';
import { Mailer } from '../../mail/index.ts';
import { refreshSession } from '../login-sessions/refresh-session.ts';

const { test, second } = await openTwoProcesses();

const NEW_PASSWORD = 'a loom that weaves algebra';

const change = (member: Member, password = NEW_PASSWORD, app = test, currentPassword = member.password) =>
  app.api.call('PATCH', '/v1/me', {
    token: member.accessToken,
    body: { password, current_password: currentPassword },
  });

const logIn = (email: string, password: string, app = test) =>
  app.api.post('/v1/auth/login', undefined, { email, password });

const refresh = (refreshToken: string, app = test) =>
  app.api.post('/v1/auth/refresh', undefined, { refresh_token: refreshToken });

const openConnections = (member: Member) =>
  Promise.all(
    [test, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', member.accessToken))),
  );

describe('a changed password', () => {
  it('is the one that logs in from then on', async () => {
    const ada = await test.register();
    expect((await change(ada)).status).toBe(200);
    expect((await logIn(ada.email, ada.password, second)).status).toBe(401);
    expect((await logIn(ada.email, NEW_PASSWORD, second)).status).toBe(200);
  });

  it('ends every other login and every app at the next request on another process; this login and API tokens go on', async () => {
    const ada = await test.register();
    const other = (await logIn(ada.email, ada.password)).body.data;
    const grant = await plantGrant(test, ada);
    const input = { name: 'ci', scopes: ['read:profile'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    for (const each of [other.access_token, grant.accessToken, token]) {
      expect((await second.api.get('/v1/me', each)).status).toBe(200);
    }
    await change(ada);
    for (const dead of [other.access_token, grant.accessToken]) {
      expect((await second.api.get('/v1/me', dead)).body.error.code).toBe('invalid_token');
    }
    expect((await refresh(other.refresh_token, second)).body.error.code).toBe('invalid_token');
    const ended = 'select ended_at is not null as ended from oauth_grants where id = $1';
    expect(await execute(test.database, ended, [grant.id])).toEqual([{ ended: true }]);
    const kept = 'select 1 as one from oauth_artifacts where grant_key = $1';
    expect(await execute(test.database, kept, [grant.id])).toEqual([]);
    for (const alive of [ada.accessToken, token]) {
      expect((await second.api.get('/v1/me', alive)).status).toBe(200);
    }
    expect((await refresh(ada.refreshToken, second)).status).toBe(200);
  });

  it('ends nobody else’s login', async () => {
    const [ada, grace] = [await test.register(), await test.register()];
    await change(ada);
    expect((await second.api.get('/v1/me', grace.accessToken)).status).toBe(200);
  });

  it('makes mailed reset tokens and open challenges useless', async () => {
    const ada = await test.register();
    await test.api.post('/v1/auth/password/forgot', undefined, { email: ada.email });
    await test.runJobs();
    const reset = (await test.mailsTo(ada.email)).find((mail) => mail.kind === 'reset-password');
    await execute(
      test.database,
      `insert into login_challenges (token_hash, user_id, created_at, expires_at)
        values ('\\x01', $1, clock_timestamp(), clock_timestamp() + interval '5 minutes')`,
      [ada.userId],
    );
    await change(ada);
    const answer = await test.api.post('/v1/auth/password/reset', undefined, {
      token: reset?.code,
      password: 'yet another password',
    });
    expect(answer.body.error.code).toBe('invalid_token');
    const open = 'select 1 as one from login_challenges where user_id = $1 and spent_at is null';
    expect(await execute(test.database, open, [ada.userId])).toEqual([]);
  });

  it('is told to its owner by mail', async () => {
    const ada = await test.register();
    await change(ada);
    const mails = (await test.mailsTo(ada.email)).filter((mail) => mail.kind === 'password-changed');
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain(NEW_PASSWORD);
  });
});

/** Waits until one transaction waits for a row that another one holds. */
const untilSomebodyWaits = async () => {
  const waiting = `select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await execute(second.database, waiting)).length === 0) {
    // It is on its way.
  }
};

describe('while a password changes', () => {
  it('a refresh that commits in the middle of it leaves no living token behind', async () => {
    const ada = await test.register();
    const other = (await logIn(ada.email, ada.password)).body.data;
    const lifetimes = { accessTokenTtlSeconds: 3600, refreshTokenTtlSeconds: 86_400 };
    const tools = { lifetimes, mailer: new Mailer(test.masterKey) };
    const { refreshed, changing } = await second.database.transaction(async (tx) => {
      const refreshed = await refreshSession(
        { database: tx, requestId: 'req_1', clientAddress: '::1' },
        tools,
        other.refresh_token,
      );
      const changing = change(ada);
      await untilSomebodyWaits();
      return { refreshed, changing: () => changing };
    });
    expect((await changing()).status).toBe(200);
    expect((await test.api.get('/v1/me', refreshed.access_token)).body.error.code).toBe('invalid_token');
    expect((await refresh(refreshed.refresh_token)).status).toBe(401);
  });

  it('a refresh under way leaves no living token behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await test.register();
      const other = (await logIn(ada.email, ada.password)).body.data;
      await openConnections(ada);
      const [refreshed] = await Promise.all([refresh(other.refresh_token, second), change(ada)]);
      if (refreshed.status === 200) {
        expect((await test.api.get('/v1/me', refreshed.body.data.access_token)).status).toBe(401);
        expect((await refresh(refreshed.body.data.refresh_token)).status).toBe(401);
      }
    }
  });

  it('a login under way with the old password is refused or ended', async () => {
    for (let round = 0; round < 10; round += 1) {
      const ada = await test.register();
      await openConnections(ada);
      const [login] = await Promise.all([logIn(ada.email, ada.password, second), change(ada)]);
      if (login.status === 200) {
        expect((await test.api.get('/v1/me', login.body.data.access_token)).status).toBe(401);
      }
    }
  });

  it('of many changes at once, on two processes, one succeeds', async () => {
    const ada = await test.register();
    await openConnections(ada);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => change(ada, `${NEW_PASSWORD} ${n}`, n % 2 === 0 ? test : second)),
    );
    const won = answers.findIndex((answer) => answer.status === 200);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'invalid_credentials')).toHaveLength(7);
    expect((await test.api.get('/v1/me', ada.accessToken)).status).toBe(200);
    await execute(test.database, 'update users set locked_until = null where id = $1', [ada.userId]);
    expect((await logIn(ada.email, `${NEW_PASSWORD} ${won}`)).status).toBe(200);
  });
});
