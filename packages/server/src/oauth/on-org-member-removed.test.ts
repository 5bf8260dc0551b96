import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, openTestApp, type TestApp } from '../../test/harness/index.ts';
import { plantGrant } from '../../test/harness/plant-grant.ts';
import { ON_ORG_MEMBER_REMOVED as ON_ORG_MEMBER_REMOVED_IN_AUTH } from '../auth/on-org-member-removed.ts';
import type { Queries } from '../database/index.ts';
import { announcement, createOutbox } from '../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../organizations/index.ts';
import { ON_ORG_MEMBER_REMOVED } from './on-org-member-removed.ts';

let test: TestApp;

beforeAll(async () => {
  test = await openTestApp();
});
afterAll(() => test.close());

const outbox = createOutbox([ON_ORG_MEMBER_REMOVED_IN_AUTH, ON_ORG_MEMBER_REMOVED]);
const NOW = '2026-01-31T12:00:00.000Z';

/** What the room organizations does when it removes a member. */
async function remove(tx: Queries, { userId, organizationId, email }: Member): Promise<void> {
  await execute(tx, 'delete from memberships where organization_id = $1 and user_id = $2', [organizationId, userId]);
  await outbox.announce(tx, organizationId, 0, [
    announcement(ORG_MEMBER_REMOVED, {
      user_id: userId,
      organization_id: organizationId,
      email,
      name: 'Ada',
      avatar_url: 'https://api.test/avatar.svg',
      role: 'member',
      created_at: NOW,
      removed_by: userId,
    }),
  ]);
}

const invite = (organizationId: string, userId: string) =>
  execute(
    test.database,
    `insert into memberships (organization_id, user_id, user_name, role, created_at)
      values ($1, $2, 'Ada', 'admin', clock_timestamp())`,
    [organizationId, userId],
  );

const setRole = (organizationId: string, userId: string, role: string) =>
  execute(test.database, 'update memberships set role = $3 where organization_id = $1 and user_id = $2', [
    organizationId,
    userId,
    role,
  ]);

const APP = {
  name: 'Console',
  redirect_uris: ['https://console.example.com/back'],
  scopes: ['read:profile'],
  confidential: true,
};

async function createToken(owner: Member, organizationId = owner.organizationId): Promise<string> {
  const input = { name: 'ci', scopes: ['read:profile'], expires_at: null };
  const headers = { 'x-organization-id': organizationId };
  return (await test.api.post('/v1/api-tokens', owner.accessToken, input, headers)).body.data.token;
}

const codeOf = async (token: string) => (await test.api.get('/v1/me', token)).body.error?.code;

describe('a removed member', () => {
  it('finds API tokens and apps of that organization dead, also after being invited again', async () => {
    const ada = await test.register();
    const tokens = [await createToken(ada), await createToken(ada), (await plantGrant(test, ada)).accessToken];
    for (const token of tokens) {
      expect(await codeOf(token)).toBeUndefined();
    }
    await test.database.transaction((tx) => remove(tx, ada));
    await invite(ada.organizationId, ada.userId);
    for (const token of tokens) {
      expect(await codeOf(token)).toBe('invalid_token');
    }
    expect((await test.api.get('/v1/api-tokens', ada.accessToken)).body.data).toEqual([]);
  });

  it('keeps what they made elsewhere, and their colleagues keep theirs', async () => {
    const [ada, grace] = [await test.register(), await test.register()];
    await invite(grace.organizationId, ada.userId);
    const kept = [await createToken(ada, grace.organizationId), await createToken(grace)];
    const lost = await createToken(ada);
    await test.database.transaction((tx) => remove(tx, ada));
    expect(await codeOf(lost)).toBe('invalid_token');
    for (const token of kept) {
      expect(await codeOf(token)).toBeUndefined();
    }
  });

  it('leaves their apps to the organization, and has no right to them after being invited again', async () => {
    const [ada, grace] = [await test.register(), await test.register()];
    await invite(grace.organizationId, ada.userId);
    await setRole(grace.organizationId, ada.userId, 'member');
    const there = { 'x-organization-id': grace.organizationId };
    const { id } = (await test.api.post('/v1/oauth-apps', ada.accessToken, APP, there)).body.data;
    const elsewhere = (await test.api.post('/v1/oauth-apps', ada.accessToken, APP)).body.data.id;
    await test.database.transaction((tx) => remove(tx, { ...ada, organizationId: grace.organizationId }));
    await invite(grace.organizationId, ada.userId);
    await setRole(grace.organizationId, ada.userId, 'member');
    const path = `/v1/oauth-apps/${id}`;
    expect((await test.api.get('/v1/oauth-apps', ada.accessToken, there)).body.data).toEqual([]);
    expect((await test.api.get(path, ada.accessToken, there)).status).toBe(404);
    for (const [method, suffix, body] of [
      ['PATCH', '', { name: 'Mine again' }],
      ['POST', '/rotate-secret', {}],
      ['DELETE', '', undefined],
    ] as const) {
      const call = { token: ada.accessToken, headers: there, ...(body === undefined ? {} : { body }) };
      expect((await test.api.call(method, path + suffix, call)).status).toBe(404);
    }
    expect((await test.api.get(path, grace.accessToken)).body.data.created_by).toBeNull();
    expect((await test.api.get('/v1/oauth-apps', grace.accessToken)).body.data).toHaveLength(1);
    const kept = await test.api.get(`/v1/oauth-apps/${elsewhere}`, ada.accessToken);
    expect(kept.body.data.created_by).toBe(ada.userId);
    const audit = await execute(
      test.database,
      `select organization_id, target_id, actor_user_id, before, after
        from audit_entries where action = 'oauth_app.maker_left' and organization_id = $1`,
      [grace.organizationId],
    );
    const [before, after] = [{ created_by: ada.userId }, { created_by: null }];
    expect(audit).toEqual([
      { organization_id: grace.organizationId, target_id: id, actor_user_id: ada.userId, before, after },
    ]);
  });

  it('keeps what they registered when only their role shrinks', async () => {
    const ada = await test.register();
    const { id } = (await test.api.post('/v1/oauth-apps', ada.accessToken, APP)).body.data;
    await setRole(ada.organizationId, ada.userId, 'member');
    const changed = await test.api.call('PATCH', `/v1/oauth-apps/${id}`, {
      token: ada.accessToken,
      body: { name: 'Another' },
    });
    expect(changed.status).toBe(200);
  });

  it('registers no app by a request that was under way during the removal', async () => {
    const ada = await test.register();
    const asked: Array<ReturnType<typeof test.api.post>> = [];
    await test.database.transaction(async (tx) => {
      await remove(tx, ada);
      asked.push(test.api.post('/v1/oauth-apps', ada.accessToken, APP));
      await firstOf(asked, somebodyWaitsForALock);
    });
    expect((await Promise.all(asked)).map((answer) => answer.status)).toEqual([401]);
    await invite(ada.organizationId, ada.userId);
    expect((await test.api.get('/v1/oauth-apps', ada.accessToken)).body.data).toEqual([]);
  });

  it('loses nothing by a removal that is rolled back', async () => {
    const ada = await test.register();
    const token = await createToken(ada);
    const removal = test.database.transaction(async (tx) => {
      await remove(tx, ada);
      throw new Error('not after all');
    });
    await expect(removal).rejects.toThrow('not after all');
    expect(await codeOf(token)).toBeUndefined();
  });

  it('gets no token that was asked for before the removal and is made after it', async () => {
    const ada = await test.register();
    const input = { name: 'ci', scopes: ['read:profile'], expires_at: null };
    const asked: Array<ReturnType<typeof test.api.post>> = [];
    await test.database.transaction(async (tx) => {
      await remove(tx, ada);
      asked.push(test.api.post('/v1/api-tokens', ada.accessToken, input));
      await firstOf(asked, somebodyWaitsForALock);
    });
    const [answer] = await Promise.all(asked);
    expect(answer?.status).toBe(401);
    await invite(ada.organizationId, ada.userId);
    expect((await test.api.get('/v1/api-tokens', ada.accessToken)).body.data).toEqual([]);
  });
});

/** Asks again and again until it is so, or one of the answers is there. */
async function firstOf(answers: ReadonlyArray<Promise<unknown>>, isSo: () => Promise<boolean>): Promise<void> {
  let isAnswered = false;
  void Promise.race(answers).then(() => {
    isAnswered = true;
  });
  while (!isAnswered && !(await isSo())) {
    // The request is on its way.
  }
}

/** Asked outside the transaction, which would see the same picture again and again. */
async function somebodyWaitsForALock(): Promise<boolean> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await execute(test.database, waiting)).length > 0;
}
