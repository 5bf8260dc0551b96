import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const refresh = (app: TestApp, refreshToken: string) =>
  app.api.post('/v1/auth/refresh', undefined, { refresh_token: refreshToken });

const endsIn = (app: TestApp, organizationId: string) =>
  execute<{ request_id: string }>(
    app.database,
    `select actor_user_id, credential_kind, credential_id, request_id, client_address, target_type, target_id, after
      from audit_entries where organization_id = $1 and action = 'login_session.ended' order by id`,
    [organizationId],
  );

const loginOf = async (app: TestApp, { userId }: Member) =>
  (await execute<{ id: string }>(app.database, 'select id from login_sessions where user_id = $1', [userId]))[0]?.id;

const reuseMails = async (app: TestApp, { email }: Member) =>
  (await app.mailsTo(email)).filter((each) => each.kind === 'refresh-token-reused');

describe('a logout', () => {
  it('is recorded in the audit log, once', async ({ app, ada }) => {
    const id = await loginOf(app, ada);
    await Promise.all(Array.from({ length: 5 }, () => app.api.post('/v1/auth/logout', ada.accessToken, undefined)));
    expect(await endsIn(app, ada.organizationId)).toMatchObject([
      {
        actor_user_id: ada.userId,
        credential_kind: 'session',
        credential_id: id,
        target_id: id,
        after: { reason: 'logout' },
      },
    ]);
  });
});

describe('a reused refresh token', () => {
  const stealFrom = async (app: TestApp, member: Member) => {
    await refresh(app, member.refreshToken);
    await execute(
      app.database,
      `update refresh_tokens set used_at = used_at - interval '11 seconds' where user_id = $1 and used_at is not null`,
      [member.userId],
    );
  };

  it('is reported to the user by mail and recorded once in all their organizations, with an unknown actor', async ({
    app,
  }) => {
    const admin = await app.register();
    const ada = await joinOrganization(app, admin);
    await stealFrom(app, ada);
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(app, ada.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(401));
    const id = await loginOf(app, ada);
    for (const organizationId of [ada.organizationId, admin.organizationId]) {
      expect(await endsIn(app, organizationId)).toMatchObject([
        {
          actor_user_id: null,
          credential_kind: 'none',
          credential_id: null,
          request_id: expect.stringMatching(/^req_/),
          client_address: expect.stringMatching(/./),
          target_type: 'login_session',
          target_id: id,
          after: { reason: 'refresh_token_reused' },
        },
      ]);
    }
    expect(await reuseMails(app, ada)).toHaveLength(1);
  });

  it('causes no mail if it repeats a lost request immediately, or if the session has ended', async ({ app, ada }) => {
    await refresh(app, ada.refreshToken);
    expect((await refresh(app, ada.refreshToken)).status).toBe(200);
    const eve = await app.register();
    await stealFrom(app, eve);
    await app.api.post('/v1/auth/logout', eve.accessToken, undefined);
    expect((await refresh(app, eve.refreshToken)).status).toBe(401);
    expect([...(await reuseMails(app, ada)), ...(await reuseMails(app, eve))]).toEqual([]);
    expect(await endsIn(app, eve.organizationId)).toMatchObject([{ after: { reason: 'logout' } }]);
  });
});
