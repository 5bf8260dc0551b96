import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import { withStage } from './rig/stage.ts';

/** `GET /v1/me`, a token and its user read from the database each time, against a bare handler. */
export const me: Bench = {
  name: 'me',
  measure: (options) =>
    withStage(
      options,
      { licenses: 4, seatsPerLicense: 10, heldPerLicense: 0, endedPerLicense: 0 },
      async ({ service, peer, generator, accounts }) => {
        const plan: LoadPlan = { kind: 'me', tokens: accounts.map((account) => account.token) };
        const rounds = await inRounds(options, async () => ({
          ours: await generator.run(service.target, plan),
          limit: await generator.run(peer.target, plan),
        }));
        const about = { name: 'GET /v1/me', unit: '/s', limitIs: 'bare Fastify handler', bar: 0.5 };
        return [
          makeFigure(
            { ...about, notes: [generator.costNote([service.target, plan], [peer.target, plan]), generator.note] },
            rounds,
          ),
        ];
      },
    ),
};
