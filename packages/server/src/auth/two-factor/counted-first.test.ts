import { beforeEach, describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, SessionCookies } from '../../http/index.ts';
import { Mailer } from '../../mail/index.ts';
import { CONNECTED_APPS } from '../../oauth/index.ts';
import { PasswordHasher } from '../../security/index.ts';
import type { AccountTools } from '../accounts/account-tools.ts';
import { updateProfile } from '../accounts/update-profile.ts';
import { authenticateByCode } from '../login-sessions/authenticate-by-code.ts';
import { LoginThrottle } from '../login-sessions/login-throttle.ts';
import { PasswordCheckQueue } from '../passwords/password-check-queue.ts';
import { disableTwoFactor, replaceRecoveryCodes } from './disable-two-factor.ts';
import { enableTwoFactor } from './enable-two-factor.ts';

const clock = new MovedClock();

const it = createTest({ clock });
beforeEach(() => clock.nextStep(3));

const NEW_PASSWORD = 'a loom that weaves algebra';

/** Alternates between the two processes. */
const processOf = (app: TestApp, second: TestApp, index: number) => (index % 2 === 0 ? app : second);
const challengeOf = async (app: TestApp, { email, password }: Member): Promise<string> =>
  (await app.api.post('/v1/auth/login', undefined, { email, password })).body.data.challenge_token;
const challengesOf = (app: TestApp, member: Member, count: number) =>
  Promise.all(Array.from({ length: count }, () => challengeOf(app, member)));
const verify = (challenge: string | undefined, code: string, app: TestApp) =>
  app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token: challenge, code });

const stateOf = async (app: TestApp, { userId }: Member) =>
  (
    await execute(
      app.database,
      'select failed_logins, coalesce(locked_until > clock_timestamp(), false) as is_locked from users where id = $1',
      [userId],
    )
  )[0];
const LOCKED = { failed_logins: 0, is_locked: true };

/** Opens the connections of both pools, so that the next requests run concurrently. */
const warmUp = (app: TestApp, second: TestApp, { accessToken }: Member) =>
  Promise.all([app, second].flatMap((app) => Array.from({ length: 10 }, () => app.api.get('/v1/me', accessToken))));

/** The tools of the use cases. Each call creates its own, as if it were alone in its process. */
const newTools = (app: TestApp): AccountTools => {
  const overflow = () => new Error('overflow');
  return {
    passwords: new PasswordHasher(
      { memoryKib: 1024, passes: 1, lanes: 1 },
      { concurrent: 2, maxWaiting: 10, overflow },
    ),
    lifetimes: { accessTokenTtlSeconds: 60, refreshTokenTtlSeconds: 60 },
    cookies: new SessionCookies('https://api.test', 'svc_scl_'),
    masterKey: app.masterKey,
    mailer: new Mailer(app.masterKey),
    clock,
    baseUrl: 'https://api.test',
    issuer: 'Seathold',
    connectedApps: CONNECTED_APPS,
    throttle: new LoginThrottle({ clock, pause: async () => undefined, overflow }),
    passwordChecks: new PasswordCheckQueue(),
  };
};

/** The same database, and the names of the statements that transactions run. */
const watch = (database: Queries, asked: string[]): Queries => ({
  inTransaction: database.inTransaction,
  afterCommit: (act) => database.afterCommit(act),
  execute: (statement, values) => {
    asked.push(database.inTransaction ? statement.name : `outside: ${statement.name}`);
    return database.execute(statement, values);
  },

  transaction: (body) => database.transaction((tx) => body(watch(tx, asked))),
});

const contextOf = ({ userId, organizationId }: Member, database: Queries): AuthorizedContext => ({
  requestId: 'req_test',
  database,
  clientAddress: '192.0.2.1',
  headers: {},
  whenGone: () => new AbortController().signal,
  principal: {
    userId,
    organizationId,
    role: 'admin',
    tokenKind: 'session',
    tokenSourceId: 'login_test',
    scopes: 'all',
    clockOffsetMs: 0,
    tier: 'free',
  },
});

/** Makes an attempt a hundred times on two processes, and returns the names of the statements. All must be refused. */
const attemptHundredTimes = async (
  app: TestApp,
  second: TestApp,
  member: Member,
  attempt: (context: AuthorizedContext) => Promise<unknown>,
) => {
  const asked: string[] = [];
  const tries = Array.from({ length: 100 }, (_, n) =>
    attempt(contextOf(member, watch(processOf(app, second, n).database, asked))),
  );
  const results = await Promise.allSettled(tries);
  const refusals = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'answered'));
  expect(new Set(refusals)).toEqual(new Set(['invalid_credentials']));
  expect(await stateOf(app, member)).toEqual(LOCKED);
  return asked;
};
const timesAsked = (asked: readonly string[], name: string) => asked.filter((each) => each.endsWith(name)).length;

describe('of many simultaneous attempts on two processes, at most ten are checked:', () => {
  it('codes: of a hundred for twenty challenges, the right one sent last does not log in', async ({ app, second }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenges = await challengesOf(app, ada, 20);
    await warmUp(app, second, ada);
    const [wrong, right] = [wrongCode(clock, ada.secret), codeAt(clock, ada.secret)];
    const codes = Array.from({ length: 100 }, (_, index) => (index < 99 ? wrong : right));
    const answers = await Promise.all(
      codes.map((code, index) => verify(challenges[index % 20], code, processOf(app, second, index))),
    );
    expect(new Set(answers.map(({ body }) => body.error?.code))).toEqual(new Set(['invalid_credentials']));
    expect(await stateOf(app, ada)).toEqual(LOCKED);
  });

  it('codes for challenges: the others are refused unchecked', async ({ app, second }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const challenges = await challengesOf(app, ada, 20);
    const code = wrongCode(clock, ada.secret);
    let next = 0;
    const asked = await attemptHundredTimes(app, second, ada, (context) => {
      const challengeToken = challenges[next++ % 20] ?? '';
      return authenticateByCode(context, newTools(app), { challengeToken, code }, async () => 'in');
    });
    expect(timesAsked(asked, 'update_time_step_spent')).toBe(10);
    expect(timesAsked(asked, 'update_failed_logins')).toBe(10);
  });

  it('codes that turn two-factor on', async ({ app, second, ada }) => {
    const { secret } = (await app.api.post('/v1/auth/2fa/setup', ada.accessToken, undefined)).body.data;
    const code = wrongCode(clock, secret);
    const asked = await attemptHundredTimes(app, second, ada, (context) =>
      enableTwoFactor(context, newTools(app), code),
    );
    expect(timesAsked(asked, 'find_two_factor_secret')).toBe(10);
    expect(timesAsked(asked, 'update_failed_logins')).toBe(10);
  });

  it.for([
    ['turn two-factor off', disableTwoFactor],
    ['renew the recovery codes', replaceRecoveryCodes],
  ] as const)('codes and passwords that %s', async ([_what, change], { app, second }) => {
    const [ada, grace] = [await registerWithTwoFactor(app, clock), await registerWithTwoFactor(app, clock)];
    const byCode = { password: ada.password, code: wrongCode(clock, ada.secret) };
    const codes = await attemptHundredTimes(app, second, ada, (context) => change(context, newTools(app), byCode));
    expect(timesAsked(codes, 'update_time_step_spent')).toBe(10);
    expect(timesAsked(codes, 'update_failed_logins')).toBe(10);
    const byPassword = { password: 'wrong', code: codeAt(clock, grace.secret) };
    const passwords = await attemptHundredTimes(app, second, grace, (context) =>
      change(context, newTools(app), byPassword),
    );
    expect(timesAsked(passwords, 'update_time_step_spent')).toBe(0);
    expect(timesAsked(passwords, 'update_failed_logins')).toBe(10);
  });
});

describe('a wrong password for PATCH /v1/me', () => {
  it('is counted in the transaction that refuses it, under the row lock', async ({ app, second, ada }) => {
    const input = { password: NEW_PASSWORD, current_password: 'wrong' };
    const asked = await attemptHundredTimes(app, second, ada, (context) =>
      updateProfile(context, newTools(app), input),
    );
    expect(new Set(asked)).toEqual(
      new Set(['outside: find_user_for_login', 'lock_user_by_id', 'update_failed_logins']),
    );
  });
});

describe('a refusal under an Idempotency-Key', () => {
  it('is counted but not stored: the same key can be used for the right code, whose response is stored', async ({
    app,
  }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const disable = (code: string) =>
      app.api.post(
        '/v1/auth/2fa/disable',
        ada.accessToken,
        { password: ada.password, code },
        { 'idempotency-key': 'off' },
      );
    const right = codeAt(clock, ada.secret);
    expect((await disable(wrongCode(clock, ada.secret))).status).toBe(401);
    expect(await stateOf(app, ada)).toEqual({ failed_logins: 1, is_locked: false });
    const kept = `select 1 as one from idempotency_keys where user_id = $1 and key = 'off'`;
    expect(await execute(app.database, kept, [ada.userId])).toEqual([]);
    expect((await disable(right)).status).toBe(200);
    const replayed = await disable(right);
    expect(replayed.status).toBe(200);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  });
});
