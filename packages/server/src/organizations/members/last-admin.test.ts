import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';

const ADMINS = 50;

const it = createTest().extend(
  'count',
  ({ app }) =>
    async (organizationId: string) =>
      (
        await execute<{ admins: number; members: number; counted: number }>(
          app.database,
          `select count(*) filter (where m.role = 'admin') as admins, count(*) as members, max(o.member_count) as counted
        from memberships m join organizations o on o.id = m.organization_id where o.id = $1`,
          [organizationId],
        )
      )[0],
);

/** An organization of fifty admins, with the connections of both processes open. */
async function openOrganization(app: TestApp, second: TestApp): Promise<{ organizationId: string; admins: Member[] }> {
  const admins = await Promise.all(Array.from({ length: ADMINS }, () => app.register()));
  const [first] = admins;
  const organizationId = first?.organizationId ?? '';
  await execute(
    app.database,
    `insert into memberships (organization_id, user_id, user_name, role, created_at)
      select $1, unnest($2::text[]), 'Test', 'admin', clock_timestamp()`,
    [organizationId, admins.slice(1).map((each) => each.userId)],
  );
  await execute(app.database, 'update organizations set member_count = $2 where id = $1', [organizationId, ADMINS]);
  const warm = (app: TestApp) =>
    Promise.all(admins.slice(0, 10).map((each) => app.api.get('/v1/me', each.accessToken)));
  await Promise.all([warm(app), warm(second)]);
  return { organizationId, admins };
}

const on = (app: TestApp, second: TestApp, place: number) => (place % 2 === 0 ? app : second).api;

describe('fifty admins on two processes', () => {
  it('who all leave simultaneously leave one of them behind', async ({ app, second, count }) => {
    const { organizationId, admins } = await openOrganization(app, second);
    const answers = await Promise.all(
      admins.map(({ userId, accessToken: token }, place) =>
        on(app, second, place).call('DELETE', `/v1/orgs/${organizationId}/members/${userId}`, { token }),
      ),
    );
    expect(answers.filter((each) => each.status === 204)).toHaveLength(ADMINS - 1);
    expect(answers.filter((each) => each.status === 409)).toHaveLength(1);
    expect(await count(organizationId)).toEqual({ admins: 1, members: 1, counted: 1 });
  });

  it('who all step down simultaneously keep one', async ({ app, second, count }) => {
    const { organizationId, admins } = await openOrganization(app, second);
    const answers = await Promise.all(
      admins.map(({ userId, accessToken: token }, place) =>
        on(app, second, place).call('PATCH', `/v1/orgs/${organizationId}/members/${userId}`, {
          token,
          body: { role: 'member' },
        }),
      ),
    );
    expect(answers.filter((each) => each.status === 200)).toHaveLength(ADMINS - 1);
    expect(answers.filter((each) => each.status === 409)).toHaveLength(1);
    expect(await count(organizationId)).toEqual({ admins: 1, members: ADMINS, counted: ADMINS });
  });

  it('who demote one another simultaneously never leave the organization without an admin', async ({
    app,
    second,
    count,
  }) => {
    const { organizationId, admins } = await openOrganization(app, second);
    const demoteNext = async () => {
      const answers = await Promise.all(
        admins.map(({ accessToken: token }, place) => {
          const next = admins[(place + 1) % ADMINS]?.userId;
          const path = `/v1/orgs/${organizationId}/members/${next}`;
          return on(app, second, place).call('PATCH', path, { token, body: { role: 'member' } });
        }),
      );
      const wrong = answers.filter((each) => ![200, 403, 409].includes(each.status));
      expect(wrong.map((each) => each.body)).toEqual([]);
      return answers.filter((each) => each.status === 200).length;
    };
    // An admin who was demoted before their own request was admitted is refused, so several may be left.
    await demoteNext();
    expect((await count(organizationId))?.admins).toBeGreaterThanOrEqual(1);
    const announced = await execute<{ count: number }>(
      app.database,
      `select count(*) as count from events where organization_id = $1 and type = 'org.member.role_changed'`,
      [organizationId],
    );
    expect(announced[0]?.count).toBe(ADMINS - ((await count(organizationId))?.admins ?? 0));
  });
});
