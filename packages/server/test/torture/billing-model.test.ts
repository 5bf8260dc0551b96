import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { requireInvariants } from '../harness/require-invariants.ts';
import { lives } from './billing-steps.ts';
import { BillingWorld, openTwoProcesses, type TwoProcesses } from './billing-world.ts';
import { scaled } from './scale.ts';

let two: TwoProcesses;

beforeAll(async () => {
  two = await openTwoProcesses();
});
afterAll(async () => {
  await two.fragile.close();
  await two.sturdy.close();
});

it('money, subscriptions and licenses agree, whatever is asked and whatever fails at any step', {
  timeout: scaled(120_000, 14_400_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (steps) => {
      const world = await BillingWorld.open(two);
      for (const step of steps) {
        if (process.env.DEV) appendFileSync('/tmp/steps.log', Date.now() + JSON.stringify(step) + '\n');
        await world.play(step);
      }
      await world.settle();
      if (process.env.DEV) appendFileSync('/tmp/steps.log', Date.now() + 'run\n');
    }),
    // The limit ends the search for the smallest counterexample too, which is shown then.
    {
      endOnFailure: process.env.DEV === '1',
      ...(process.env.SEED ? { seed: Number(process.env.SEED), path: process.env.TPATH ?? '0' } : {}),
      numRuns: scaled(300, 20_000),
      interruptAfterTimeLimit: scaled(90_000, 10_800_000),
    },
  );
  await requireInvariants(two.sturdy.database);
});
