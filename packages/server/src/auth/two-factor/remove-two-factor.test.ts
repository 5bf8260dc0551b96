import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type TestApp } from '../../../test/harness/index.ts';
import { MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';
import { Mailer } from '../../mail/index.ts';
import { removeTwoFactor } from '../index.ts';

const clock = new MovedClock();
const it = createTest({ clock });

const removeFactorOf = (app: TestApp, email: string) =>
  removeTwoFactor(app.database, { mailer: new Mailer(app.masterKey), baseUrl: 'https://api.test' }, email);

describe('an operator who removes a second factor', () => {
  it('lets its user log in with the password alone, notifies them by mail, and is in the audit log', async ({
    app,
  }) => {
    const member = await registerWithTwoFactor(app, clock);
    const { email, password } = member;
    const logIn = async () => (await app.api.post('/v1/auth/login', undefined, { email, password })).body.data;
    const { challenge_token: challengeToken } = await logIn();

    expect(await removeFactorOf(app, email.toUpperCase())).toBe(true);

    expect(await logIn()).toHaveProperty('access_token');
    const [code] = member.recoveryCodes;
    const late = await app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token: challengeToken, code });
    expect(late.body.error.code).toBe('invalid_token');
    expect((await app.mailsTo(email)).map((mail) => mail.kind)).toContain('two-factor-disabled');
    const told = await execute(
      app.database,
      `select 1 from audit_entries where target_id = $1 and action = 'two_factor.disabled' and credential_kind = 'operator'`,
      [member.userId],
    );
    expect(told).toHaveLength(1);
    expect(await removeFactorOf(app, email)).toBe(false);
  });

  it('finds no user for an unknown address', async ({ app }) => {
    await expect(removeFactorOf(app, 'nobody@example.com')).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeFactorOf(app, 'no address')).rejects.toMatchObject({ code: 'not_found' });
  });
});
