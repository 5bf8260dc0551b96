import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { MovedClock, registerWithTwoFactor } from '../../../test/harness/two-factor.ts';
import { Mailer } from '../../mail/index.ts';
import { removeTwoFactor } from '../index.ts';

const clock = new MovedClock();
let test: TestApp;
beforeAll(async () => {
  test = await openTestApp({ clock });
});
afterAll(() => test.close());

const takeAway = (email: string) =>
  removeTwoFactor(test.database, { mailer: new Mailer(test.masterKey), authUrl: 'https://api.test/oauth' }, email);

describe('the operator who takes a second factor away', () => {
  it('lets its user in with the password alone, tells them by mail, and is in the audit log', async () => {
    const member = await registerWithTwoFactor(test, clock);
    const { email, password } = member;
    const logIn = async () => (await test.api.post('/v1/auth/login', undefined, { email, password })).body.data;
    const { challenge_token: challengeToken } = await logIn();

    expect(await takeAway(email.toUpperCase())).toBe(true);

    expect(await logIn()).toHaveProperty('access_token');
    const [code] = member.recoveryCodes;
    const late = await test.api.post('/v1/auth/2fa/verify', undefined, { challenge_token: challengeToken, code });
    expect(late.body.error.code).toBe('invalid_token');
    expect((await test.mailsTo(email)).map((mail) => mail.kind)).toContain('two-factor-disabled');
    const told = await execute(
      test.database,
      `select 1 from audit_entries where target_id = $1 and action = 'two_factor.disabled' and credential_kind = 'operator'`,
      [member.userId],
    );
    expect(told).toHaveLength(1);
    expect(await takeAway(email)).toBe(false);
  });

  it('finds nobody under an address that nobody has', async () => {
    await expect(takeAway('nobody@example.com')).rejects.toMatchObject({ code: 'not_found' });
    await expect(takeAway('no address')).rejects.toMatchObject({ code: 'not_found' });
  });
});
