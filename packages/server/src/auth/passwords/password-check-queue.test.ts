import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';
import { PasswordCheckQueue } from './password-check-queue.ts';

const clock = new MovedClock();
const it = createTest({ clock });

const NEW_PASSWORD = 'a loom that weaves algebra';

const changePassword = (app: TestApp, member: Member, currentPassword = member.password, headers = {}) =>
  app.api.call('PATCH', '/v1/me', {
    token: member.accessToken,
    body: { password: NEW_PASSWORD, current_password: currentPassword },
    headers,
  });
const changeTwoFactor = (app: TestApp, path: string, member: Member, headers = {}) =>
  app.api.post(`/v1/auth/2fa/${path}`, member.accessToken, { password: 'wrong', code: '000000' }, headers);

/** Any check of this hash fails loudly, so a response other than 500 shows that there was none. */
const breakHash = (app: TestApp, { userId }: Member) =>
  execute(app.database, `update users set password_hash = 'none' where id = $1`, [userId]);

describe('PasswordCheckQueue', () => {
  it('runs two checks of a user, queues five, refuses more, and does not affect other users', async () => {
    const turns = new PasswordCheckQueue();
    const started: number[] = [];
    const ends: Array<() => void> = [];
    const work = (n: number) => () => {
      started.push(n);
      return new Promise<number>((resolve) => ends.push(() => resolve(n)));
    };
    const taken = Array.from({ length: 7 }, (_, n) => turns.take('ada', work(n)));
    await expect(turns.take('ada', work(7))).rejects.toMatchObject({ code: 'service_unavailable' });
    await turns.take('grace', async () => started.push(100));
    expect(started).toEqual([0, 1, 100]);
    for (let n = 0; n < 7; n += 1) {
      ends[n]?.();
      expect(await taken[n]).toBe(n);
    }
    expect(started).toEqual([0, 1, 100, 2, 3, 4, 5, 6]);
    await turns.take('ada', async () => started.push(101));
    expect(started.at(-1)).toBe(101);
  });

  it('passes the turn on when the work fails', async () => {
    const turns = new PasswordCheckQueue();
    for (let n = 0; n < 10; n += 1) {
      await expect(turns.take('ada', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(await turns.take('ada', async () => 'done')).toBe('done');
  });
});

describe('one user with a hundred simultaneous checks of their own password', () => {
  it('gets most of them refused immediately with Retry-After, and does not block other logins', async () => {
    const over = new AbortController();
    const released = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
    // The pause before the sixth attempt simulates slow hashing.
    const app = await startAppForTest({ pause: (ms) => (ms > 50 ? released : Promise.resolve()) });
    const [eve, ada] = [await app.register(), await app.register()];
    for (let n = 0; n < 5; n += 1) {
      expect((await changePassword(app, eve, 'wrong')).status).toBe(401);
    }
    const answers = Array.from({ length: 100 }, () => changePassword(app, eve, 'wrong'));
    const refused = await firstOf(answers, 93);
    expect(refused.map(({ status }) => status)).toEqual(Array(93).fill(503));
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']));
    const { email, password } = ada;
    expect((await app.api.post('/v1/auth/login', undefined, { email, password })).status).toBe(200);
    over.abort();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(7);
  });
});

/** The first results, in the order in which they arrive. */
function firstOf<T>(promises: Array<Promise<T>>, count: number): Promise<T[]> {
  const results: T[] = [];
  return new Promise((resolve, reject) => {
    for (const promise of promises) {
      promise.then((result) => results.push(result) === count && resolve(results), reject);
    }
  });
}

describe('a password that does not have to be checked is not hashed', () => {
  const lock = (app: TestApp, { userId }: Member) =>
    execute(app.database, `update users set locked_until = clock_timestamp() + interval '1 minute' where id = $1`, [
      userId,
    ]);

  it('while the account is locked', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    await lock(app, ada);
    await breakHash(app, ada);
    const answers = [
      await changeTwoFactor(app, 'disable', ada),
      await changeTwoFactor(app, 'recovery-codes', ada),
      await changePassword(app, ada),
    ];
    expect(answers.map(({ body }) => body.error.code)).toEqual(Array(3).fill('invalid_credentials'));
  });

  it.for(['disable', 'recovery-codes'])(
    'if two-factor is off: %s is a conflict and is not counted',
    async (path, { app, ada }) => {
      await breakHash(app, ada);
      expect((await changeTwoFactor(app, path, ada)).body.error.code).toBe('conflict');
      const rows = await execute(app.database, 'select failed_logins from users where id = $1', [ada.userId]);
      expect(rows).toEqual([{ failed_logins: 0 }]);
    },
  );
});

describe('checks of one’s own password are limited like logins, per user', () => {
  it('429: the eleventh in a minute, in any organization; name changes are not counted', async () => {
    const app = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const [eve, ada] = [await app.register(), await app.register()];
    const { id } = (await app.api.post('/v1/orgs', eve.accessToken, { name: 'Another' })).body.data;
    const elsewhere = { 'x-organization-id': id };
    const answers = [];
    for (let n = 0; n < 4; n += 1) {
      answers.push(await changeTwoFactor(app, 'disable', eve, n % 2 === 0 ? elsewhere : {}));
      answers.push(await changeTwoFactor(app, 'recovery-codes', eve, n % 2 === 0 ? {} : elsewhere));
      answers.push(await changePassword(app, eve, 'wrong', n % 2 === 0 ? {} : elsewhere));
    }
    const codes = answers.map(({ body }) => body.error.code);
    expect(codes.slice(0, 10)).not.toContain('rate_limit_exceeded');
    expect(codes.slice(10)).toEqual(['rate_limit_exceeded', 'rate_limit_exceeded']);
    expect(answers.at(-1)?.headers.get('ratelimit-policy')).toContain('"login-account"');
    const rename = { token: eve.accessToken, body: { name: 'Eva' } };
    expect((await app.api.call('PATCH', '/v1/me', rename)).status).toBe(200);
    expect((await changePassword(app, ada, ada.password)).status).toBe(200);
  });

  it('429: the eleventh code of the second factor from one address', async () => {
    const app = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const statuses = [];
    for (let n = 0; n < 11; n += 1) {
      const body = { challenge_token: 'ch_none', code: '000000' };
      statuses.push((await app.api.post('/v1/auth/2fa/verify', undefined, body)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});
