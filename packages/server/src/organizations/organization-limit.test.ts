import { expect } from 'vitest';
import { it } from '../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../test/harness/index.ts';
import { inviteToOrganization } from '../../test/harness/join-organization.ts';

/** Adds a user to organizations until they belong to this many. */
async function fillUp(app: TestApp, person: Member, count: number): Promise<void> {
  await execute(
    app.database,
    `with made as (
        insert into organizations (id, name, slug, member_count, created_at, updated_at)
        select 'org_filled' || n || $1, 'Filled', 'filled-' || n || $1, 1, clock_timestamp(), clock_timestamp()
          from generate_series(2, $2::int) n returning id
      )
      insert into memberships (organization_id, user_id, user_name, role, created_at)
      select id, $1, 'Test', 'member', clock_timestamp() from made`,
    [person.userId, count],
  );
}

const countOf = async (app: TestApp, { userId }: Member) =>
  (
    await execute<{ count: number }>(app.database, 'select count(*) as count from memberships where user_id = $1', [
      userId,
    ])
  )[0]?.count;

it('a user can join at most a hundred organizations by invitation, and a refused invitation stays valid', async ({
  app,
}) => {
  const [person, owner, another] = [await app.register(), await app.register(), await app.register()];
  await fillUp(app, person, 99);
  const accept = (token: string) => app.api.post('/v1/invitations/accept', person.accessToken, { token });
  expect((await accept(await inviteToOrganization(app, owner, 'member', person.email))).status).toBe(200);
  const code = await inviteToOrganization(app, another, 'member', person.email);
  expect((await accept(code)).body.error.code).toBe('conflict');
  expect(await countOf(app, person)).toBe(100);
  const leaving = `/v1/orgs/${owner.organizationId}/members/${person.userId}`;
  expect((await app.api.call('DELETE', leaving, { token: person.accessToken })).status).toBe(204);
  expect((await accept(code)).status).toBe(200);
});

it('a user can create at most a hundred organizations', async ({ app }) => {
  const person = await app.register();
  await fillUp(app, person, 99);
  const create = () => app.api.post('/v1/orgs', person.accessToken, { name: 'One more' });
  const answers = await Promise.all([create(), create(), create()]);
  expect(answers.map((each) => each.status).sort()).toEqual([201, 409, 409]);
  expect(await countOf(app, person)).toBe(100);
});
