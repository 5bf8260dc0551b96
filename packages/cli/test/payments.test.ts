import { describe, expect } from 'vitest';
import { execute } from '../../server/test/harness/index.ts';
import { Shop } from '../../server/test/harness/shop.ts';
import { createCliTest } from './cli-world.ts';

const it = createCliTest()
  .override('shop', ({ sandbox }) => Shop.of(sandbox))
  .extend(
    'payments',
    ({ world, env }) =>
      (...words: string[]) =>
        world.run(['payments', ...words], { env }),
  );

describe('seathold payments', () => {
  it("compares the sandbox's payments with its provider, any number of times", async ({ sandbox, shop, payments }) => {
    const ada = await sandbox.register();
    await shop.buy(ada);
    for (const word of ['first', 'second']) {
      const { code, stdout, stderr } = await payments('reconcile', '--sandbox', '--json');
      expect({ word, code, stderr }).toEqual({ word, code: 0, stderr: '' });
      const done = JSON.parse(stdout);
      expect(done).toMatchObject({ environment: 'sandbox', provider: 'test', resumed: false, findings: [] });
      expect(done.counts).toMatchObject({ examined: 1, matched: 1, adopted: 0, orphaned: 0, missing: 0 });
    }
    const lines = (await payments('reconcile', '--sandbox', '--since', '2026-01-01')).stdout.split('\n');
    expect(lines[0]).toBe('sandbox: payments at test since 2026-01-01T00:00:00.000Z');
    expect(lines).toContain('  matched      1');
  });

  it('fails with a clear message when payments are not configured', async ({ payments }) => {
    const { code, stdout, stderr } = await payments('reconcile');
    expect(code).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('Payments are not configured on this server.');
  });

  it('resolves an orphaned payment once', async ({ sandbox, payments }) => {
    const insert = `insert into orphaned_payments (id, provider, provider_ref, amount, currency, status, reason, created_at, found_at)
      values ('pay_01kagt2m8xf3q9wz5r7e6b4c1t', 'test', 'pi_1', 100, 'usd', 'orphaned', 'no_reason', clock_timestamp(), clock_timestamp())`;
    await execute(sandbox.database, insert);
    const resolve = () => payments('resolve', 'pay_01kagt2m8xf3q9wz5r7e6b4c1t', '--note', 'refunded', '--sandbox');
    const done = await resolve();
    expect(done).toMatchObject({ code: 0, stdout: 'Resolved pay_01kagt2m8xf3q9wz5r7e6b4c1t (pi_1).\n' });
    expect((await resolve()).code).not.toBe(0);
    const [row] = await execute(sandbox.database, 'select status, note from orphaned_payments');
    expect(row).toEqual({ status: 'resolved', note: 'refunded' });
  });
});
