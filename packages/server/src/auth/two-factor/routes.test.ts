import { beforeEach, describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ clock });
beforeEach(() => clock.nextStep(3));

const post = (
  app: TestApp,
  path: string,
  token: string | undefined,
  body?: unknown,
  headers?: Record<string, string>,
) => app.api.post(`/v1/auth/2fa/${path}`, token, body, headers);
const setUp = async (app: TestApp, member: Member): Promise<string> =>
  (await post(app, 'setup', member.accessToken)).body.data.secret;
const logIn = (app: TestApp, { email, password }: Member) =>
  app.api.post('/v1/auth/login', undefined, { email, password });
const completeLogin = async (app: TestApp, member: Member, code: string) =>
  post(app, 'verify', undefined, { challenge_token: (await logIn(app, member)).body.data.challenge_token, code });
const failuresOf = async (app: TestApp, { userId }: Member) =>
  (await execute<{ failed_logins: number }>(app.database, 'select failed_logins from users where id = $1', [userId]))[0]
    ?.failed_logins;
const auditOf = (app: TestApp, { userId }: Member) =>
  execute<{ action: string; credential_kind: string }>(
    app.database,
    `select action, credential_kind from audit_entries where target_id = $1 and action like 'two_factor.%' order by id`,
    [userId],
  );
const mailsOf = async (app: TestApp, { email }: Member) =>
  (await app.mailsTo(email)).map((mail) => mail.kind).filter((kind) => kind.startsWith('two-factor'));

describe('setting two-factor up', () => {
  it('200: returns a secret and its URL, and changes nothing yet', async ({ app, ada }) => {
    const answer = await post(app, 'setup', ada.accessToken);
    expect(answer.status).toBe(200);
    const { secret, otpauth_url: url } = answer.body.data;
    expect(decodeURIComponent(url)).toBe(`otpauth://totp/Seathold:${ada.email}?secret=${secret}&issuer=Seathold`);
    expect((await logIn(app, ada)).body.data.access_token).toBeDefined();
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.two_factor_enabled).toBe(false);
  });

  it('again before it is enabled replaces the secret', async ({ app, ada }) => {
    const [first, then] = [await setUp(app, ada), await setUp(app, ada)];
    expect(first).not.toBe(then);
    expect((await post(app, 'enable', ada.accessToken, { code: codeAt(clock, first) })).status).toBe(401);
    expect((await post(app, 'enable', ada.accessToken, { code: codeAt(clock, then) })).status).toBe(200);
  });

  it('stores the secret encrypted for this user only', async ({ app, ada }) => {
    const secret = await setUp(app, ada);
    const [row] = await execute<{ secret: Buffer }>(
      app.database,
      'select secret from two_factor_secrets where user_id = $1',
      [ada.userId],
    );
    const sealed = row?.secret ?? Buffer.alloc(0);
    expect(sealed.includes(secret)).toBe(false);
    expect(app.masterKey.decrypt('totp', ada.userId, sealed)).toBe(secret);
  });

  it('409: if it is already on', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    expect((await post(app, 'setup', ada.accessToken)).body.error.code).toBe('conflict');
  });
});

describe('turning two-factor on', () => {
  it('200: returns ten recovery codes, mails the user, and uses up the code', async ({ app, ada }) => {
    const secret = await setUp(app, ada);
    const code = codeAt(clock, secret);
    const answer = await post(app, 'enable', ada.accessToken, { code });
    expect(answer.status).toBe(200);
    expect(new Set(answer.body.data.recovery_codes).size).toBe(10);
    expect(await mailsOf(app, ada)).toEqual(['two-factor-enabled']);
    expect(await auditOf(app, ada)).toEqual([{ action: 'two_factor.enabled', credential_kind: 'session' }]);
    expect((await completeLogin(app, ada, code)).body.error.code).toBe('invalid_credentials');
    const kept = await execute<{ code_hash: Buffer }>(
      app.database,
      'select code_hash from recovery_codes where user_id = $1',
      [ada.userId],
    );
    expect(kept).toHaveLength(10);
    expect(kept.every((row) => row.code_hash.length === 32)).toBe(true);
  });

  it('401: a wrong code, which counts on the account even with an Idempotency-Key', async ({ app, ada }) => {
    const code = wrongCode(clock, await setUp(app, ada));
    expect((await post(app, 'enable', ada.accessToken, { code })).body.error.code).toBe('invalid_credentials');
    await post(app, 'enable', ada.accessToken, { code }, { 'idempotency-key': 'guess' });
    expect(await failuresOf(app, ada)).toBe(2);
    expect((await logIn(app, ada)).body.data.access_token).toBeDefined();
  });

  it('401: the right code while the account is locked', async ({ app, ada }) => {
    const secret = await setUp(app, ada);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await post(app, 'enable', ada.accessToken, { code: wrongCode(clock, secret) });
    }
    expect((await post(app, 'enable', ada.accessToken, { code: codeAt(clock, secret) })).status).toBe(401);
  });

  it('409: before the setup, and if it is already on', async ({ app, ada }) => {
    expect((await post(app, 'enable', ada.accessToken, { code: '123456' })).body.error.code).toBe('conflict');
    const grace = await registerWithTwoFactor(app, clock);
    const answer = await post(app, 'enable', grace.accessToken, { code: codeAt(clock, grace.secret) });
    expect(answer.body.error.code).toBe('conflict');
  });

  it('happens once for two simultaneous requests, and returns a lost response again for its key', async ({
    app,
    ada,
  }) => {
    const secret = await setUp(app, ada);
    const enable = (key: string) =>
      post(app, 'enable', ada.accessToken, { code: codeAt(clock, secret) }, { 'idempotency-key': key });
    const answers = await Promise.all([enable('one'), enable('two')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const [key, won] = answers[0]?.status === 200 ? ['one', answers[0]] : ['two', answers[1]];
    const replayed = await enable(key);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body.data).toEqual(won?.body.data);
  });
});

describe('turning two-factor off', () => {
  it('200: by password and code; the codes and the open challenges become invalid', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const { challenge_token } = (await logIn(app, ada)).body.data;
    const answer = await post(app, 'disable', ada.accessToken, {
      password: ada.password,
      code: codeAt(clock, ada.secret),
    });
    expect(answer.body.data).toEqual({ status: 'disabled' });
    expect(await mailsOf(app, ada)).toEqual(['two-factor-enabled', 'two-factor-disabled']);
    expect((await auditOf(app, ada)).map((row) => row.action)).toEqual(['two_factor.enabled', 'two_factor.disabled']);
    const late = await post(app, 'verify', undefined, { challenge_token, code: ada.recoveryCodes[0] });
    expect(late.body.error.code).toBe('invalid_token');
    expect((await logIn(app, ada)).body.data.access_token).toBeDefined();
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.two_factor_enabled).toBe(false);
  });

  it('200: by a recovery code; two-factor can be set up again', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const input = { password: ada.password, code: ada.recoveryCodes[3] };
    expect((await post(app, 'disable', ada.accessToken, input)).status).toBe(200);
    const secret = await setUp(app, ada);
    expect((await post(app, 'enable', ada.accessToken, { code: codeAt(clock, secret) })).status).toBe(200);
    expect((await post(app, 'disable', ada.accessToken, input)).status).toBe(401);
  });

  it('401: a wrong password, a wrong code and a used one count, and use nothing up', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const code = codeAt(clock, ada.secret);
    const disable = (body: unknown) => post(app, 'disable', ada.accessToken, body, { 'idempotency-key': 'off' });
    const answers = [
      await disable({ password: 'wrong', code }),
      await disable({ password: ada.password, code: wrongCode(clock, ada.secret) }),
      await disable({ password: ada.password, code: 'ZZZZZ-ZZZZZ' }),
    ];
    expect(answers.map((answer) => answer.body.error.code)).toEqual(Array(3).fill('invalid_credentials'));
    expect(await failuresOf(app, ada)).toBe(3);
    expect((await disable({ password: ada.password, code })).status).toBe(200);
  });

  it('401: any attempt while the account is locked', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await post(app, 'disable', ada.accessToken, { password: 'wrong', code: '123456' });
    }
    const answer = await post(app, 'disable', ada.accessToken, { password: ada.password, code: ada.recoveryCodes[0] });
    expect(answer.body.error.code).toBe('invalid_credentials');
  });

  it('409: if it is off', async ({ app, ada }) => {
    const answer = await post(app, 'disable', ada.accessToken, { password: ada.password, code: '123456' });
    expect(answer.body.error.code).toBe('conflict');
  });
});

describe('renewing the recovery codes', () => {
  it('200: returns ten others; the old ones become invalid', async ({ app }) => {
    const ada = await registerWithTwoFactor(app, clock);
    const input = { password: ada.password, code: codeAt(clock, ada.secret) };
    const answer = await post(app, 'recovery-codes', ada.accessToken, input);
    const codes: string[] = answer.body.data.recovery_codes;
    expect(codes).toHaveLength(10);
    expect(codes.some((code) => ada.recoveryCodes.includes(code))).toBe(false);
    expect((await completeLogin(app, ada, ada.recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await completeLogin(app, ada, codes[0] ?? '')).status).toBe(200);
    expect(await mailsOf(app, ada)).toEqual(['two-factor-enabled', 'two-factor-recovery-codes-renewed']);
    expect((await auditOf(app, ada)).at(-1)?.action).toBe('two_factor.recovery_codes_renewed');
  });

  it('401: a wrong password or code; 409: if two-factor is off', async ({ app }) => {
    const [ada, grace] = [await registerWithTwoFactor(app, clock), await app.register()];
    const renew = (member: Member, body: unknown) => post(app, 'recovery-codes', member.accessToken, body);
    expect((await renew(ada, { password: 'wrong', code: codeAt(clock, ada.secret) })).status).toBe(401);
    expect((await renew(ada, { password: ada.password, code: wrongCode(clock, ada.secret) })).status).toBe(401);
    expect(await failuresOf(app, ada)).toBe(2);
    expect((await renew(grace, { password: grace.password, code: '123456' })).status).toBe(409);
  });
});

describe('a change of two-factor', () => {
  const routes: Array<[string, unknown]> = [
    ['setup', undefined],
    ['enable', { code: '123456' }],
    ['disable', { password: 'x', code: '123456' }],
    ['recovery-codes', { password: 'x', code: '123456' }],
  ];

  it.for(routes)(
    '401 without a token, 403 with an API token, 404 in someone else’s organization: %s',
    async ([path, body], { app }) => {
      const [ada, grace] = [await app.register(), await app.register()];
      const token = await createApiToken(app, ada, ['write:profile']);
      expect((await post(app, path, undefined, body)).body.error.code).toBe('invalid_token');
      expect((await post(app, path, token, body)).body.error.code).toBe('forbidden');
      const elsewhere = await post(app, path, ada.accessToken, body, { 'x-organization-id': grace.organizationId });
      expect(elsewhere.status).toBe(404);
    },
  );

  it.for(routes.slice(1))('400 without its fields: %s', async ([path], { app }) => {
    const { accessToken } = await app.register();
    expect((await post(app, path, accessToken, {})).body.error.details.reason).toBe('required');
  });
});
