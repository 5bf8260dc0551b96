import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { execute } from '../../../test/harness/index.ts';
import { createGrantsTest } from '../../../test/oauth/grants-under-test.ts';
import { endGrant, endGrantsOfMember, endGrantsOfUser } from './end-grants.ts';
import { lockLiveGrant } from './queries.ts';

const it = createGrantsTest();

describe('ending a grant:', () => {
  it('deleting an app ends its tokens at the next request on another process', async ({ app, admin, grants }) => {
    const appId = await grants.makeApp();
    const users = [await app.register(), await app.register()];
    const ids = [];
    for (const user of users) {
      ids.push(await grants.agree(appId, user));
    }
    const tokens = await Promise.all(ids.map(grants.tokenFor));
    expect(await Promise.all(tokens.map((token) => grants.statusOf(token)))).toEqual([200, 200]);
    await app.api.call('DELETE', `/v1/oauth-apps/${appId}`, { token: admin.accessToken });
    expect(await Promise.all(tokens.map((token) => grants.statusOf(token)))).toEqual([401, 401]);
    for (const [n, user] of users.entries()) {
      expect(await grants.listFor(user)).toEqual([]);
      expect(await grants.writeToken(ids[n] ?? '')).toBeUndefined();
    }
  });

  it('apps stop acting for a removed member there, and continue elsewhere', async ({ app, admin, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    await execute(
      app.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at)
        values ($1, $2, 'Bob', 'member', clock_timestamp())`,
      [admin.organizationId, user.userId],
    );
    const [there, home] = [
      await grants.agree(appId, user, ['read:profile'], admin.organizationId),
      await grants.agree(appId, user),
    ];
    const tokens = [await grants.tokenFor(there), await grants.tokenFor(home)];
    await app.database.transaction(async (tx) => {
      await execute(tx, 'delete from memberships where organization_id = $1 and user_id = $2', [
        admin.organizationId,
        user.userId,
      ]);
      expect(await lockLiveGrant(tx, { grantId: there })).toBeUndefined();
      await endGrantsOfMember(tx, admin.organizationId, user.userId);
    });
    expect(await Promise.all(tokens.map((token) => grants.statusOf(token)))).toEqual([401, 200]);
    expect((await grants.listFor(user)).map((grant: { id: string }) => grant.id)).toEqual([home]);
  });

  it('endGrantsOfUser ends all grants of one user, and the logins at the authorization server', async ({
    app,
    grants,
  }) => {
    const [appId, user, bystander] = [await grants.makeApp(), await app.register(), await app.register()];
    const ids = [
      await grants.agree(appId, user),
      await grants.agree(await grants.makeApp(), user),
      await grants.agree(appId, bystander),
    ];
    const tokens = await Promise.all(ids.map(grants.tokenFor));
    await execute(
      app.database,
      `insert into oauth_artifacts (model, id_hash, payload, user_id, created_at, expires_at)
        select 'Session', $1, '', $2, clock_timestamp(), clock_timestamp() + interval '1 day'`,
      [randomBytes(32), user.userId],
    );
    await app.database.transaction((tx) => endGrantsOfUser(tx, user.userId));
    expect(await Promise.all(tokens.map((token) => grants.statusOf(token)))).toEqual([401, 401, 200]);
    expect(await execute(app.database, 'select 1 from oauth_artifacts where user_id = $1', [user.userId])).toEqual([]);
  });

  it('no token outlives its grant, whichever request comes first', async ({ app, second, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    for (let round = 0; round < 10; round += 1) {
      const id = await grants.agree(appId, user);
      const [written] = await Promise.all([
        Promise.all(Array.from({ length: 12 }, (_, n) => grants.writeToken(id, n % 2 === 0 ? app : second))),
        second.database.transaction((tx) => endGrant(tx, user.organizationId, id)),
      ]);
      const alive = await execute(
        app.database,
        'select 1 from bearer_tokens where source_id = $1 and revoked_at is null',
        [id],
      );
      expect({ written: written.length, alive, artifacts: await grants.artifactsOf(id) }).toEqual({
        written: 12,
        alive: [],
        artifacts: [],
      });
    }
  });
});

describe('an app that is deleted while users consent to it', () => {
  it('keeps no grant, whichever request comes first', async ({ app, second, admin, grants }) => {
    const user = await app.register();
    for (let round = 0; round < 10; round += 1) {
      const appId = await grants.makeApp();
      await Promise.all([
        ...Array.from({ length: 8 }, () => grants.agree(appId, user)),
        second.api.call('DELETE', `/v1/oauth-apps/${appId}`, { token: admin.accessToken }),
        ...Array.from({ length: 8 }, () => grants.agree(appId, user)),
      ]);
      expect(await grants.listFor(user)).toEqual([]);
    }
  });
});

describe('an ended grant', () => {
  it('is deleted after 30 days, and not before', async ({ app, grants }) => {
    const [appId, user] = [await grants.makeApp(), await app.register()];
    const ids = [await grants.agree(appId, user), await grants.agree(await grants.makeApp(), user)];
    const ended = (id: string | undefined, days: number) =>
      execute(
        app.database,
        `update oauth_grants set ended_at = clock_timestamp() - $2::integer * interval '1 day' where id = $1`,
        [id, days],
      );
    await ended(ids[0], 31);
    await ended(ids[1], 29);
    await app.runJobs();
    const kept = await execute<{ id: string }>(app.database, 'select id from oauth_grants where user_id = $1', [
      user.userId,
    ]);
    expect(kept).toEqual([{ id: ids[1] }]);
  });
});
