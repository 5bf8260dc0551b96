import { describe, expect } from 'vitest';
import { createTest } from '../../test/harness/fixtures.ts';
import { type ApiAnswer, execute, type Member, type TestApp } from '../../test/harness/index.ts';
import { plantGrant } from '../../test/harness/plant-grant.ts';
import { ON_ORG_MEMBER_REMOVED as ON_ORG_MEMBER_REMOVED_IN_AUTH } from '../auth/on-org-member-removed.ts';
import type { Queries } from '../database/index.ts';
import { announcement, createOutbox } from '../events/index.ts';
import { ORG_MEMBER_REMOVED } from '../organizations/index.ts';
import { ON_ORG_MEMBER_REMOVED } from './on-org-member-removed.ts';

const it = createTest()
  /** Queried outside the transaction, which would see the same snapshot every time. */
  .extend('somebodyWaitsForALock', ({ app }) => async (): Promise<boolean> => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await execute(app.database, waiting)).length > 0;
  });

const outbox = createOutbox([ON_ORG_MEMBER_REMOVED_IN_AUTH, ON_ORG_MEMBER_REMOVED]);
const NOW = '2026-01-31T12:00:00.000Z';

/** Does what the organizations room does when it removes a member. */
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

const invite = (app: TestApp, organizationId: string, userId: string) =>
  execute(
    app.database,
    `insert into memberships (organization_id, user_id, user_name, role, created_at)
      values ($1, $2, 'Ada', 'admin', clock_timestamp())`,
    [organizationId, userId],
  );

const setRole = (app: TestApp, organizationId: string, userId: string, role: string) =>
  execute(app.database, 'update memberships set role = $3 where organization_id = $1 and user_id = $2', [
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

async function createToken(app: TestApp, owner: Member, organizationId = owner.organizationId): Promise<string> {
  const input = { name: 'ci', scopes: ['read:profile'], expires_at: null };
  const headers = { 'x-organization-id': organizationId };
  return (await app.api.post('/v1/api-tokens', owner.accessToken, input, headers)).body.data.token;
}

const codeOf = async (app: TestApp, token: string) => (await app.api.get('/v1/me', token)).body.error?.code;

describe('a removed member', () => {
  it('can no longer use API tokens and apps of that organization, even after being invited again', async ({
    app,
    ada,
  }) => {
    const tokens = [await createToken(app, ada), await createToken(app, ada), (await plantGrant(app, ada)).accessToken];
    for (const token of tokens) {
      expect(await codeOf(app, token)).toBeUndefined();
    }
    await app.database.transaction((tx) => remove(tx, ada));
    await invite(app, ada.organizationId, ada.userId);
    for (const token of tokens) {
      expect(await codeOf(app, token)).toBe('invalid_token');
    }
    expect((await app.api.get('/v1/api-tokens', ada.accessToken)).body.data).toEqual([]);
  });

  it('keeps tokens and apps elsewhere, and their colleagues keep theirs', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await invite(app, grace.organizationId, ada.userId);
    const kept = [await createToken(app, ada, grace.organizationId), await createToken(app, grace)];
    const lost = await createToken(app, ada);
    await app.database.transaction((tx) => remove(tx, ada));
    expect(await codeOf(app, lost)).toBe('invalid_token');
    for (const token of kept) {
      expect(await codeOf(app, token)).toBeUndefined();
    }
  });

  it('leaves their apps to the organization, and cannot access them after being invited again', async ({ app }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    await invite(app, grace.organizationId, ada.userId);
    await setRole(app, grace.organizationId, ada.userId, 'member');
    const there = { 'x-organization-id': grace.organizationId };
    const { id } = (await app.api.post('/v1/oauth-apps', ada.accessToken, APP, there)).body.data;
    const elsewhere = (await app.api.post('/v1/oauth-apps', ada.accessToken, APP)).body.data.id;
    await app.database.transaction((tx) => remove(tx, { ...ada, organizationId: grace.organizationId }));
    await invite(app, grace.organizationId, ada.userId);
    await setRole(app, grace.organizationId, ada.userId, 'member');
    const path = `/v1/oauth-apps/${id}`;
    expect((await app.api.get('/v1/oauth-apps', ada.accessToken, there)).body.data).toEqual([]);
    expect((await app.api.get(path, ada.accessToken, there)).status).toBe(404);
    for (const [method, suffix, body] of [
      ['PATCH', '', { name: 'Mine again' }],
      ['POST', '/rotate-secret', {}],
      ['DELETE', '', undefined],
    ] as const) {
      const call = { token: ada.accessToken, headers: there, ...(body === undefined ? {} : { body }) };
      expect((await app.api.call(method, path + suffix, call)).status).toBe(404);
    }
    expect((await app.api.get(path, grace.accessToken)).body.data.created_by).toBeNull();
    expect((await app.api.get('/v1/oauth-apps', grace.accessToken)).body.data).toHaveLength(1);
    const kept = await app.api.get(`/v1/oauth-apps/${elsewhere}`, ada.accessToken);
    expect(kept.body.data.created_by).toBe(ada.userId);
    const audit = await execute(
      app.database,
      `select organization_id, target_id, actor_user_id, before, after
        from audit_entries where action = 'oauth_app.maker_left' and organization_id = $1`,
      [grace.organizationId],
    );
    const [before, after] = [{ created_by: ada.userId }, { created_by: null }];
    expect(audit).toEqual([
      { organization_id: grace.organizationId, target_id: id, actor_user_id: ada.userId, before, after },
    ]);
  });

  it('keeps their apps if only their role is lowered', async ({ app, ada }) => {
    const { id } = (await app.api.post('/v1/oauth-apps', ada.accessToken, APP)).body.data;
    await setRole(app, ada.organizationId, ada.userId, 'member');
    const changed = await app.api.call('PATCH', `/v1/oauth-apps/${id}`, {
      token: ada.accessToken,
      body: { name: 'Another' },
    });
    expect(changed.status).toBe(200);
  });

  it('registers no app by a request in flight during the removal', async ({ app, ada, somebodyWaitsForALock }) => {
    const asked: Array<Promise<ApiAnswer>> = [];
    await app.database.transaction(async (tx) => {
      await remove(tx, ada);
      asked.push(app.api.post('/v1/oauth-apps', ada.accessToken, APP));
      await firstOf(asked, somebodyWaitsForALock);
    });
    expect((await Promise.all(asked)).map((answer) => answer.status)).toEqual([401]);
    await invite(app, ada.organizationId, ada.userId);
    expect((await app.api.get('/v1/oauth-apps', ada.accessToken)).body.data).toEqual([]);
  });

  it('loses nothing by a removal that is rolled back', async ({ app, ada }) => {
    const token = await createToken(app, ada);
    const removal = app.database.transaction(async (tx) => {
      await remove(tx, ada);
      throw new Error('not after all');
    });
    await expect(removal).rejects.toThrow('not after all');
    expect(await codeOf(app, token)).toBeUndefined();
  });

  it('gets no token that was requested before the removal and is created after it', async ({
    app,
    ada,
    somebodyWaitsForALock,
  }) => {
    const input = { name: 'ci', scopes: ['read:profile'], expires_at: null };
    const asked: Array<Promise<ApiAnswer>> = [];
    await app.database.transaction(async (tx) => {
      await remove(tx, ada);
      asked.push(app.api.post('/v1/api-tokens', ada.accessToken, input));
      await firstOf(asked, somebodyWaitsForALock);
    });
    const [answer] = await Promise.all(asked);
    expect(answer?.status).toBe(401);
    await invite(app, ada.organizationId, ada.userId);
    expect((await app.api.get('/v1/api-tokens', ada.accessToken)).body.data).toEqual([]);
  });
});

/** Repeats the query until it is true, or one of the responses has arrived. */
async function firstOf(answers: ReadonlyArray<Promise<unknown>>, isTrue: () => Promise<boolean>): Promise<void> {
  let isAnswered = false;
  void Promise.race(answers).then(() => {
    isAnswered = true;
  });
  while (!isAnswered && !(await isTrue())) {
    // Poll again.
  }
}
