import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { ApiAnswer } from '../../../test/harness/api-client.ts';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, type TestApp } from '../../../test/harness/index.ts';
import { joinOrganization } from '../../../test/harness/join-organization.ts';

const someone = () => `${randomBytes(8).toString('hex')}@example.com`;

interface Scene {
  path: string;
  owner: Member;
  admin: Member;
  colleague: Member;
}

async function createScene(app: TestApp): Promise<Scene> {
  const owner = await app.register();
  const admin = await joinOrganization(app, owner, 'admin');
  const colleague = await joinOrganization(app, owner);
  return { path: `/v1/orgs/${owner.organizationId}`, owner, admin, colleague };
}

/** Every change that only an admin may make, by the admin. */
async function changesOf(
  app: TestApp,
  { path, owner, admin, colleague }: Scene,
): Promise<Array<() => Promise<ApiAnswer>>> {
  const { name } = (await app.api.get(path, owner.accessToken)).body.data;
  const invitation = { email: someone(), role: 'admin' };
  const { id } = (await app.api.post(`${path}/invitations`, owner.accessToken, invitation)).body.data;
  const by = (method: string, at: string, body?: unknown) => () =>
    app.api.call(method, path + at, { token: admin.accessToken, body });
  return [
    by('PATCH', `/members/${admin.userId}`, { role: 'admin' }),
    by('PATCH', `/members/${colleague.userId}`, { role: 'admin' }),
    by('DELETE', `/members/${owner.userId}`),
    by('POST', '/invitations', { email: someone(), role: 'admin' }),
    by('DELETE', `/invitations/${id}`),
    by('PATCH', '', { name: 'Mine now' }),
    by('DELETE', '', { confirm: name }),
  ];
}

/** Sends the changes, which all wait for the organization's row, and changes the membership in the meantime. */
async function whileTheyWait(app: TestApp, second: TestApp, scene: Scene, statement: string): Promise<ApiAnswer[]> {
  const { owner, admin } = scene;
  const changes = await changesOf(app, scene);
  let answers: Array<Promise<ApiAnswer>> = [];
  await second.database.transaction(async (tx) => {
    await execute(tx, 'select 1 from organizations where id = $1 for no key update', [owner.organizationId]);
    answers = changes.map((send) => send());
    await untilWaiting(second, changes.length);
    await execute(tx, statement, [owner.organizationId, admin.userId]);
  });
  return Promise.all(answers);
}

async function untilWaiting(second: TestApp, count: number): Promise<void> {
  for (;;) {
    const [row] = await execute<{ waiting: number }>(
      second.database,
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (row?.waiting === count) {
      return;
    }
  }
}

const rolesOf = async (app: TestApp, { owner }: Scene) =>
  Object.fromEntries(
    (
      await execute<{ user_id: string; role: string }>(
        app.database,
        'select user_id, role from memberships where organization_id = $1',
        [owner.organizationId],
      )
    ).map((row) => [row.user_id, row.role]),
  );

describe('a request that an admin sent while they still were one', () => {
  it('is forbidden if they were demoted before its turn, especially their own promotion', async ({ app, second }) => {
    const scene = await createScene(app);
    const answers = await whileTheyWait(
      app,
      second,
      scene,
      `update memberships set role = 'member' where organization_id = $1 and user_id = $2`,
    );
    expect(answers.map((each) => [each.status, each.body.error?.details])).toEqual(
      answers.map(() => [403, { required_role: 'admin' }]),
    );
    const { owner, admin, colleague } = scene;
    expect(await rolesOf(app, scene)).toEqual({
      [owner.userId]: 'admin',
      [admin.userId]: 'member',
      [colleague.userId]: 'member',
    });
  });

  it('finds no organization if they were removed before its turn', async ({ app, second }) => {
    const scene = await createScene(app);
    const answers = await whileTheyWait(
      app,
      second,
      scene,
      'delete from memberships where organization_id = $1 and user_id = $2',
    );
    expect(answers.map((each) => [each.status, each.body.error?.details])).toEqual(
      answers.map(() => [404, { resource: 'organization' }]),
    );
  });
});

it('an admin who keeps requesting their role back stays demoted, on two processes', async ({ app, second }) => {
  const { path, owner, admin } = await createScene(app);
  const give = (app: TestApp, token: string, role: string) =>
    app.api.call('PATCH', `${path}/members/${admin.userId}`, { token, body: { role } });
  for (let round = 0; round < 20; round += 1) {
    const claims = Array.from({ length: 8 }, (_, place) =>
      give(place % 2 === 0 ? app : second, admin.accessToken, 'admin'),
    );
    const [demoted, ...claimed] = await Promise.all([give(app, owner.accessToken, 'member'), ...claims]);
    expect(demoted?.status).toBe(200);
    expect(claimed.filter((each) => each.status !== 200 && each.status !== 403)).toEqual([]);
    expect(
      (await app.api.get('/v1/me', admin.accessToken, { 'x-organization-id': owner.organizationId })).body.data,
    ).toMatchObject({ organization: { role: 'member' } });
    await give(app, owner.accessToken, 'admin');
  }
});

it('a member can leave without being an admin', async ({ app }) => {
  const { path, colleague } = await createScene(app);
  const left = await app.api.call('DELETE', `${path}/members/${colleague.userId}`, { token: colleague.accessToken });
  expect(left.status).toBe(204);
});
