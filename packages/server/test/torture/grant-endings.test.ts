import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import {
  credentialsOf,
  makeOauthApp,
  type OauthApp,
  obtainCode,
  postForm,
  redeem,
  refresh,
} from '../harness/oauth-world.ts';

const ROUNDS = 30;

let test: TestApp;
let second: TestApp;
let ada: Member;
let app: OauthApp;

beforeAll(async () => {
  test = await startTestApp();
  second = await startTestApp({ beside: test });
  ada = await test.register();
  app = await makeOauthApp(test, ada, { confidential: false, redirect_uris: ['https://console.example/callback'] });
});
afterAll(async () => {
  await second.close();
  await test.close();
});

/** Also counts what the connections of the pools have not yet reported. */
async function countDeadlocks(): Promise<number> {
  const tell = (each: TestApp) => execute(each.database, 'select pg_stat_force_next_flush()');
  for (let n = 0; n < 3; n += 1) {
    await Promise.all([test, second].flatMap((each) => Array.from({ length: 20 }, () => tell(each))));
  }
  const [row] = await execute<{ deadlocks: number }>(
    test.database,
    'select deadlocks::integer as deadlocks from pg_stat_database where datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

const grantId = async (): Promise<string> => {
  const [grant] = (await test.api.get('/v1/auth/grants', ada.accessToken)).body.data;
  return grant.id;
};

/**
 * Does everything that ends or writes tokens of one grant, at the same time and on two processes. Returns the
 * responses.
 */
async function endConcurrently(round: number): Promise<{ statuses: number[]; accessTokens: string[] }> {
  const code = await obtainCode(test, app, ada);
  const { body } = await redeem(test, app, code);
  const next = (await refresh(test, app, body.refresh_token)).body;
  const id = await grantId();
  const [one, other] = round % 2 === 0 ? [test, second] : [second, test];
  const refreshed = refresh(one, app, next.refresh_token);
  const answers = await Promise.all([
    redeem(one, app, code),
    redeem(other, app, code),
    postForm(other, 'revoke', { token: next.refresh_token, ...credentialsOf(app) }),
    one.api.call('DELETE', `/v1/auth/grants/${id}`, { token: ada.accessToken }),
    refresh(other, app, body.refresh_token),
    refreshed,
  ]);
  const last = (await refreshed).body.access_token;
  return {
    statuses: answers.map((answer) => answer.status),
    accessTokens: [body.access_token, next.access_token, ...(last === undefined ? [] : [last])],
  };
}

describe('a replay, a revocation, a refresh and the end of the grant at the same moment', () => {
  it('never deadlock, and leave no token behind', async () => {
    const before = await countDeadlocks();
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const ended = await endConcurrently(round);
      for (const status of ended.statuses) {
        statuses.add(status);
      }
      for (const token of ended.accessTokens) {
        expect((await second.api.get('/v1/me', token)).status).toBe(401);
      }
    }
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(await execute(test.database, 'select 1 from oauth_artifacts where grant_key is not null')).toEqual([]);
    expect(await countDeadlocks()).toBe(before);
  });
});

describe('an app that refreshes without a pause', () => {
  it('cannot prevent its own grant from being ended', async () => {
    const patient = await makeOauthApp(test, ada, { redirect_uris: ['https://patient.example/callback'] });
    const { body } = await redeem(test, patient, await obtainCode(test, patient, ada));
    let isEnded = false;
    const clients = Array.from({ length: 16 }, async (_, place) => {
      const status = async () => (await refresh(place % 2 === 0 ? test : second, patient, body.refresh_token)).status;
      // Only the end of the grant ends this loop.
      while ((await status()) === 200 || !isEnded) {}
    });
    const grants = (await test.api.get('/v1/auth/grants', ada.accessToken)).body.data;
    const { id } = grants.find((grant: { app: { id: string } }) => grant.app.id === patient.clientId);
    const ended = await test.api.call('DELETE', `/v1/auth/grants/${id}`, { token: ada.accessToken });
    isEnded = true;
    await Promise.all(clients);

    expect(ended.status).toBe(204);
  });
});
