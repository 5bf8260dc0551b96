import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { execute, openAppForTest } from '../../test/harness/index.ts';

it('ends a token that came in the clear even when its client is past every limit, and claims no more than it did', async () => {
  const one = { tiers: { free: { minute: 3, hour: 1000, day: 10000 } } };
  const test = await openAppForTest({ settings: { SEATHOLD_RATE_LIMITS: JSON.stringify(one) } });
  const ada = await test.register();
  const plain = createServer(test.app.handlePlain).listen(0, '127.0.0.1');
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
