import { beforeEach, describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();

const it = createTest({ clock });
// Tests never share a time step.
beforeEach(() => clock.nextStep(3));

const logIn = (app: TestApp, { email, password }: Pick<Member, 'email' | 'password'>) =>
  app.api.post('/v1/auth/login', undefined, { email, password });
const verify = (app: TestApp, challenge: string, code: string) =>
  app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token: challenge, code });
const challengeOf = async (app: TestApp, member: Member): Promise<string> =>
  (await logIn(app, member)).body.data.challenge_token;
const stateOf = async (app: TestApp, userId: string) => {
  const [row] = await execute<{ failed_logins: number; is_locked: boolean }>(
    app.database,
    `select failed_logins, coalesce(locked_until > clock_timestamp(), false) as is_locked from users where id = $1`,
    [userId],
  );
  return row;
};
/** Opens the connections of both pools, so that the next requests run concurrently. */
const warmUp = (app: TestApp, second: TestApp, { accessToken }: Member) =>
  Promise.all([app, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', accessToken))));
const verifyFiftyTimes = (app: TestApp, second: TestApp, challengeFor: (index: number) => string, code: string) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => verify(index % 2 ? app : second, challengeFor(index), code)));

describe('a login with two-factor on', () => {
  it('returns a challenge and no token, and tokens once the code is given', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const asked = await logIn(app, ada);
    expect(asked.status).toBe(200);
    expect(asked.body.data).toEqual({
      status: 'two_factor_required',
      requires_2fa: true,
      challenge_token: expect.stringMatching(/^ch_[0-9A-Za-z]{42}$/),
      method: 'totp',
    });
    const answer = await verify(app, asked.body.data.challenge_token, codeAt(clock, ada.secret));
    expect(answer.status).toBe(200);
    expect(answer.body.data.user).toEqual({ id: ada.userId, email: ada.email, name: 'Ada Test' });
    const me = await app.api.get('/v1/me', answer.body.data.access_token);
    expect(me.body.data).toMatchObject({ two_factor_enabled: true, email_verified: false });
    const refreshed = await app.api.post('/v1/auth/refresh', undefined, {
      refresh_token: answer.body.data.refresh_token,
    });
    expect(refreshed.status).toBe(200);
  });

  it('accepts a recovery code instead of a code, in any case and without its hyphen, and notifies the user by mail', async ({
    app,
  }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const [first = '', next = ''] = ada.recoveryCodes;
    expect((await verify(app, await challengeOf(app, ada), first.toLowerCase())).status).toBe(200);
    expect((await verify(app, await challengeOf(app, ada), next.replace('-', ''))).status).toBe(200);
    const mails = (await app.mailsTo(ada.email)).filter((mail) => mail.kind === 'recovery-code-used');
    expect(mails.map((mail) => mail.paragraphs[1])).toEqual([
      expect.stringContaining('9 recovery codes are left'),
      expect.stringContaining('8 recovery codes are left'),
    ]);
    expect((await verify(app, await challengeOf(app, ada), first)).body.error.code).toBe('invalid_credentials');
  });

  it('is recorded in the audit log with its method: password, code or recovery code', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const grace = await app.register();
    await logIn(app, grace);
    await verify(app, await challengeOf(app, ada), codeAt(clock, ada.secret));
    await verify(app, await challengeOf(app, ada), ada.recoveryCodes[0] ?? '');
    const rows = await execute(
      app.database,
      `select actor_user_id, credential_kind, after, client_address is not null as has_address from audit_entries
       where action = 'login.succeeded' and target_id in ($1, $2) order by id`,
      [ada.userId, grace.userId],
    );
    const entry = (userId: string, method: string) => ({
      actor_user_id: userId,
      credential_kind: 'none',
      after: { method },
      has_address: true,
    });
    expect(rows).toEqual([
      entry(grace.userId, 'password'),
      entry(ada.userId, 'totp'),
      entry(ada.userId, 'recovery_code'),
    ]);
  });
});

describe('single-use secrets', () => {
  it('one challenge logs in once with fifty simultaneous correct codes on two processes', async ({ app, second }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenge = await challengeOf(app, ada);
    await warmUp(app, second, ada);
    const answers = await verifyFiftyTimes(app, second, () => challenge, codeAt(clock, ada.secret));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(49).fill(401)]);
    const codes = answers.flatMap(({ status, body }) => (status === 401 ? [body.error.code] : []));
    expect(new Set(codes)).toEqual(new Set(['invalid_token']));
    expect(await stateOf(app, ada.userId)).toEqual({ failed_logins: 0, is_locked: false });
  });

  it('one code logs in once, even if it is sent for many challenges at the same time', async ({ app, second }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenges = [await challengeOf(app, ada), await challengeOf(app, ada)];
    await warmUp(app, second, ada);
    const code = codeAt(clock, ada.secret);
    const answers = await Promise.all(
      challenges.map((challenge, index) => verify(index === 0 ? app : second, challenge, code)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401]);
    const late = await verify(app, await challengeOf(app, ada), code);
    expect(late.body.error.code).toBe('invalid_credentials');
  });

  it('one recovery code logs in once, even if it is sent for fifty challenges at the same time', async ({
    app,
    second,
  }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenges = await Promise.all(Array.from({ length: 50 }, () => challengeOf(app, ada)));
    await warmUp(app, second, ada);
    const answers = await verifyFiftyTimes(app, second, (index) => challenges[index] ?? '', ada.recoveryCodes[0] ?? '');
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const [left] = await execute<{ used: number }>(
      app.database,
      'select count(*)::integer as used from recovery_codes where user_id = $1 and used_at is not null',
      [ada.userId],
    );
    expect(left?.used).toBe(1);
  });

  it('a used code, a wrong one, and one of neither kind get the same response', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const used = codeAt(clock, ada.secret);
    expect((await verify(app, await challengeOf(app, ada), used)).status).toBe(200);
    const challenge = await challengeOf(app, ada);
    const answers = [];
    for (const code of [used, wrongCode(clock, ada.secret), 'ZZZZZ-ZZZZZ', 'what?']) {
      answers.push((await verify(app, challenge, code)).body.error);
    }
    expect(new Set(answers.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(answers[0].code).toBe('invalid_credentials');
    expect(await stateOf(app, ada.userId)).toEqual({ failed_logins: 4, is_locked: false });
  });

  it('a code of a step before a used one is refused', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const [earlier, present] = [codeAt(clock, ada.secret, -1), codeAt(clock, ada.secret)];
    expect((await verify(app, await challengeOf(app, ada), present)).status).toBe(200);
    expect((await verify(app, await challengeOf(app, ada), earlier)).status).toBe(401);
  });

  it.for([-1, 1])('a code %i steps away is accepted', async (steps, { app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    expect((await verify(app, await challengeOf(app, ada), codeAt(clock, ada.secret, steps))).status).toBe(200);
  });

  it.for([-2, 2])('a code %i steps away is refused', async (steps, { app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    clock.nextStep(2);
    expect((await verify(app, await challengeOf(app, ada), codeAt(clock, ada.secret, steps))).status).toBe(401);
  });
});

describe('a challenge', () => {
  it('allows five attempts, and refuses the right code at the sixth', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenge = await challengeOf(app, ada);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await verify(app, challenge, wrongCode(clock, ada.secret))).body.error.code).toBe('invalid_credentials');
    }
    expect((await verify(app, challenge, codeAt(clock, ada.secret))).body.error.code).toBe('invalid_token');
    expect((await verify(app, await challengeOf(app, ada), codeAt(clock, ada.secret))).status).toBe(200);
  });

  it('checks at most five of fifty simultaneous codes', async ({ app, second }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenge = await challengeOf(app, ada);
    await warmUp(app, second, ada);
    const answers = await verifyFiftyTimes(app, second, () => challenge, wrongCode(clock, ada.secret));
    expect(answers.filter(({ body }) => body.error.code === 'invalid_credentials')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.error.code === 'invalid_token')).toHaveLength(45);
  });

  it('is refused with token_expired after five minutes, and deleted 30 days later', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenge = await challengeOf(app, ada);
    const [row] = await execute<{ seconds: number }>(
      app.database,
      'select extract(epoch from expires_at - created_at)::integer as seconds from login_challenges where user_id = $1',
      [ada.userId],
    );
    expect(row?.seconds).toBe(300);
    const move = (age: string) =>
      execute(
        app.database,
        'update login_challenges set expires_at = clock_timestamp() - $2::interval where user_id = $1',
        [ada.userId, age],
      );
    await move('29 days');
    await app.runJobs();
    const expired = await verify(app, challenge, codeAt(clock, ada.secret));
    expect(expired.body.error).toMatchObject({ code: 'token_expired', details: { expired_at: expect.any(String) } });
    await move('31 days');
    await app.runJobs();
    expect((await verify(app, challenge, codeAt(clock, ada.secret))).body.error.code).toBe('invalid_token');
  });

  it('is not a bearer token, and a token is not a challenge', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    expect((await app.api.get('/v1/me', await challengeOf(app, ada))).status).toBe(401);
    expect((await verify(app, ada.accessToken, codeAt(clock, ada.secret))).body.error.code).toBe('invalid_token');
  });

  it.for([
    [{ code: '123456' }, 'challenge_token', 'required'],
    [{ challenge_token: 'ch_x' }, 'code', 'required'],
    [{ challenge_token: 'ch_x', code: 123456 }, 'code', 'type'],
    [{ challenge_token: 'ch_x', code: '' }, 'code', 'length'],
    [{ challenge_token: 'ch_x', code: '1', remember: true }, 'remember', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { app }) => {
    const answer = await app.api.post('/v1/auth/2fa/verify', undefined, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });
});

describe('wrong passwords and codes in a row', () => {
  const fail = async (app: TestApp, member: Member & { secret: string }, passwords: number, codes: number) => {
    for (let attempt = 0; attempt < passwords; attempt += 1) {
      expect((await logIn(app, { ...member, password: 'wrong' })).status).toBe(401);
    }
    for (let attempt = 0; attempt < codes; attempt += 1) {
      const answer = await verify(app, await challengeOf(app, member), wrongCode(clock, member.secret));
      expect(answer.body.error.code).toBe('invalid_credentials');
    }
  };

  it('lock the account at the tenth, counted together; correct ones are then refused, on open challenges too', async ({
    app,
  }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const open = await challengeOf(app, ada);
    await fail(app, ada, 5, 5);
    expect(await stateOf(app, ada.userId)).toEqual({ failed_logins: 0, is_locked: true });
    const refusals = [
      await logIn(app, ada),
      await logIn(app, { ...ada, password: 'wrong' }),
      await verify(app, open, codeAt(clock, ada.secret)),
      await verify(app, open, wrongCode(clock, ada.secret)),
      await verify(app, open, ada.recoveryCodes[0] ?? ''),
    ].map((answer) => JSON.stringify(answer.body.error));
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('invalid_credentials');
    await execute(app.database, 'update users set locked_until = clock_timestamp() where id = $1', [ada.userId]);
    expect((await verify(app, await challengeOf(app, ada), codeAt(clock, ada.secret))).status).toBe(200);
  });

  it('are reset only by a complete login, not by a right password', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    await fail(app, ada, 5, 4);
    const challenge = await challengeOf(app, ada);
    expect((await stateOf(app, ada.userId))?.failed_logins).toBe(9);
    expect((await verify(app, challenge, codeAt(clock, ada.secret))).status).toBe(200);
    expect((await stateOf(app, ada.userId))?.failed_logins).toBe(0);
    await fail(app, ada, 9, 0);
    expect((await stateOf(app, ada.userId))?.is_locked).toBe(false);
  });

  it('are all counted if fifty arrive at the same time', async ({ app, second }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenges = await Promise.all(Array.from({ length: 10 }, () => challengeOf(app, ada)));
    await warmUp(app, second, ada);
    const code = wrongCode(clock, ada.secret);
    await verifyFiftyTimes(app, second, (index) => challenges[index % 10] ?? '', code);
    expect(await stateOf(app, ada.userId)).toEqual({ failed_logins: 0, is_locked: true });
  });
});
