import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { makeOauthApp, obtainTokens, refresh } from '../harness/oauth-world.ts';

const ROUNDS = 8;
const REFRESHES = 18;

let watch: TestApp;

beforeAll(async () => {
  watch = await startTestApp();
});
afterAll(() => watch.close());

/** A person's organization, and a function that deletes it and returns the response. */
async function openOrganization(
  test: TestApp,
): Promise<{ owner: Member; end: () => ReturnType<TestApp['api']['call']> }> {
  const owner = await test.register();
  const path = `/v1/orgs/${owner.organizationId}`;
  const { name } = (await test.api.get(path, owner.accessToken)).body.data;
  return { owner, end: () => test.api.call('DELETE', path, { token: owner.accessToken, body: { confirm: name } }) };
}

/**
 * The deadlocks that PostgreSQL has counted, once every connection but our own has reported, which it does at the
 * latest when it ends.
 */
async function countDeadlocks(): Promise<number> {
  for (;;) {
    const [row] = await execute<{ others: number; deadlocks: number }>(
      watch.database,
      `select (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as others,
        (select deadlocks from pg_stat_database where datname = current_database()) as deadlocks`,
    );
    if (row?.others === 0) {
      return row.deadlocks;
    }
  }
}

describe('deleting an organization', () => {
  it('does not deadlock while its app refreshes tokens of its own users and others', async () => {
    const before = await countDeadlocks();
    const test = await startTestApp({ beside: watch });
    const user = await test.register();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { owner, end } = await openOrganization(test);
      const app = await makeOauthApp(test, owner, { scopes: ['read:profile'] });
      // One grant in the organization itself, whose tokens refer to it, and one in another. A confidential app can
      // reuse its refresh token.
      const tokens = [
        (await obtainTokens(test, app, owner)).refreshToken,
        (await obtainTokens(test, app, user)).refreshToken,
      ];
      const refreshes = Array.from({ length: REFRESHES }, (_, place) =>
        refresh(test, app, tokens[place % tokens.length] ?? ''),
      );
      const [deleted, ...refreshed] = await Promise.all([end(), ...refreshes]);
      expect(deleted.status).toBe(204);
      expect(refreshed.filter((each) => ![200, 400, 401].includes(each.status))).toEqual([]);
    }
    await test.close();
    expect(await countDeadlocks()).toBe(before);
  });

  it('does not wait for rows that reference it by a foreign key', async () => {
    const { owner, end } = await openOrganization(watch);
    const deleted = await watch.database.transaction(async (tx) => {
      await execute(tx, 'select 1 from organizations where id = $1 for key share', [owner.organizationId]);
      return end();
    });
    expect(deleted.status).toBe(204);
  });
});
