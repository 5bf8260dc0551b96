import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { systemClock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { SessionCookies } from '../../http/index.ts';
import { Mailer } from '../../mail/index.ts';
import { MasterKey, PasswordHasher } from '../../security/index.ts';
import { PasswordCheckQueue } from '../passwords/password-check-queue.ts';
import { authenticate } from './authenticate.ts';
import { LoginThrottle } from './login-throttle.ts';
import type { LoginTools } from './login-tools.ts';

/** Each refusal waits this long, which hides the time taken to write the count. */
const HIDDEN_MS = 50;

const logIn = (app: TestApp, { email, password }: Pick<Member, 'email' | 'password'>) =>
  app.api.post('/v1/auth/login', undefined, { email, password });
const lock = async (app: TestApp, member: Member) => {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await logIn(app, { ...member, password: 'wrong' });
  }
};

/** The use case's tools, and the statements and hashes that it runs. */
function watchedTools(database: Queries) {
  const asked: string[] = [];
  const overflow = () => new Error('overflow');
  const passwords = new PasswordHasher(
    { memoryKib: 1024, passes: 1, lanes: 1 },
    { concurrent: 2, maxWaiting: 10, overflow },
  );
  const masterKey = new MasterKey(Buffer.alloc(32));
  const tools: LoginTools = {
    passwords,
    lifetimes: { accessTokenTtlSeconds: 60, refreshTokenTtlSeconds: 60 },
    cookies: new SessionCookies('https://api.test', 'svc_scl_'),
    masterKey,
    mailer: new Mailer(masterKey),
    clock: systemClock,
    baseUrl: 'https://api.test',
    issuer: 'Seathold',
    throttle: new LoginThrottle({ clock: systemClock, pause: async (ms) => void asked.push(`pause ${ms}`), overflow }),
    passwordChecks: new PasswordCheckQueue(),
  };
  const watched: Queries = {
    inTransaction: false,
    afterCommit: (act) => database.afterCommit(act),
    execute: (statement, values) => {
      asked.push(statement.name);
      return database.execute(statement, values);
    },

    transaction: (body) => {
      asked.push('begin');
      return database.transaction(body);
    },
  };
  return { tools, watched, asked };
}

describe('a refused login', () => {
  it('runs the same statements and waits equally long for an unknown address, a wrong password and a locked account', async ({
    app,
  }) => {
    const [ada, locked] = [await app.register(), await app.register()];
    await lock(app, locked);
    const attempts = [
      { email: 'nobody@example.com', password: 'wrong' },
      { email: ada.email, password: 'wrong' },
      { email: locked.email, password: 'wrong' },
      { email: locked.email, password: locked.password },
    ];
    const traces = [];
    for (const credentials of attempts) {
      const { tools, watched, asked } = watchedTools(app.database);
      const context = { database: watched, clientAddress: '192.0.2.1', requestId: 'req_test' };
      for (let attempt = 0; attempt < 7; attempt += 1) {
        const refused = authenticate(context, tools, credentials, async () => 'in');
        await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials' });
      }
      traces.push(asked);
    }
    expect(traces[0]).toContain('pause 250');
    expect(traces[0]?.slice(0, 3)).toEqual(['find_user_by_email', 'update_failed_logins', 'pause 50']);
    expect(traces).toEqual(Array(4).fill(traces[0]));
  });

  it('delays the seventh attempt by 500 ms, and none after a login', async () => {
    const pauses: number[] = [];
    const app = await startAppForTest({ pause: async (ms) => void (ms > HIDDEN_MS && pauses.push(ms)) });
    const ada = await app.register();
    for (let attempt = 0; attempt < 7; attempt += 1) {
      await logIn(app, { ...ada, password: 'wrong' });
    }
    expect(pauses).toEqual([250, 500]);
    expect((await logIn(app, ada)).status).toBe(200);
    expect((await logIn(app, { ...ada, password: 'wrong' })).status).toBe(401);
    expect(pauses).toEqual([250, 500, 1000]);
  });
});

describe('a password that changes while a login checks it', () => {
  it('no longer logs anyone in', async ({ app, ada }) => {
    const { tools, watched } = watchedTools(app.database);
    const changing: Queries = {
      ...watched,
      transaction: async (body) => {
        await execute(app.database, `update users set password_hash = $2 where id = $1`, [
          ada.userId,
          await tools.passwords.hash('another password altogether'),
        ]);
        return app.database.transaction(body);
      },
    };
    const context = { database: changing, clientAddress: '192.0.2.1', requestId: 'req_test' };
    const refused = authenticate(context, tools, ada, async () => 'in');
    await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials' });
  });
});

describe('the mail about a lock', () => {
  const mailsAboutLocks = async (app: TestApp, { email }: Member) =>
    (await app.mailsTo(email)).filter((mail) => mail.kind === 'account-locked');

  it('is sent once per lock, and the audit log records the lock', async ({ app, ada }) => {
    await lock(app, ada);
    await Promise.all([app.runJobs(), app.runJobs()]);
    expect(await mailsAboutLocks(app, ada)).toHaveLength(1);
    const entries = await execute<{ actor_user_id: null; organization_id: string }>(
      app.database,
      `select actor_user_id, organization_id from audit_entries where action = 'account.locked' and target_id = $1`,
      [ada.userId],
    );
    expect(entries).toEqual([{ actor_user_id: null, organization_id: ada.organizationId }]);
    await execute(app.database, `update users set locked_until = null, failed_logins = 0 where id = $1`, [ada.userId]);
    await lock(app, ada);
    await app.runJobs();
    expect(await mailsAboutLocks(app, ada)).toHaveLength(2);
  });

  it('is not sent after the lock has ended, but the audit log records the lock', async ({ app, ada }) => {
    await lock(app, ada);
    await execute(app.database, `update users set locked_until = clock_timestamp() where id = $1`, [ada.userId]);
    await app.runJobs();
    expect(await mailsAboutLocks(app, ada)).toEqual([]);
    const told = await execute(
      app.database,
      `select lock_told_until = locked_until as is_told, (select count(*)::integer from audit_entries
        where action = 'account.locked' and target_id = users.id) as entries from users where id = $1`,
      [ada.userId],
    );
    expect(told).toEqual([{ is_told: true, entries: 1 }]);
  });
});

describe('a user without any organization', () => {
  it('gets an organization at the next login, and only one for two simultaneous logins', async ({ app }) => {
    const ada = await app.register('Ada Alone');
    await execute(app.database, 'delete from memberships where user_id = $1', [ada.userId]);
    const answers = await Promise.all([logIn(app, ada), logIn(app, ada)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const homes = await Promise.all(
      answers.map(async ({ body }) => (await app.api.get('/v1/me', body.data.access_token)).body.data.organization),
    );
    expect(homes[0]).toMatchObject({ name: 'Ada Alone', role: 'admin' });
    expect(homes[1]).toEqual(homes[0]);
    expect(homes[0].id).not.toBe(ada.organizationId);
  });
});

describe('a registration', () => {
  it('is recorded in the audit log, and mails the code that verifies the address', async ({ app, ada }) => {
    expect((await app.mailsTo(ada.email)).map((mail) => mail.kind)).toEqual(['verify-email']);
    const entries = await execute(
      app.database,
      `select actor_user_id, after from audit_entries where action = 'user.registered' and target_id = $1`,
      [ada.userId],
    );
    expect(entries).toEqual([
      { actor_user_id: ada.userId, after: { id: ada.userId, email: ada.email, name: 'Ada Test' } },
    ]);
  });
});
