import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { withShortSearch } from './find-smallest.ts';
import { scaled } from './scale.ts';
import { seatCommands } from './seat-commands.ts';
import { openTwoApps, SeatWorld, type TwoApps } from './seat-world.ts';

let two: TwoApps;

beforeAll(async () => {
  two = await openTwoApps();
});
afterAll(async () => {
  await Promise.all([...two.apps, two.first].map((app) => app.close()));
});

it('seats behave like the model, whatever happens and in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      seatCommands(),
      withShortSearch(async (commands) => {
        await fc.asyncModelRun(async () => {
          const { world, model } = await SeatWorld.create(two, [1, 3]);
          return { model, real: world };
        }, commands);
      }),
    ),
    { numRuns: scaled(20, 5_000) },
  );
});
