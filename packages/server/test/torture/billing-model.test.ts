import fc from 'fast-check';
import { it } from 'vitest';
import { requireInvariants } from '../harness/require-invariants.ts';
import { lives } from './billing-steps.ts';
import { BillingWorld, openTwoProcesses } from './billing-world.ts';
import { scaled } from './scale.ts';

/** Each portion has a database of its own, so that a long run is as quick at its end as at its beginning. */
const PORTIONS = scaled(1, 40);
const LIVES = scaled(300, 500);

it('money, subscriptions and licenses agree, whatever is asked and whatever fails at any step', async () => {
  for (let portion = 0; portion < PORTIONS; portion += 1) {
    await playLives();
  }
});

async function playLives(): Promise<void> {
  const two = await openTwoProcesses();
  try {
    await fc.assert(
      fc.asyncProperty(lives, async (steps) => {
        const world = await BillingWorld.open(two);
        for (const step of steps) {
          await world.play(step);
        }
        await world.settle();
      }),
      // The limit ends the search for the smallest counterexample, which is shown then; fewer lives than all are no pass.
      { numRuns: LIVES, interruptAfterTimeLimit: scaled(400_000, 1_200_000), markInterruptAsFailure: true },
    );
    await requireInvariants(two.sturdy.database);
  } finally {
    two.process.recover();
    await two.fragile.close();
    await two.sturdy.close();
  }
}
