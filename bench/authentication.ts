import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import { withGenerator, withInstallation } from './rig/stage.ts';
import { startTwinRoutes } from './rig/twin-routes.ts';

/** A request with a token, looked up in the database each time, against the same request where none is asked for. */
export const authentication: Bench = {
  name: 'authentication',
  measure: (options) =>
    withInstallation(
      options,
      { licenses: 4, seatsPerLicense: 1, heldPerLicense: 0, endedPerLicense: 0 },
      async ({ service, accounts }) => {
        const twins = await startTwinRoutes(service);
        try {
          return await withGenerator(options, async (generator) => {
            const authenticated: LoadPlan = {
              kind: 'gets',
              path: '/authenticated',
              tokens: accounts.map((account) => account.token),
            };
            const open: LoadPlan = { kind: 'gets', path: '/public', tokens: [null] };
            const rounds = await inRounds(options, async () => ({
              ours: await generator.run(twins.target, authenticated),
              limit: await generator.run(twins.target, open),
            }));
            const about = { name: 'a request with a token', unit: '/s', limitIs: 'the same without', bar: 0.7 };
            return [
              makeFigure(
                {
                  ...about,
                  notes: [generator.costNote([twins.target, authenticated], [twins.target, open]), generator.note],
                },
                rounds,
              ),
            ];
          });
        } finally {
          await twins.stop();
        }
      },
    ),
};
