import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
let test: TestApp;
let second: TestApp;

beforeAll(async () => {
  test = await openTestApp({ clock });
  second = await openTestApp({ clock, beside: test });
});
afterAll(async () => {
  await second.close();
  await test.close();
});
// No test is reached by a step that another one used.
beforeEach(() => clock.nextStep(3));

const logIn = ({ email, password }: Pick<Member, 'email' | 'password'>) =>
  test.api.post('/v1/auth/login', undefined, { email, password });
const verify = (challenge: string, code: string, app = test) =>
  app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token: challenge, code });
const challengeOf = async (member: Member): Promise<string> => (await logIn(member)).body.data.challenge_token;
const stateOf = async (userId: string) => {
  const [row] = await execute<{ failed_logins: number; is_locked: boolean }>(
    test.database,
    `select failed_logins, coalesce(locked_until > clock_timestamp(), false) as is_locked from users where id = $1`,
    [userId],
  );
  return row;
};
/** Opens the connections of both pools, so that what is fired next runs at once. */
const warmUp = ({ accessToken }: Member) =>
  Promise.all([test, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', accessToken))));
const fiftyAtOnce = (challengeFor: (index: number) => string, code: string) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => verify(challengeFor(index), code, index % 2 ? test : second)));

describe('a login with two-factor on', () => {
  it('answers a challenge and no token, and tokens once the code is given', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const asked = await logIn(ada);
    expect(asked.status).toBe(200);
    expect(asked.body.data).toEqual({
      status: 'two_factor_required',
      requires_2fa: true,
      challenge_token: expect.stringMatching(/^ch_[0-9A-Za-z]{42}$/),
      method: 'totp',
    });
    const answer = await verify(asked.body.data.challenge_token, codeAt(clock, ada.secret));
    expect(answer.status).toBe(200);
    expect(answer.body.data.user).toEqual({ id: ada.userId, email: ada.email, name: 'Ada Test' });
    const me = await test.api.get('/v1/me', answer.body.data.access_token);
    expect(me.body.data).toMatchObject({ two_factor_enabled: true, email_verified: false });
    const refreshed = await test.api.post('/v1/auth/refresh', undefined, {
      refresh_token: answer.body.data.refresh_token,
    });
    expect(refreshed.status).toBe(200);
  });

  it('accepts a recovery code in the place of a code, in any case and without its hyphen, and tells by mail', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const [first = '', next = ''] = ada.recoveryCodes;
    expect((await verify(await challengeOf(ada), first.toLowerCase())).status).toBe(200);
    expect((await verify(await challengeOf(ada), next.replace('-', ''))).status).toBe(200);
    const mails = (await test.mailsTo(ada.email)).filter((mail) => mail.kind === 'recovery-code-used');
    expect(mails.map((mail) => mail.paragraphs[1])).toEqual([
      expect.stringContaining('9 recovery codes are left'),
      expect.stringContaining('8 recovery codes are left'),
    ]);
    expect((await verify(await challengeOf(ada), first)).body.error.code).toBe('invalid_credentials');
  });

  it('is written into the audit log, by password, code or recovery code', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const grace = await test.register();
    await logIn(grace);
    await verify(await challengeOf(ada), codeAt(clock, ada.secret));
    await verify(await challengeOf(ada), ada.recoveryCodes[0] ?? '');
    const rows = await execute(
      test.database,
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

describe('what is spent once', () => {
  it('one challenge, fifty times at once with the right code on two processes, logs in once', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenge = await challengeOf(ada);
    await warmUp(ada);
    const answers = await fiftyAtOnce(() => challenge, codeAt(clock, ada.secret));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(49).fill(401)]);
    const codes = answers.flatMap(({ status, body }) => (status === 401 ? [body.error.code] : []));
    expect(new Set(codes)).toEqual(new Set(['invalid_token']));
    expect(await stateOf(ada.userId)).toEqual({ failed_logins: 0, is_locked: false });
  });

  it('one code logs in once, however many challenges it is sent for at once', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenges = [await challengeOf(ada), await challengeOf(ada)];
    await warmUp(ada);
    const code = codeAt(clock, ada.secret);
    const answers = await Promise.all(
      challenges.map((challenge, index) => verify(challenge, code, [test, second][index])),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401]);
    const late = await verify(await challengeOf(ada), code);
    expect(late.body.error.code).toBe('invalid_credentials');
  });

  it('one recovery code, fifty times at once on as many challenges, logs in once', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenges = await Promise.all(Array.from({ length: 50 }, () => challengeOf(ada)));
    await warmUp(ada);
    const answers = await fiftyAtOnce((index) => challenges[index] ?? '', ada.recoveryCodes[0] ?? '');
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const [left] = await execute<{ used: number }>(
      test.database,
      'select count(*)::integer as used from recovery_codes where user_id = $1 and used_at is not null',
      [ada.userId],
    );
    expect(left?.used).toBe(1);
  });

  it('a used code, a wrong one, and one of neither kind get the same answer', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const used = codeAt(clock, ada.secret);
    expect((await verify(await challengeOf(ada), used)).status).toBe(200);
    const challenge = await challengeOf(ada);
    const answers = [];
    for (const code of [used, wrongCode(clock, ada.secret), 'ZZZZZ-ZZZZZ', 'what?']) {
      answers.push((await verify(challenge, code)).body.error);
    }
    expect(new Set(answers.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(answers[0].code).toBe('invalid_credentials');
    expect(await stateOf(ada.userId)).toEqual({ failed_logins: 4, is_locked: false });
  });

  it('a code of a step before one that was used is refused', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const [earlier, present] = [codeAt(clock, ada.secret, -1), codeAt(clock, ada.secret)];
    expect((await verify(await challengeOf(ada), present)).status).toBe(200);
    expect((await verify(await challengeOf(ada), earlier)).status).toBe(401);
  });

  it.each([-1, 1])('a code of the step %i away is accepted', async (steps) => {
    const ada = await registerWithTwoFactor(test, clock);
    expect((await verify(await challengeOf(ada), codeAt(clock, ada.secret, steps))).status).toBe(200);
  });

  it.each([-2, 2])('a code of the step %i away is refused', async (steps) => {
    const ada = await registerWithTwoFactor(test, clock);
    clock.nextStep(2);
    expect((await verify(await challengeOf(ada), codeAt(clock, ada.secret, steps))).status).toBe(401);
  });
});

describe('a challenge', () => {
  it('takes five attempts, and refuses the right code at the sixth', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenge = await challengeOf(ada);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await verify(challenge, wrongCode(clock, ada.secret))).body.error.code).toBe('invalid_credentials');
    }
    expect((await verify(challenge, codeAt(clock, ada.secret))).body.error.code).toBe('invalid_token');
    expect((await verify(await challengeOf(ada), codeAt(clock, ada.secret))).status).toBe(200);
  });

  it('looks at no more than five of fifty codes that come at once', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenge = await challengeOf(ada);
    await warmUp(ada);
    const answers = await fiftyAtOnce(() => challenge, wrongCode(clock, ada.secret));
    expect(answers.filter(({ body }) => body.error.code === 'invalid_credentials')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.error.code === 'invalid_token')).toHaveLength(45);
  });

  it('is token_expired after five minutes, and forgotten 30 days later', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenge = await challengeOf(ada);
    const [row] = await execute<{ seconds: number }>(
      test.database,
      'select extract(epoch from expires_at - created_at)::integer as seconds from login_challenges where user_id = $1',
      [ada.userId],
    );
    expect(row?.seconds).toBe(300);
    const move = (age: string) =>
      execute(
        test.database,
        'update login_challenges set expires_at = clock_timestamp() - $2::interval where user_id = $1',
        [ada.userId, age],
      );
    await move('29 days');
    await test.runJobs();
    const expired = await verify(challenge, codeAt(clock, ada.secret));
    expect(expired.body.error).toMatchObject({ code: 'token_expired', details: { expired_at: expect.any(String) } });
    await move('31 days');
    await test.runJobs();
    expect((await verify(challenge, codeAt(clock, ada.secret))).body.error.code).toBe('invalid_token');
  });

  it('is no bearer token, and a token is no challenge', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    expect((await test.api.get('/v1/me', await challengeOf(ada))).status).toBe(401);
    expect((await verify(ada.accessToken, codeAt(clock, ada.secret))).body.error.code).toBe('invalid_token');
  });

  it.each([
    [{ code: '123456' }, 'challenge_token', 'required'],
    [{ challenge_token: 'ch_x' }, 'code', 'required'],
    [{ challenge_token: 'ch_x', code: 123456 }, 'code', 'type'],
    [{ challenge_token: 'ch_x', code: '' }, 'code', 'length'],
    [{ challenge_token: 'ch_x', code: '1', remember: true }, 'remember', 'unknown'],
  ])('400: %j', async (body, field, reason) => {
    const answer = await test.api.post('/v1/auth/2fa/verify', undefined, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual({ field, reason });
  });
});

describe('wrong passwords and codes in a row', () => {
  const fail = async (member: Member & { secret: string }, passwords: number, codes: number) => {
    for (let attempt = 0; attempt < passwords; attempt += 1) {
      expect((await logIn({ ...member, password: 'wrong' })).status).toBe(401);
    }
    for (let attempt = 0; attempt < codes; attempt += 1) {
      const answer = await verify(await challengeOf(member), wrongCode(clock, member.secret));
      expect(answer.body.error.code).toBe('invalid_credentials');
    }
  };

  it('lock the account at the tenth, counted together; the right ones are refused then, on open challenges too', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const open = await challengeOf(ada);
    await fail(ada, 5, 5);
    expect(await stateOf(ada.userId)).toEqual({ failed_logins: 0, is_locked: true });
    const refusals = [
      await logIn(ada),
      await logIn({ ...ada, password: 'wrong' }),
      await verify(open, codeAt(clock, ada.secret)),
      await verify(open, wrongCode(clock, ada.secret)),
      await verify(open, ada.recoveryCodes[0] ?? ''),
    ].map((answer) => JSON.stringify(answer.body.error));
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('invalid_credentials');
    await execute(test.database, 'update users set locked_until = clock_timestamp() where id = $1', [ada.userId]);
    expect((await verify(await challengeOf(ada), codeAt(clock, ada.secret))).status).toBe(200);
  });

  it('are forgotten by a complete login only, not by a right password', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    await fail(ada, 5, 4);
    const challenge = await challengeOf(ada);
    expect((await stateOf(ada.userId))?.failed_logins).toBe(9);
    expect((await verify(challenge, codeAt(clock, ada.secret))).status).toBe(200);
    expect((await stateOf(ada.userId))?.failed_logins).toBe(0);
    await fail(ada, 9, 0);
    expect((await stateOf(ada.userId))?.is_locked).toBe(false);
  });

  it('are counted fully when fifty come at once', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const challenges = await Promise.all(Array.from({ length: 10 }, () => challengeOf(ada)));
    await warmUp(ada);
    const code = wrongCode(clock, ada.secret);
    await fiftyAtOnce((index) => challenges[index % 10] ?? '', code);
    expect(await stateOf(ada.userId)).toEqual({ failed_logins: 0, is_locked: true });
  });
});
