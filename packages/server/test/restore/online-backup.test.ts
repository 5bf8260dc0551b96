import { expect } from 'vitest';
import { checkMasterKey } from '../../src/database/index.ts';
import { copyEntries, restoreEntries } from '../backup/copies.ts';
import type { Member } from '../harness/index.ts';
import { createRestoreTest } from './restore-fixtures.ts';
import type { RestoreWorld } from './restore-world.ts';

const MONTH = 14_500;

const it = createRestoreTest();

const card = (world: RestoreWorld) => world.double.makeCard('pm_card_visa');

it('a backup made while customers buy has every confirmed purchase, and none of them is charged again', async ({
  world,
}) => {
  const { app } = world.shop;
  const masterKey = await checkMasterKey(app.database, app.masterKey);
  const before: Member[] = [];
  for (let count = 0; count < 3; count += 1) {
    const member = await app.register();
    await world.shop.buy(member, card(world));
    before.push(member);
  }
  // Another customer buys at each step of the backup, so that some purchases are in it, some are not, and some are in
  // part.
  const during: Member[] = [];
  const buying: Promise<unknown>[] = [];
  const entries = await copyEntries({
    production: app.databaseUrl,
    masterKey,
    between: async (name) => {
      if (/\/(?:schema|billing|invoices|payments|subscriptions|users)/.test(name)) {
        const member = await app.register();
        during.push(member);
        buying.push(world.shop.buy(member, card(world)));
      }
    },
  });
  await Promise.all(buying);
  expect(during.length).toBeGreaterThan(2);
  // The backup knows nothing about what Stripe collects from now on.
  await world.travel(31, ...before);
  const paid = await Promise.all(before.map((member) => world.paidBy(member)));
  expect(paid).toEqual(before.map(() => [MONTH, MONTH]));

  const { urls } = await restoreEntries(entries, { masterKey, backupKey: undefined });
  await world.restoreFrom(urls.production);
  await world.redeliver();
  await world.moveClocks(31, ...before);
  for (const member of before) {
    expect(await world.paidBy(member)).toEqual([MONTH, MONTH]);
    expect((await world.shop.invoices(member)).map(({ status }: { status: string }) => status)).toEqual([
      'paid',
      'paid',
    ]);
  }
  // Each purchase that is not in the backup is found, and none that is in it is missing at Stripe.
  const { counts } = await world.reconcile(new Date(Date.now() - 86_400_000).toISOString());
  expect(counts).toMatchObject({ missing: 0, disagreeing: 0 });
  for (const member of during) {
    expect(await world.paidBy(member)).toEqual([MONTH]);
  }
});
