import { describe, expect, it } from 'vitest';
import { execute, type Member, openTwoProcesses } from '../../../test/harness/index.ts';

const { test, second } = await openTwoProcesses();

const send = (token: string | undefined, app = test) => app.api.post('/v1/auth/email/verification', token, undefined);

const verify = (token: unknown, app = test) => app.api.post('/v1/auth/email/verify', undefined, { token });

/** The codes that were mailed, those of the registration included. */
const codesOf = async ({ email }: Member): Promise<string[]> =>
  (await test.mailsTo(email)).filter((mail) => mail.kind === 'verify-email').map((mail) => mail.code ?? '');

const askForToken = async (member: Member): Promise<string> => {
  await send(member.accessToken);
  return (await codesOf(member)).at(-1) ?? '';
};

const ageTokens = (userId: string, interval: string) =>
  execute(
    test.database,
    `update one_time_tokens set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
      where user_id = $1`,
    [userId, interval],
  );

describe('POST /v1/auth/email/verification', () => {
  it('200: mails another token, as a code and in no link', async () => {
    const ada = await test.register();
    const before = (await codesOf(ada)).length;
    const answer = await send(ada.accessToken);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ status: 'sent' });
    const codes = await codesOf(ada);
    expect(codes).toHaveLength(before + 1);
    expect(codes.at(-1)).toMatch(/^svc_evt_[0-9A-Za-z]{42}$/);
    const mail = (await test.mailsTo(ada.email)).at(-1);
    expect(JSON.stringify([mail?.subject, mail?.paragraphs, mail?.closing])).not.toContain('svc_evt_');
    expect(mail?.link?.url).toBe(`https://api.test/oauth/verify-email?token=${mail?.code}`);
  });

  it('409: when five were sent within the hour, also to many at once on two processes', async () => {
    const ada = await test.register();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => send(ada.accessToken, n % 2 === 0 ? test : second)),
    );
    expect(await codesOf(ada)).toHaveLength(5);
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refused.map((answer) => answer.body.error.code))).toEqual(new Set(['conflict']));
    await ageTokens(ada.userId, '61 minutes');
    expect((await send(ada.accessToken)).status).toBe(200);
  });

  it('409: when the address is verified already', async () => {
    const ada = await test.register();
    await verify(await askForToken(ada));
    const answer = await send(ada.accessToken);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('conflict');
  });

  it('401: without a token; 403: with an API token; 404: in a foreign organization', async () => {
    const [ada, eve] = [await test.register(), await test.register()];
    expect((await send(undefined)).status).toBe(401);
    const input = { name: 'ci', scopes: ['write:profile'] };
    const { token } = (await test.api.post('/v1/api-tokens', ada.accessToken, input)).body.data;
    expect((await send(token)).status).toBe(403);
    const foreign = { 'x-organization-id': ada.organizationId };
    const answer = await test.api.post('/v1/auth/email/verification', eve.accessToken, undefined, foreign);
    expect(answer.status).toBe(404);
  });
});

describe('POST /v1/auth/email/verify', () => {
  it('200: marks the address as verified and tells the audit log', async () => {
    const ada = await test.register();
    const answer = await verify(await askForToken(ada));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ status: 'verified' });
    const verified = 'select email_verified_at is not null as verified from users where id = $1';
    expect(await execute(test.database, verified, [ada.userId])).toEqual([{ verified: true }]);
    const audit = await execute(
      test.database,
      `select actor_user_id, target_id, after from audit_entries where organization_id = $1 and action = 'email.verified'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, target_id: ada.userId, after: { email: ada.email } }]);
  });

  it('401: a token that was spent, is unknown, of another kind, or no token at all', async () => {
    const ada = await test.register();
    const token = await askForToken(ada);
    await verify(token);
    for (const each of [token, ada.accessToken, `svc_evt_${'0'.repeat(42)}`, 'nonsense', 'é\u2028']) {
      const answer = await verify(each);
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('invalid_token');
    }
  });

  it('401: expired after seven days, with the time of it', async () => {
    const ada = await test.register();
    const token = await askForToken(ada);
    await ageTokens(ada.userId, '6 days 23 hours');
    await ageTokens(ada.userId, '1 hour');
    const answer = await verify(token);
    expect(answer.body.error.code).toBe('token_expired');
    expect(Date.parse(answer.body.error.details.expired_at)).toBeLessThanOrEqual(Date.now());
  });

  it('400: without a token, or with more', async () => {
    expect((await verify(undefined)).body.error.details).toEqual({ field: 'token', reason: 'required' });
    expect((await verify('')).body.error.details).toEqual({ field: 'token', reason: 'length' });
    const more = await test.api.post('/v1/auth/email/verify', undefined, { token: 'x', email: 'ada@example.com' });
    expect(more.body.error.details).toEqual({ field: 'email', reason: 'unknown' });
  });

  it('succeeds once for fifty at once, on two processes', async () => {
    const ada = await test.register();
    const token = await askForToken(ada);
    const warm = [test, second].flatMap((app) =>
      Array.from({ length: 10 }, () => app.api.get('/v1/me', ada.accessToken)),
    );
    await Promise.all(warm);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => verify(token, n % 2 === 0 ? test : second)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'invalid_token')).toHaveLength(49);
  });
});
