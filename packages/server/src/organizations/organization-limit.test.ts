import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import { inviteToOrganization } from '../../test/harness/join-organization.ts';

let test: TestApp;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

/** Puts a person into as many organizations as it takes to be in this many. */
async function fillUp(person: Member, count: number): Promise<void> {
  await execute(
    test.database,
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

const countOf = async ({ userId }: Member) =>
  (
    await execute<{ count: number }>(test.database, 'select count(*) as count from memberships where user_id = $1', [
      userId,
    ])
  )[0]?.count;

it('nobody is in more than a hundred organizations by accepting, and the invitation stays good', async () => {
  const [person, owner, another] = [await test.register(), await test.register(), await test.register()];
  await fillUp(person, 99);
  const accept = (token: string) => test.api.post('/v1/invitations/accept', person.accessToken, { token });
  expect((await accept(await inviteToOrganization(test, owner, 'member', person.email))).status).toBe(200);
  const code = await inviteToOrganization(test, another, 'member', person.email);
  expect((await accept(code)).body.error.code).toBe('conflict');
  expect(await countOf(person)).toBe(100);
  const leaving = `/v1/orgs/${owner.organizationId}/members/${person.userId}`;
  expect((await test.api.call('DELETE', leaving, { token: person.accessToken })).status).toBe(204);
  expect((await accept(code)).status).toBe(200);
});

it('nobody is in more than a hundred by making them', async () => {
  const person = await test.register();
  await fillUp(person, 99);
  const create = () => test.api.post('/v1/orgs', person.accessToken, { name: 'One more' });
  const answers = await Promise.all([create(), create(), create()]);
  expect(answers.map((each) => each.status).sort()).toEqual([201, 409, 409]);
  expect(await countOf(person)).toBe(100);
});
