import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

let test: TestApp;
beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

const refresh = (refreshToken: string) => test.api.post('/v1/auth/refresh', undefined, { refresh_token: refreshToken });

const endsIn = (organizationId: string) =>
  execute<{ request_id: string }>(
    test.database,
    `select actor_user_id, credential_kind, credential_id, request_id, client_address, target_type, target_id, after
      from audit_entries where organization_id = $1 and action = 'login_session.ended' order by id`,
    [organizationId],
  );

const loginOf = async ({ userId }: Member) =>
  (await execute<{ id: string }>(test.database, 'select id from login_sessions where user_id = $1', [userId]))[0]?.id;

const reuseMails = async ({ email }: Member) =>
  (await test.mailsTo(email)).filter((each) => each.kind === 'refresh-token-reused');

describe('a logout', () => {
  it('is recorded in the audit log, once', async () => {
    const ada = await test.register();
    const id = await loginOf(ada);
    await Promise.all(Array.from({ length: 5 }, () => test.api.post('/v1/auth/logout', ada.accessToken, undefined)));
    expect(await endsIn(ada.organizationId)).toMatchObject([
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

describe('a used refresh token that comes again', () => {
  const stealFrom = async (member: Member) => {
    await refresh(member.refreshToken);
    await execute(
      test.database,
      `update refresh_tokens set used_at = used_at - interval '11 seconds' where user_id = $1 and used_at is not null`,
      [member.userId],
    );
  };

  it('is told to the user by mail and to all their organizations, once, as done by nobody who is known', async () => {
    const admin = await test.register();
    const ada = await joinOrganization(test, admin);
    await stealFrom(ada);
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(ada.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(401));
    const id = await loginOf(ada);
    for (const organizationId of [ada.organizationId, admin.organizationId]) {
      expect(await endsIn(organizationId)).toMatchObject([
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
    expect(await reuseMails(ada)).toHaveLength(1);
  });

  it('tells nobody of a lost answer that is asked for again at once, or of a login that is over', async () => {
    const ada = await test.register();
    await refresh(ada.refreshToken);
    expect((await refresh(ada.refreshToken)).status).toBe(200);
    const eve = await test.register();
    await stealFrom(eve);
    await test.api.post('/v1/auth/logout', eve.accessToken, undefined);
    expect((await refresh(eve.refreshToken)).status).toBe(401);
    expect([...(await reuseMails(ada)), ...(await reuseMails(eve))]).toEqual([]);
    expect(await endsIn(eve.organizationId)).toMatchObject([{ after: { reason: 'logout' } }]);
  });
});
