import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { execute, startAppForTest, type TestApp } from '../../test/harness/index.ts';
import { Database } from '../database/index.ts';
import { newToken } from '../security/index.ts';

it('plain HTTP revokes a token sent unencrypted even if its client is over every limit, and claims no more than it did', async () => {
  const one = { tiers: { free: { minute: 3, hour: 1000, day: 10000 } } };
  const test = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: JSON.stringify(one) } });
  const ada = await test.register();
  const plain = createServer(test.service.handlePlain).listen(0, '127.0.0.1');
  onTestFinished(() => void plain.close());
  await new Promise((resolve) => plain.once('listening', resolve));
  const address = plain.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const ask = async (token: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(403);
    return (await answer.text()).includes('has been revoked');
  };
  for (let n = 0; n < 5; n += 1) {
    expect(await ask('nonsense')).toBe(false);
  }
  expect(await ask(ada.accessToken)).toBe(true);
  const alive = 'select count(*)::int as n from bearer_tokens where user_id = $1 and revoked_at is null';
  expect(await execute(test.database, alive, [ada.userId])).toEqual([{ n: 0 }]);
});

/** Counts the tokens from plain HTTP that each statement looked up. */
class WatchedDatabase extends Database {
  readonly lookUps: number[] = [];

  override execute(...given: Parameters<Database['execute']>) {
    const [statement, [hashes]] = given;
    if (statement.name === 'list_token_sources') {
      this.lookUps.push(Array.isArray(hashes) ? hashes.length : 0);
    }
    return super.execute(...given);
  }

  get lookedUp(): number {
    return this.lookUps.reduce((sum, count) => sum + count, 0);
  }
}

/** An app behind a proxy that names the client of each request, all over plain HTTP. */
async function startPlainApp(beside?: TestApp) {
  const databases: WatchedDatabase[] = [];
  let nowMs = Date.now();
  const test = await startAppForTest({
    clock: { nowMs: () => nowMs },
    settings: { SEATHOLD_RATE_LIMITS: 'on', SEATHOLD_TRUST_PROXY: '127.0.0.1/32' },
    openDatabase: (...given) => {
      const database = new WatchedDatabase(...given);
      databases.push(database);
      return database;
    },
    ...(beside === undefined ? {} : { beside }),
  });
  const send = async (token: string, address = '203.0.113.7') => {
    const headers = { 'x-forwarded-proto': 'http', 'x-forwarded-for': address };
    const { status, body } = await test.api.get('/v1/me', token, headers);
    expect([status, body.error.code]).toEqual([403, 'https_required']);
    return body.error.message.includes('has been revoked');
  };
  const moveOn = (seconds: number) => {
    nowMs += seconds * 1000;
  };
  const [database] = databases;
  if (database === undefined) {
    throw new Error('the app opened no database');
  }
  return { test, database, send, moveOn };
}

describe('forged tokens over plain HTTP', () => {
  const forge = (count: number) => Array.from({ length: count }, () => newToken('svc_sat_'));

  it('are looked up within the address’s limit for anonymous requests, and still refused beyond it', async () => {
    const { send, database, moveOn } = await startPlainApp();
    await Promise.all(forge(150).map((token) => send(token)));
    expect(database.lookedUp).toBe(60);
    await send(newToken('svc_sat_'), '198.51.100.9');
    expect(database.lookedUp).toBe(61);
    moveOn(60);
    await send(newToken('svc_sat_'));
    expect(database.lookedUp).toBe(62);
  });

  it('are not looked up in the wrong environment', async () => {
    const { send, database } = await startPlainApp();
    await send(newToken('svc_test_'));
    await send('svc_live_nonsense');
    expect(database.lookedUp).toBe(0);
  });

  it('cannot hide a leak at another address, or of a token in use', async () => {
    const first = await startAppForTest();
    const { test, send } = await startPlainApp(first);
    const [idle, busy] = [await first.register(), await first.register()];
    await Promise.all(forge(60).map((token) => send(token)));
    expect(await send(idle.accessToken)).toBe(false);
    expect(await send(idle.accessToken, '198.51.100.9')).toBe(true);
    expect((await test.api.get('/v1/me', busy.accessToken)).status).toBe(200);
    expect(await send(busy.accessToken)).toBe(true);
    expect((await first.api.get('/v1/me', busy.accessToken)).status).toBe(401);
  });

  it('leave room for leaks when an address exceeded its limit with other requests', async () => {
    const first = await startAppForTest();
    const { test, send } = await startPlainApp(first);
    const ada = await first.register();
    const other = { 'x-forwarded-for': '203.0.113.7' };
    const answers = await Promise.all(Array.from({ length: 70 }, () => test.api.get('/v1/plans', undefined, other)));
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(10);
    expect(await send(ada.accessToken)).toBe(true);
  });
});
