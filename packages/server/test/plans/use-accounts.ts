import { ApiBrowser } from '../harness/api-browser.ts';
import type { Member, TestApp } from '../harness/index.ts';
import { codeAt, type MovedClock } from '../harness/two-factor.ts';
import type { RecordedApi } from './recorded-api.ts';

/** Logs in and out, and creates, uses, rotates and revokes API tokens. */
export async function useTokens(test: TestApp, api: RecordedApi, { email, password }: Member): Promise<void> {
  await api.post('/v1/auth/register', undefined, { email: 'new@example.com', password, name: 'New' });
  await api.during('a wrong password', () =>
    test.api.post('/v1/auth/login', undefined, { email, password: 'wrong password' }),
  );
  const login = await api.post('/v1/auth/login', undefined, { email, password });
  const { access_token: token } = await api.post('/v1/auth/refresh', undefined, { refresh_token: login.refresh_token });
  await api.get('/v1/auth/me', token);
  const created = await api.post('/v1/api-tokens', token, { name: 'a token', scopes: ['read:profile'] });
  await api.get(`/v1/api-tokens/${created.id}`, token);
  const rotated = await api.post(`/v1/api-tokens/${created.id}/rotate`, token, {});
  await api.get('/v1/me', rotated.token);
  await api.call('DELETE', `/v1/api-tokens/${rotated.id}`, { token });
  await api.post('/v1/auth/logout', token, {});
  // Long after the grace period for a reused token, so that all tokens of the login end.
  await api.during('a refresh token used twice', () =>
    test.api.post('/v1/auth/refresh', undefined, { refresh_token: login.refresh_token }),
  );
}

/** Changes a profile, verifies an address, ends a login of the same user and resets a password. */
export async function useAccount(test: TestApp, api: RecordedApi): Promise<void> {
  const { email, password: current_password, accessToken: token } = await test.register('Owner');
  const changed = { name: 'Another', password: 'a loom that weaves algebra', current_password };
  await api.call('PATCH', '/v1/me', { token, body: changed });
  await api.post('/v1/auth/email/verification', token);
  await api.post('/v1/auth/email/verify', undefined, { token: await codeOf('verify-email') });
  const other = await api.post('/v1/auth/login', undefined, { email, password: changed.password });
  const [{ id }] = (await api.get('/v1/auth/sessions', other.access_token)).body.data;
  await api.call('DELETE', `/v1/auth/sessions/${id}`, { token });
  await api.post('/v1/auth/password/forgot', undefined, { email });
  for (const job of test.service.jobs.filter((each) => each.name === 'auth.answer-reset-requests')) {
    while (await api.during(`the job ${job.name}`, () => job.run())) {
      // There is more to do immediately.
    }
  }
  const reset = { token: await codeOf('reset-password'), password: 'another loom of algebra' };
  await api.post('/v1/auth/password/reset', undefined, reset);

  async function codeOf(kind: string): Promise<string | undefined> {
    return (await test.mailsTo(email)).findLast((mail) => mail.kind === kind)?.code;
  }
}

/** Logs in with a cookie, uses it, sets a new password with it and logs out. */
export async function useCookie(test: TestApp, api: RecordedApi): Promise<void> {
  const { email, password } = await test.register('Browser');
  const browser = new ApiBrowser();
  await api.during('a cookie session', async () => {
    await browser.logIn(test.api, { email, password });
    await browser.get(test.api, '/v1/auth/sessions');
    await test.runJob('auth.renew-browser-sessions');
    const body = { password: 'a loom that weaves algebra', current_password: password };
    await browser.call(test.api, 'PATCH', '/v1/me', { body });
    await browser.post(test.api, '/v1/auth/logout', undefined);
  });
}

/** Exports a large account page by page, and deletes one. */
export async function useAccountEnd(test: TestApp, api: RecordedApi, { accessToken }: Member): Promise<void> {
  await api.get('/v1/me/export', accessToken);
  const { accessToken: token, password } = await test.register('Leaver');
  await api.call('DELETE', '/v1/me', { token, body: { password } });
}

/** Enables two-factor, logs in with a code and with a recovery code, renews the recovery codes and disables it. */
export async function useTwoFactor(test: TestApp, api: RecordedApi, clock: MovedClock): Promise<void> {
  const { email, password, accessToken: token } = await test.register('Careful');
  const { secret } = await api.post('/v1/auth/2fa/setup', token);
  const nextCode = () => {
    clock.nextStep(2);
    return codeAt(clock, secret);
  };
  const enabled = await api.post('/v1/auth/2fa/enable', token, { code: nextCode() });
  const verify = async (code: string) => {
    const { challenge_token } = await api.post('/v1/auth/login', undefined, { email, password });
    return api.post('/v1/auth/2fa/verify', undefined, { challenge_token, code });
  };
  await verify(nextCode());
  await verify(enabled.recovery_codes[0]);
  await api.during('a wrong code', async () => {
    const { body } = await test.api.post('/v1/auth/login', undefined, { email, password });
    const answer = { challenge_token: body.data.challenge_token, code: enabled.recovery_codes[0] };
    await test.api.post('/v1/auth/2fa/verify', undefined, answer);
  });
  await api.post('/v1/auth/2fa/recovery-codes', token, { password, code: nextCode() });
  await api.post('/v1/auth/2fa/disable', token, { password, code: nextCode() });
}
