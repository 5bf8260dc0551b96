import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { execute, type Member } from '../../../test/harness/index.ts';

const it = createTest().extend(
  'age',
  ({ app }) =>
    (owner: Member) =>
      execute(app.database, `update invitations set created_at = created_at - interval '1 day' where invited_by = $1`, [
        owner.userId,
      ]),
);

const someone = () => `${randomBytes(8).toString('hex')}@example.com`;

/** Another organization of the same user. */
async function makeOrganization(app: TestApp, owner: Member, name = 'Another'): Promise<string> {
  return (await app.api.post('/v1/orgs', owner.accessToken, { name })).body.data.id;
}

const invite = (app: TestApp, owner: Member, organizationId: string, email = someone(), target = app) =>
  target.api.post(`/v1/orgs/${organizationId}/invitations`, owner.accessToken, { email, role: 'member' });

const revoke = (app: TestApp, owner: Member, organizationId: string, id: string) =>
  app.api.call('DELETE', `/v1/orgs/${organizationId}/invitations/${id}`, { token: owner.accessToken });

/** Plants this many invitations that a member has just sent and revoked. */
async function plantRevoked(app: TestApp, owner: Member, organizationId: string, count: number): Promise<void> {
  await execute(
    app.database,
    `insert into invitations
        (organization_id, id, email, role, invited_by, token_hash, created_at, expires_at, revoked_at)
      select $1, 'invite_planted' || n, 'planted' || n || '@example.com', 'member', $2, sha256(($1 || n)::bytea),
        clock_timestamp(), clock_timestamp() + interval '7 days', clock_timestamp() from generate_series(1, $3::int) n`,
    [organizationId, owner.userId, count],
  );
}

describe('an inviting member', () => {
  it('sends at most a hundred a day across their organizations, including revoked ones, and can continue the next day', async ({
    app,
    age,
  }) => {
    const owner = await app.register();
    const other = await makeOrganization(app, owner);
    await plantRevoked(app, owner, other, 99);
    expect((await invite(app, owner, owner.organizationId)).status).toBe(201);
    const email = someone();
    for (const organizationId of [owner.organizationId, other, await makeOrganization(app, owner)]) {
      const refused = await invite(app, owner, organizationId, email);
      expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict']);
    }
    expect(await app.mailsTo(email)).toEqual([]);
    await age(owner);
    expect((await invite(app, owner, other, email)).status).toBe(201);
  });

  it('sends no more from many organizations simultaneously, on two processes', async ({ app, second }) => {
    const owner = await app.register();
    const organizations = await Promise.all(Array.from({ length: 12 }, () => makeOrganization(app, owner)));
    await plantRevoked(app, owner, owner.organizationId, 97);
    const answers = await Promise.all(
      organizations.map((id, place) => invite(app, owner, id, someone(), place % 2 === 0 ? app : second)),
    );
    expect(answers.filter((each) => each.status === 201)).toHaveLength(3);
    expect(answers.filter((each) => each.body.error?.code === 'conflict')).toHaveLength(9);
  });
});

it('an address gets at most twenty invitations a day, across all organizations and users, including revoked ones', async ({
  app,
  age,
}) => {
  const email = someone();
  const owners = await Promise.all(Array.from({ length: 21 }, () => app.register()));
  const answers = [];
  for (const owner of owners) {
    const answer = await invite(app, owner, owner.organizationId, email);
    answers.push(answer.status);
    if (answer.status === 201) {
      expect((await revoke(app, owner, owner.organizationId, answer.body.data.id)).status).toBe(204);
    }
  }
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 201), 409]);
  expect(await app.mailsTo(email)).toHaveLength(20);
  await Promise.all(owners.map(age));
  const [owner] = owners;
  expect(owner && (await invite(app, owner, owner.organizationId, email)).status).toBe(201);
});

it('the mail has no user-chosen text in its subject, and shows no name that could be followed as a link', async ({
  app,
}) => {
  const owner = await app.register('You won: www.evil.example');
  const organizationId = await makeOrganization(app, owner, 'Claim it at https://evil.example/prize');
  const email = someone();
  expect((await invite(app, owner, organizationId, email)).status).toBe(201);
  const [mail] = await app.mailsTo(email);
  expect(mail?.subject).toBe('You have been invited to join an organization');
  expect(mail?.paragraphs.join()).not.toContain('evil.example');
  const hidden = '(a name that looks like an address)';
  expect(mail?.paragraphs[0]).toBe(
    `${hidden} (${owner.email}) has invited you to join the organization ${hidden} with the role member.`,
  );
});
