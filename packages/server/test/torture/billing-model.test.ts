import fc from 'fast-check';
import { it } from 'vitest';
import { requireInvariants } from '../harness/require-invariants.ts';
import { lives } from './billing-steps.ts';
import { BillingWorld, openTwoProcesses } from './billing-world.ts';
import { withShortSearch } from './find-smallest.ts';
import { givenSeed, portionOf } from './scale.ts';

const LIVES = portionOf(150, 20_000);
/** The maximum number of lives per database, so that a long run is as fast at its end as at its beginning. */
const PORTION = 500;

it('money, subscriptions and licenses agree whatever is requested and whichever step fails', async () => {
  for (let done = 0; done < LIVES; done += PORTION) {
    await playLives(Math.min(PORTION, LIVES - done), givenSeed === undefined ? {} : { seed: givenSeed + done });
  }
});

async function playLives(count: number, seed: { seed?: number }): Promise<void> {
  const two = await openTwoProcesses();
  try {
    await fc.assert(
      fc.asyncProperty(
        lives,
        withShortSearch(async (steps) => {
          const world = await BillingWorld.create(two);
          for (const step of steps) {
            await world.play(step);
          }
          await world.settle();
        }),
      ),
      { ...seed, numRuns: count },
    );
    await requireInvariants(two.sturdy.database);
  } finally {
    two.process.recover();
    await two.fragile.close();
    await two.sturdy.close();
  }
}
