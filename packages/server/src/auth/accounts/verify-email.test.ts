import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { execute, type Member } from '../../../test/harness/index.ts';

const send = (app: TestApp, token: string | undefined) => app.api.post('/v1/auth/email/verification', token, undefined);

const verify = (app: TestApp, token: unknown) => app.api.post('/v1/auth/email/verify', undefined, { token });

/** The mailed codes, including those from the registration. */
const codesOf = async (app: TestApp, { email }: Member): Promise<string[]> =>
  (await app.mailsTo(email)).filter((mail) => mail.kind === 'verify-email').map((mail) => mail.code ?? '');

const askForToken = async (app: TestApp, member: Member): Promise<string> => {
  await send(app, member.accessToken);
  return (await codesOf(app, member)).at(-1) ?? '';
};

const ageTokens = (app: TestApp, userId: string, interval: string) =>
  execute(
    app.database,
    `update one_time_tokens set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
      where user_id = $1`,
    [userId, interval],
  );

describe('POST /v1/auth/email/verification', () => {
  it('200: mails another token, as a code and in no link', async ({ app, ada }) => {
    const before = (await codesOf(app, ada)).length;
    const answer = await send(app, ada.accessToken);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ status: 'sent' });
    const codes = await codesOf(app, ada);
    expect(codes).toHaveLength(before + 1);
    expect(codes.at(-1)).toMatch(/^svc_evt_[0-9A-Za-z]{42}$/);
    const mail = (await app.mailsTo(ada.email)).at(-1);
    expect(JSON.stringify([mail?.subject, mail?.paragraphs, mail?.closing])).not.toContain('svc_evt_');
    expect(mail?.link?.url).toBe(`https://api.test/verify-email#code=${mail?.code}`);
  });

  it('409: after five within the hour, also for simultaneous requests on two processes', async ({
    app,
    second,
    ada,
  }) => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => send(n % 2 === 0 ? app : second, ada.accessToken)),
    );
    expect(await codesOf(app, ada)).toHaveLength(5);
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refused.map((answer) => answer.body.error.code))).toEqual(new Set(['conflict']));
    await ageTokens(app, ada.userId, '61 minutes');
    expect((await send(app, ada.accessToken)).status).toBe(200);
  });

  it('409: when the address is verified already', async ({ app, ada }) => {
    await verify(app, await askForToken(app, ada));
    const answer = await send(app, ada.accessToken);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe('conflict');
  });

  it('401: without a token; 403: with an API token; 404: in someone else’s organization', async ({ app }) => {
    const [ada, eve] = [await app.register(), await app.register()];
    expect((await send(app, undefined)).status).toBe(401);
    const token = await createApiToken(app, ada, ['write:profile']);
    expect((await send(app, token)).status).toBe(403);
    const foreign = { 'x-organization-id': ada.organizationId };
    const answer = await app.api.post('/v1/auth/email/verification', eve.accessToken, undefined, foreign);
    expect(answer.status).toBe(404);
  });
});

describe('POST /v1/auth/email/verify', () => {
  it('200: marks the address as verified, which the audit log records', async ({ app, ada }) => {
    const answer = await verify(app, await askForToken(app, ada));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ status: 'verified' });
    const verified = 'select email_verified_at is not null as verified from users where id = $1';
    expect(await execute(app.database, verified, [ada.userId])).toEqual([{ verified: true }]);
    const audit = await execute(
      app.database,
      `select actor_user_id, target_id, after from audit_entries where organization_id = $1 and action = 'email.verified'`,
      [ada.organizationId],
    );
    expect(audit).toEqual([{ actor_user_id: ada.userId, target_id: ada.userId, after: { email: ada.email } }]);
  });

  it('401: a token that is used, unknown, of another kind, or malformed', async ({ app, ada }) => {
    const token = await askForToken(app, ada);
    await verify(app, token);
    for (const each of [token, ada.accessToken, `svc_evt_${'0'.repeat(42)}`, 'nonsense', 'é\u2028']) {
      const answer = await verify(app, each);
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('invalid_token');
    }
  });

  it('401: a token that expired after seven days, with the time of expiry', async ({ app, ada }) => {
    const token = await askForToken(app, ada);
    await ageTokens(app, ada.userId, '6 days 23 hours');
    await ageTokens(app, ada.userId, '1 hour');
    const answer = await verify(app, token);
    expect(answer.body.error.code).toBe('token_expired');
    expect(Date.parse(answer.body.error.details.expired_at)).toBeLessThanOrEqual(Date.now());
  });

  it('400: without a token, or with other fields', async ({ app }) => {
    expect((await verify(app, undefined)).body.error.details).toEqual({ field: 'token', reason: 'required' });
    expect((await verify(app, '')).body.error.details).toEqual({ field: 'token', reason: 'length' });
    const more = await app.api.post('/v1/auth/email/verify', undefined, { token: 'x', email: 'ada@example.com' });
    expect(more.body.error.details).toEqual({ field: 'email', reason: 'unknown' });
  });

  it('succeeds once for fifty simultaneous requests on two processes', async ({ app, second, ada }) => {
    const token = await askForToken(app, ada);
    const warm = [app, second].flatMap((app) =>
      Array.from({ length: 10 }, () => app.api.get('/v1/me', ada.accessToken)),
    );
    await Promise.all(warm);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => verify(n % 2 === 0 ? app : second, token)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.error?.code === 'invalid_token')).toHaveLength(49);
  });
});
