import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();
let test: TestApp;
beforeAll(async () => {
  test = await openTestApp({ clock });
});
afterAll(() => test.close());
beforeEach(() => clock.nextStep(3));

const post = (path: string, token: string | undefined, body?: unknown, headers?: Record<string, string>) =>
  test.api.post(`/v1/auth/2fa/${path}`, token, body, headers);
const setUp = async (member: Member): Promise<string> => (await post('setup', member.accessToken)).body.data.secret;
const logIn = ({ email, password }: Member) => test.api.post('/v1/auth/login', undefined, { email, password });
const completeLogin = async (member: Member, code: string) =>
  post('verify', undefined, { challenge_token: (await logIn(member)).body.data.challenge_token, code });
const failuresOf = async ({ userId }: Member) =>
  (
    await execute<{ failed_logins: number }>(test.database, 'select failed_logins from users where id = $1', [userId])
  )[0]?.failed_logins;
const auditOf = ({ userId }: Member) =>
  execute<{ action: string; credential_kind: string }>(
    test.database,
    `select action, credential_kind from audit_entries where target_id = $1 and action like 'two_factor.%' order by id`,
    [userId],
  );
const mailsOf = async ({ email }: Member) =>
  (await test.mailsTo(email)).map((mail) => mail.kind).filter((kind) => kind.startsWith('two-factor'));

describe('setting two-factor up', () => {
  it('200: answers a secret and its address, and changes nothing yet', async () => {
    const ada = await test.register();
    const answer = await post('setup', ada.accessToken);
    expect(answer.status).toBe(200);
    const { secret, otpauth_url: url } = answer.body.data;
    expect(decodeURIComponent(url)).toBe(`otpauth://totp/Seathold:${ada.email}?secret=${secret}&issuer=Seathold`);
    expect((await logIn(ada)).body.data.access_token).toBeDefined();
    expect((await test.api.get('/v1/me', ada.accessToken)).body.data.two_factor_enabled).toBe(false);
  });

  it('again before it is enabled, replaces the secret', async () => {
    const ada = await test.register();
    const [first, then] = [await setUp(ada), await setUp(ada)];
    expect(first).not.toBe(then);
    expect((await post('enable', ada.accessToken, { code: codeAt(clock, first) })).status).toBe(401);
    expect((await post('enable', ada.accessToken, { code: codeAt(clock, then) })).status).toBe(200);
  });

  it('keeps the secret encrypted, and for this user alone', async () => {
    const ada = await test.register();
    const secret = await setUp(ada);
    const [row] = await execute<{ secret: Buffer }>(
      test.database,
      'select secret from two_factor_secrets where user_id = $1',
      [ada.userId],
    );
    const sealed = row?.secret ?? Buffer.alloc(0);
    expect(sealed.includes(secret)).toBe(false);
    expect(test.masterKey.decrypt('totp', ada.userId, sealed)).toBe(secret);
  });

  it('409: when it is on already', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    expect((await post('setup', ada.accessToken)).body.error.code).toBe('conflict');
  });
});

describe('turning two-factor on', () => {
  it('200: answers ten recovery codes, mails the user, and spends the code', async () => {
    const ada = await test.register();
    const secret = await setUp(ada);
    const code = codeAt(clock, secret);
    const answer = await post('enable', ada.accessToken, { code });
    expect(answer.status).toBe(200);
    expect(new Set(answer.body.data.recovery_codes).size).toBe(10);
    expect(await mailsOf(ada)).toEqual(['two-factor-enabled']);
    expect(await auditOf(ada)).toEqual([{ action: 'two_factor.enabled', credential_kind: 'session' }]);
    expect((await completeLogin(ada, code)).body.error.code).toBe('invalid_credentials');
    const kept = await execute<{ code_hash: Buffer }>(
      test.database,
      'select code_hash from recovery_codes where user_id = $1',
      [ada.userId],
    );
    expect(kept).toHaveLength(10);
    expect(kept.every((row) => row.code_hash.length === 32)).toBe(true);
  });

  it('401: a wrong code, which counts on the account, also under an Idempotency-Key', async () => {
    const ada = await test.register();
    const code = wrongCode(clock, await setUp(ada));
    expect((await post('enable', ada.accessToken, { code })).body.error.code).toBe('invalid_credentials');
    await post('enable', ada.accessToken, { code }, { 'idempotency-key': 'guess' });
    expect(await failuresOf(ada)).toBe(2);
    expect((await logIn(ada)).body.data.access_token).toBeDefined();
  });

  it('401: the right code while the account is locked', async () => {
    const ada = await test.register();
    const secret = await setUp(ada);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await post('enable', ada.accessToken, { code: wrongCode(clock, secret) });
    }
    expect((await post('enable', ada.accessToken, { code: codeAt(clock, secret) })).status).toBe(401);
  });

  it('409: when nothing was set up, and when it is on', async () => {
    const ada = await test.register();
    expect((await post('enable', ada.accessToken, { code: '123456' })).body.error.code).toBe('conflict');
    const grace = await registerWithTwoFactor(test, clock);
    const answer = await post('enable', grace.accessToken, { code: codeAt(clock, grace.secret) });
    expect(answer.body.error.code).toBe('conflict');
  });

  it('happens once when asked twice at once, and a lost answer is given again under its key', async () => {
    const ada = await test.register();
    const secret = await setUp(ada);
    const enable = (key: string) =>
      post('enable', ada.accessToken, { code: codeAt(clock, secret) }, { 'idempotency-key': key });
    const answers = await Promise.all([enable('one'), enable('two')]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const [key, won] = answers[0]?.status === 200 ? ['one', answers[0]] : ['two', answers[1]];
    const replayed = await enable(key);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body.data).toEqual(won?.body.data);
  });
});

describe('turning two-factor off', () => {
  it('200: by password and code; the codes and the open challenges are void', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const { challenge_token } = (await logIn(ada)).body.data;
    const answer = await post('disable', ada.accessToken, { password: ada.password, code: codeAt(clock, ada.secret) });
    expect(answer.body.data).toEqual({ status: 'disabled' });
    expect(await mailsOf(ada)).toEqual(['two-factor-enabled', 'two-factor-disabled']);
    expect((await auditOf(ada)).map((row) => row.action)).toEqual(['two_factor.enabled', 'two_factor.disabled']);
    const late = await post('verify', undefined, { challenge_token, code: ada.recoveryCodes[0] });
    expect(late.body.error.code).toBe('invalid_token');
    expect((await logIn(ada)).body.data.access_token).toBeDefined();
    expect((await test.api.get('/v1/me', ada.accessToken)).body.data.two_factor_enabled).toBe(false);
  });

  it('200: by a recovery code, and can be set up anew', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const input = { password: ada.password, code: ada.recoveryCodes[3] };
    expect((await post('disable', ada.accessToken, input)).status).toBe(200);
    const secret = await setUp(ada);
    expect((await post('enable', ada.accessToken, { code: codeAt(clock, secret) })).status).toBe(200);
    expect((await post('disable', ada.accessToken, input)).status).toBe(401);
  });

  it('401: a wrong password, a wrong code and a used one count, and spend nothing', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const code = codeAt(clock, ada.secret);
    const disable = (body: unknown) => post('disable', ada.accessToken, body, { 'idempotency-key': 'off' });
    const answers = [
      await disable({ password: 'wrong', code }),
      await disable({ password: ada.password, code: wrongCode(clock, ada.secret) }),
      await disable({ password: ada.password, code: 'ZZZZZ-ZZZZZ' }),
    ];
    expect(answers.map((answer) => answer.body.error.code)).toEqual(Array(3).fill('invalid_credentials'));
    expect(await failuresOf(ada)).toBe(3);
    expect((await disable({ password: ada.password, code })).status).toBe(200);
  });

  it('401: everything while the account is locked', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await post('disable', ada.accessToken, { password: 'wrong', code: '123456' });
    }
    const answer = await post('disable', ada.accessToken, { password: ada.password, code: ada.recoveryCodes[0] });
    expect(answer.body.error.code).toBe('invalid_credentials');
  });

  it('409: when it is off', async () => {
    const ada = await test.register();
    const answer = await post('disable', ada.accessToken, { password: ada.password, code: '123456' });
    expect(answer.body.error.code).toBe('conflict');
  });
});

describe('renewing the recovery codes', () => {
  it('200: answers ten others, and the old ones are void', async () => {
    const ada = await registerWithTwoFactor(test, clock);
    const input = { password: ada.password, code: codeAt(clock, ada.secret) };
    const answer = await post('recovery-codes', ada.accessToken, input);
    const codes: string[] = answer.body.data.recovery_codes;
    expect(codes).toHaveLength(10);
    expect(codes.some((code) => ada.recoveryCodes.includes(code))).toBe(false);
    expect((await completeLogin(ada, ada.recoveryCodes[0] ?? '')).status).toBe(401);
    expect((await completeLogin(ada, codes[0] ?? '')).status).toBe(200);
    expect(await mailsOf(ada)).toEqual(['two-factor-enabled', 'two-factor-recovery-codes-renewed']);
    expect((await auditOf(ada)).at(-1)?.action).toBe('two_factor.recovery_codes_renewed');
  });

  it('401: a wrong password or code; 409: when two-factor is off', async () => {
    const [ada, grace] = [await registerWithTwoFactor(test, clock), await test.register()];
    const renew = (member: Member, body: unknown) => post('recovery-codes', member.accessToken, body);
    expect((await renew(ada, { password: 'wrong', code: codeAt(clock, ada.secret) })).status).toBe(401);
    expect((await renew(ada, { password: ada.password, code: wrongCode(clock, ada.secret) })).status).toBe(401);
    expect(await failuresOf(ada)).toBe(2);
    expect((await renew(grace, { password: grace.password, code: '123456' })).status).toBe(409);
  });
});

describe('who may change two-factor', () => {
  const routes: Array<[string, unknown]> = [
    ['setup', undefined],
    ['enable', { code: '123456' }],
    ['disable', { password: 'x', code: '123456' }],
    ['recovery-codes', { password: 'x', code: '123456' }],
  ];

  it.each(routes)(
    '401 without a token, 403 with an API token, 404 in an organization of others: %s',
    async (path, body) => {
      const [ada, grace] = [await test.register(), await test.register()];
      const input = { name: 'ci', scopes: ['write:profile'], expires_at: null };
      const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
      expect((await post(path, undefined, body)).body.error.code).toBe('invalid_token');
      expect((await post(path, token, body)).body.error.code).toBe('forbidden');
      const elsewhere = await post(path, ada.accessToken, body, { 'x-organization-id': grace.organizationId });
      expect(elsewhere.status).toBe(404);
    },
  );

  it.each(routes.slice(1))('400 without its fields: %s', async (path) => {
    const { accessToken } = await test.register();
    expect((await post(path, accessToken, {})).body.error.details.reason).toBe('required');
  });
});
