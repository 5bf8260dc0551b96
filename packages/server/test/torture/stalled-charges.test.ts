import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../harness/index.ts';
import { requireAlways, requireSettled } from './billing-invariants.ts';
import { readRecords } from './billing-records.ts';
import { openTwoProcesses, type TwoProcesses } from './billing-world.ts';
import { FragileDatabase, FragileProcess } from './fragile-process.ts';
import { scaled } from './scale.ts';

let two: TwoProcesses;
let other: TestApp;
let pro: string;
const otherProcess = new FragileProcess();

beforeAll(async () => {
  two = await openTwoProcesses();
  other = await startTestApp({
    environment: 'sandbox',
    beside: two.sturdy,
    aroundProvider: (provider) => otherProcess.around(provider),
    openDatabase: (...given) => new FragileDatabase(otherProcess, ...given),
  });
  const plans: Array<{ id: string; name: string }> = (await two.sturdy.api.get('/v1/plans')).body.data;
  pro = plans.find(({ name }) => name === 'Pro')?.id ?? '';
});
afterAll(async () => {
  await other.close();
  await two.fragile.close();
  await two.sturdy.close();
});

/** Does some work at a process that stalls at this step. Also returns whether the work was done before that. */
async function runUntilStalled(process: FragileProcess, step: number, work: () => Promise<unknown>) {
  const stalled = process.failAt('stalls', step);
  const done = work().then(() => 'done');
  const isDone = (await Promise.race([done, stalled])) === 'done';
  process.disarm();
  // In an object, because a promise returned by an async function would be awaited.
  return { isDone, done };
}

const order = (app: TestApp, who: Member) =>
  app.api.post('/v1/subscriptions', who.accessToken, { plan_id: pro, quantity: 5, payment_method_id: 'pm_card_visa' });
const change = (app: TestApp, who: Member, id: string) =>
  app.api.call('PATCH', `/v1/subscriptions/${id}`, { token: who.accessToken, body: { quantity: 8 } });
const cancel = (app: TestApp, who: Member, id: string) =>
  app.api.post(`/v1/subscriptions/${id}/cancel`, who.accessToken, { cancel_immediately: true });

/** A claim's minute passes, then an hour, and another process does the remaining work. */
async function others(who: Member): Promise<void> {
  await execute(two.sturdy.database, 'update payments set claimed_until = null where organization_id = $1', [
    who.organizationId,
  ]);
  await two.sturdy.moveClock(who.organizationId, 3_600);
  for (const name of ['billing.check-payments', 'billing.act-on-due-subscriptions', 'billing.check-payments']) {
    await two.sturdy.runJob(name);
  }
}

async function requireSound(who: Member): Promise<void> {
  await others(who);
  const records = await readRecords(two.sturdy.database, who.organizationId, 'none');
  requireAlways(records, new Map());
  requireSettled(records);
}

/** As many steps as the longest of these works has. Past its last step nothing stalls. */
const STEPS = Array.from({ length: 40 }, (_, step) => step);

const works = {
  'an order': async (who: Member) => () => order(two.fragile, who),
  'a change': async (who: Member) => {
    const { id } = (await order(two.sturdy, who)).body.data;
    return () => change(two.fragile, who, id);
  },
  'a renewal': async (who: Member) => {
    await order(two.sturdy, who);
    await two.sturdy.moveClock(who.organizationId, 32 * 86_400);
    return () => two.fragile.runJob('billing.act-on-due-subscriptions');
  },
};

it.each(Object.entries(works))(
  'a process that stalls at any step of %s, and continues after others have settled it, never takes money without a record',
  async (_name, prepare) => {
    for (const step of STEPS) {
      const ada = await two.sturdy.register();
      const { isDone, done } = await runUntilStalled(two.process, step, await prepare(ada));
      await others(ada);
      two.process.recover();
      await done;
      await requireSound(ada);
      if (isDone) {
        expect(step).toBeGreaterThan(5);
        return;
      }
    }
    throw new Error('it has more steps than the test tries');
  },
);

it('a change and a cancellation that interleave at any two of their steps never take money without a record', async () => {
  for (const step of STEPS.filter((each) => each % scaled(2, 1) === 0)) {
    for (const otherStep of STEPS.slice(0, 14)) {
      const ada = await two.sturdy.register();
      const { id } = (await order(two.sturdy, ada)).body.data;
      const changing = await runUntilStalled(two.process, step, () => change(two.fragile, ada, id));
      const canceling = await runUntilStalled(otherProcess, otherStep, () => cancel(other, ada, id));
      two.process.recover();
      await changing.done;
      otherProcess.recover();
      await canceling.done;
      await requireSound(ada);
      if (changing.isDone) {
        return;
      }
    }
  }
});
