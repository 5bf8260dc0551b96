import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import { seatPlan, withGenerator, withInstallation } from './rig/stage.ts';
import { storeSeats } from './rig/stored-seats.ts';

/** Acquire + release on one license with 10,000 seats, against the same spread over 1,000 licenses of the same service. */
export const hotLicense: Bench = {
  name: 'hot-license',
  measure: (options) =>
    withInstallation(
      options,
      { licenses: 1_000, seatsPerLicense: 10, heldPerLicense: 0, endedPerLicense: 0 },
      async ({ service, accounts, licenses }) => {
        const hot = await storeSeats(service.databaseUrl, owner(accounts), {
          licenses: 1,
          seatsPerLicense: 10_000,
          heldPerLicense: 0,
          endedPerLicense: 0,
        });
        return withGenerator(options, async (generator) => {
          const spread = seatPlan(licenses, 1_000);
          const one = seatPlan(hot, 1);
          const rounds = await inRounds(options, async () => ({
            ours: await generator.run(service.target, one),
            limit: await generator.run(service.target, spread),
          }));
          const about = { name: 'one hot license', unit: 'pairs/s', limitIs: 'over 1,000 licenses', bar: 0.8 };
          return [
            makeFigure(
              {
                ...about,
                notes: [generator.costNote([service.target, one], [service.target, spread]), generator.note],
              },
              rounds,
            ),
          ];
        });
      },
    ),
};

function owner<Item>(accounts: readonly Item[]): Item {
  const [first] = accounts;
  if (first === undefined) {
    throw new Error('no account was registered');
  }
  return first;
}
