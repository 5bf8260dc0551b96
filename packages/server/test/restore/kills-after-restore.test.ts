import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { requireInvariants } from '../harness/require-invariants.ts';
import { type Failure, FragileDatabase, FragileProcess } from '../torture/fragile-process.ts';
import { scaled } from '../torture/scale.ts';
import { RestoreWorld } from './restore-world.ts';

const MONTH = 14_500;
/** The number of steps of a renewal that finds its payment at the provider, and some more. */
const STEPS = scaled(16, 40);
const FAILURES: readonly Failure[] = ['dies', 'gets no response'];

let world: RestoreWorld;
let fragile: TestApp;
const process = new FragileProcess();
/** One organization per step at which something fails. */
let members: Member[];

beforeAll(async () => {
  world = await RestoreWorld.start();
  members = [];
  for (let count = 0; count < FAILURES.length * STEPS; count += 1) {
    const member = await world.shop.app.register();
    await world.shop.buy(member, world.double.makeCard('pm_card_visa'));
    members.push(member);
  }
  await world.backup();
  // For some of the lost renewals, the response with their success was lost.
  world.double.faults.add({ kind: 'lose_response' }, { on: /confirm$/, times: STEPS });
  await world.travel(31, ...members);
  world.double.faults.clear();
  await world.restore();
  world.double.advance(2 * 86_400);
  fragile = await startTestApp({
    environment: 'production',
    settings: world.settings,
    beside: world.shop.app,
    aroundProvider: (provider) => process.around(provider),
    openDatabase: (...given) => new FragileDatabase(process, ...given),
  });
});
afterAll(async () => {
  await fragile.close();
  await requireInvariants(world.shop.app.database);
  await world.close();
});

it.each(FAILURES)(
  'a renewal after a restore charges once even if a process %s at any step',
  {
    timeout: scaled(240_000, 600_000),
  },
  async (failure) => {
    const first = FAILURES.indexOf(failure) * STEPS;
    for (const [step, member] of members.slice(first, first + STEPS).entries()) {
      await world.shop.app.moveClock(member.organizationId, 33 * 86_400);
      void process.failAt(failure, step);
      await fragile.runJob('billing.act-on-due-subscriptions').catch(() => false);
      process.recover();
      // The claim's minute passes, and another process continues.
      const expireClaims = 'update payments set claimed_until = null where organization_id = $1';
      await execute(world.shop.app.database, expireClaims, [member.organizationId]);
      await world.shop.app.moveClock(member.organizationId, 3_600);
      await world.shop.app.runJob('billing.check-payments');
      await world.shop.app.runJob('billing.act-on-due-subscriptions');
      await world.shop.app.runJob('billing.check-payments');
      expect(await world.paidBy(member), `after step ${step}`).toEqual([MONTH, MONTH]);
      const [renewal] = (await world.shop.invoices(member)).slice(1);
      expect(renewal, `after step ${step}`).toMatchObject({ status: 'paid', amount_paid: MONTH });
    }
  },
);

it('after all these renewals no payment is missing on either side', async () => {
  const { counts, findings } = await world.reconcile(new Date(Date.now() - 86_400_000).toISOString());
  const matched = 2 * FAILURES.length * STEPS;
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ matched, adopted: 0, awaited: 0, orphaned: 0, disagreeing: 0, missing: 0 });
});
