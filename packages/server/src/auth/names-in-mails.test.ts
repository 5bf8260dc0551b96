import { describe, expect } from 'vitest';
import { createTest } from '../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import { codeAt, MovedClock } from '../../test/harness/two-factor.ts';

const clock = new MovedClock();
const it = createTest({ clock });

const BAIT = 'You won: https://bait.example';
const NEW_PASSWORD = 'a loom that weaves algebra';

const send = (
  app: TestApp,
  { accessToken: token }: Pick<Member, 'accessToken'>,
  method: string,
  path: string,
  body?: unknown,
) => app.api.call(method, path, { token, body });

const mailTexts = async (app: TestApp, { email }: Member) =>
  (await app.mailsTo(email)).map(({ kind, ...content }) => [kind, JSON.stringify(content)] as const);

describe('a name chosen by a stranger', () => {
  it('appears in no account mail, so registering an address cannot send text to its owner', async ({ app }) => {
    const member = await app.register(BAIT);
    const { email, password } = member;
    const logIn = (typed: string) => app.api.post('/v1/auth/login', undefined, { email, password: typed });
    const { secret } = (await send(app, member, 'POST', '/v1/auth/2fa/setup')).body.data;
    const code = () => {
      clock.nextStep(2);
      return codeAt(clock, secret);
    };
    const enabled = await send(app, member, 'POST', '/v1/auth/2fa/enable', { code: code() });
    const [recoveryCode] = enabled.body.data.recovery_codes;
    const { challenge_token } = (await logIn(password)).body.data;
    await app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token, code: recoveryCode });
    await send(app, member, 'POST', '/v1/auth/2fa/recovery-codes', { password, code: code() });
    await send(app, member, 'POST', '/v1/auth/2fa/disable', { password, code: code() });
    await send(app, member, 'PATCH', '/v1/me', { password: NEW_PASSWORD, current_password: password });
    const used = await app.api.post('/v1/auth/refresh', undefined, { refresh_token: member.refreshToken });
    await execute(
      app.database,
      `update refresh_tokens set used_at = used_at - interval '11 seconds' where user_id = $1 and used_at is not null`,
      [member.userId],
    );
    expect(used.status).toBe(200);
    await app.api.post('/v1/auth/refresh', undefined, { refresh_token: member.refreshToken });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await logIn('wrong');
    }
    await app.api.post('/v1/auth/password/forgot', undefined, { email });
    await app.runJobs();
    const reset = (await app.mailsTo(email)).findLast((each) => each.kind === 'reset-password');
    await app.api.post('/v1/auth/password/reset', undefined, { token: reset?.code, password: `${NEW_PASSWORD} too` });
    const texts = await mailTexts(app, member);
    expect(new Set(texts.map(([kind]) => kind))).toEqual(
      new Set([
        'verify-email',
        'two-factor-enabled',
        'recovery-code-used',
        'two-factor-recovery-codes-renewed',
        'two-factor-disabled',
        'password-changed',
        'refresh-token-reused',
        'account-locked',
        'reset-password',
        'password-reset',
      ]),
    );
    expect(texts.filter(([, text]) => text.includes('bait') || text.includes('You won'))).toEqual([]);
  });

  it('is replaced in an API token mail if it looks like an address', async ({ app }) => {
    const member = await app.register(BAIT);
    const token = { name: 'www.bait.example', scopes: ['read:profile'], expires_at: null };
    await send(app, member, 'POST', '/v1/api-tokens', token);
    await execute(
      app.database,
      `update api_tokens set created_at = created_at - interval '90 days' where user_id = $1`,
      [member.userId],
    );
    await app.runJobs();
    const told = (await mailTexts(app, member)).filter(([kind]) => kind === 'api-token-old');
    expect(told).toHaveLength(1);
    expect(told[0]?.[1]).toContain('(a name that looks like an address)');
    expect(told[0]?.[1]).not.toContain('bait');
  });
});
