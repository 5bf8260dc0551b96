import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { execute, startAppForTest } from '../../../test/harness/index.ts';
import { plantGrant } from '../../../test/harness/plant-grant.ts';

const NEW_PASSWORD = 'a loom that weaves algebra';

const forgot = (app: TestApp, email: unknown) => app.api.post('/v1/auth/password/forgot', undefined, { email });

const reset = (app: TestApp, token: unknown, password: unknown = NEW_PASSWORD) =>
  app.api.post('/v1/auth/password/reset', undefined, { token, password });

const logIn = (app: TestApp, email: string, password: string) =>
  app.api.post('/v1/auth/login', undefined, { email, password });

const resetMails = async (app: TestApp, email: string) =>
  (await app.mailsTo(email)).filter((mail) => mail.kind === 'reset-password');

const askForToken = async (app: TestApp, email: string): Promise<string> => {
  await forgot(app, email);
  await app.runJobs();
  return (await resetMails(app, email)).at(-1)?.code ?? '';
};

const ageTokens = (app: TestApp, userId: string, interval: string) =>
  execute(
    app.database,
    `update one_time_tokens set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
      where user_id = $1`,
    [userId, interval],
  );

describe('POST /v1/auth/password/forgot', () => {
  it('200: returns the same for a known, an unknown and an invalid address, and writes a row for each', async ({
    app,
    ada,
  }) => {
    await app.runJobs();
    for (const email of [ada.email, 'nobody@example.com', 'no address', ` ${ada.email.toUpperCase()} `]) {
      const answer = await forgot(app, email);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ status: 'accepted' });
    }
    const requests = 'select email from password_reset_requests';
    expect(await execute(app.database, requests)).toHaveLength(4);
    expect(await resetMails(app, ada.email)).toEqual([]);
    await app.runJobs();
    expect(await execute(app.database, requests)).toEqual([]);
    expect(await resetMails(app, ada.email)).toHaveLength(1);
    expect(await app.mailsTo('nobody@example.com')).toEqual([]);
  });

  it('mails the token as a code, and in the part of the link that no server sees', async ({ app, ada }) => {
    const token = await askForToken(app, ada.email);
    expect(token).toMatch(/^svc_prt_[0-9A-Za-z]{42}$/);
    const [mail] = await resetMails(app, ada.email);
    expect(mail?.link?.url).toBe(`https://api.test/reset-password#code=${token}`);
    expect(JSON.stringify([mail?.subject, mail?.paragraphs])).not.toContain(token);
  });

  it('mails at most five tokens an hour across all processes', async ({ app, second, ada }) => {
    for (let n = 0; n < 7; n += 1) {
      await forgot(app, ada.email);
      await Promise.all([app.runJobs(), second.runJobs()]);
    }
    expect(await resetMails(app, ada.email)).toHaveLength(5);
    await ageTokens(app, ada.userId, '61 minutes');
    await forgot(app, ada.email);
    await app.runJobs();
    expect(await resetMails(app, ada.email)).toHaveLength(6);
  });

  it('400: without an address', async ({ app }) => {
    const answer = await app.api.post('/v1/auth/password/forgot', undefined, {});
    expect(answer.body.error.details).toEqual({ field: 'email', reason: 'required' });
  });

  it('429: the sixth request a minute from one address, and the eleventh reset', async () => {
    const limited = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const statuses = async (send: () => Promise<{ status: number }>, times: number) => {
      const found = [];
      for (let n = 0; n < times; n += 1) {
        found.push((await send()).status);
      }
      return found;
    };
    expect(await statuses(() => forgot(limited, 'nobody@example.com'), 6)).toEqual([200, 200, 200, 200, 200, 429]);
    const resets = await statuses(() => reset(limited, 'nonsense', NEW_PASSWORD), 11);
    expect(resets).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});

describe('POST /v1/auth/password/reset', () => {
  it('200: sets the password, ends logins and apps, lifts the lock, verifies the address, and notifies the owner', async ({
    app,
    second,
    ada,
  }) => {
    const grant = await plantGrant(app, ada);
    const token = await askForToken(app, ada.email);
    await execute(
      app.database,
      `update users set locked_until = clock_timestamp() + interval '10 minutes', failed_logins = 3 where id = $1`,
      [ada.userId],
    );
    const answer = await reset(app, token);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ status: 'password_changed' });
    for (const dead of [ada.accessToken, grant.accessToken]) {
      expect((await second.api.get('/v1/me', dead)).body.error.code).toBe('invalid_token');
    }
    const refreshed = await second.api.post('/v1/auth/refresh', undefined, { refresh_token: ada.refreshToken });
    expect(refreshed.status).toBe(401);
    const [user] = await execute(
      app.database,
      'select failed_logins, locked_until, email_verified_at is not null as verified from users where id = $1',
      [ada.userId],
    );
    expect(user).toEqual({ failed_logins: 0, locked_until: null, verified: true });
    expect((await logIn(app, ada.email, ada.password)).status).toBe(401);
    expect((await logIn(app, ada.email, NEW_PASSWORD)).status).toBe(200);
    expect((await app.mailsTo(ada.email)).map((mail) => mail.kind)).toContain('password-reset');
    const audit = await execute(
      app.database,
      `select actor_user_id, credential_kind, target_id from audit_entries
        where organization_id = $1 and action = 'password.reset'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, credential_kind: 'none', target_id: ada.userId }]);
  });

  it('422: a bad password does not use up the token', async ({ app }) => {
    const ada = await app.register('Augusta Ada King');
    const token = await askForToken(app, ada.email);
    for (const [password, reason] of [
      ['password123', 'common'],
      ['Augusta Ada King', 'personal'],
    ]) {
      const answer = await reset(app, token, password);
      expect(answer.status).toBe(422);
      expect(answer.body.error.details).toEqual({ field: 'password', reason });
    }
    const short = await reset(app, token, 'short');
    expect(short.body.error.details).toEqual({ field: 'password', reason: 'length' });
    expect((await reset(app, token)).status).toBe(200);
  });

  it('401: a token that is unknown, used, of another kind, or older than a used one', async ({ app, ada }) => {
    const [older, newer] = [await askForToken(app, ada.email), await askForToken(app, ada.email)];
    expect((await reset(app, newer)).status).toBe(200);
    const verification = (await app.mailsTo(ada.email)).find((mail) => mail.kind === 'verify-email')?.code;
    for (const token of [newer, older, ada.accessToken, 'nonsense', `svc_prt_${'0'.repeat(42)}`, verification ?? 'x']) {
      const answer = await reset(app, token);
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('invalid_token');
    }
  });

  it('401: a token that expired after an hour, with the time of expiry', async ({ app, ada }) => {
    const token = await askForToken(app, ada.email);
    await ageTokens(app, ada.userId, '60 minutes');
    const answer = await reset(app, token);
    expect(answer.body.error.code).toBe('token_expired');
    expect(Date.parse(answer.body.error.details.expired_at)).toBeLessThanOrEqual(Date.now());
    expect((await app.api.get('/v1/me', ada.accessToken)).status).toBe(200);
  });

  it('400: without a token or a password', async ({ app }) => {
    expect((await reset(app, undefined)).body.error.details).toEqual({ field: 'token', reason: 'required' });
    const answer = await app.api.post('/v1/auth/password/reset', undefined, { token: 'x' });
    expect(answer.body.error.details).toEqual({ field: 'password', reason: 'required' });
  });

  it('succeeds once for fifty simultaneous requests with two tokens on two processes', async ({ app, second, ada }) => {
    const tokens = [await askForToken(app, ada.email), await askForToken(app, ada.email)];
    await Promise.all(
      [app, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', ada.accessToken))),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => reset(n % 4 < 2 ? app : second, tokens[n % 2], `${NEW_PASSWORD} ${n}`)),
    );
    const won = answers.findIndex((answer) => answer.status === 200);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'invalid_token')).toHaveLength(49);
    expect((await logIn(app, ada.email, `${NEW_PASSWORD} ${won}`)).status).toBe(200);
  });

  it('leaves no usable token in the log or in any table', async ({ app, ada }) => {
    const token = await askForToken(app, ada.email);
    await reset(app, token);
    await forgot(app, ada.email);
    expect(app.logLines.join('\n')).not.toContain(token);
    for (const table of ['one_time_tokens', 'password_reset_requests', 'outgoing_mails', 'audit_entries', 'users']) {
      const rows = await execute<{ row: string }>(app.database, `select t::text as row from ${table} t`);
      const text = rows.map((each) => each.row).join('\n');
      for (const secret of [token, NEW_PASSWORD]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
  });
});

describe('reset tokens', () => {
  it('are deleted 30 days after they expire', async ({ app, ada }) => {
    const token = await askForToken(app, ada.email);
    await ageTokens(app, ada.userId, '30 days');
    await app.runJobs();
    expect((await reset(app, token)).body.error.code).toBe('token_expired');
    await ageTokens(app, ada.userId, '10 days');
    await app.runJobs();
    expect((await reset(app, token)).body.error.code).toBe('invalid_token');
  });
});
