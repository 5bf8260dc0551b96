import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import { heartbeatPlan, withStage } from './rig/stage.ts';

/** What the load generator can do: not a promise, but what makes the others believable. */
export const generator: Bench = {
  name: 'generator',
  measure: (options) =>
    withStage(
      options,
      { licenses: 4, seatsPerLicense: 60, heldPerLicense: 50, endedPerLicense: 0 },
      async ({ peer, generator: load, licenses }) => {
        const plan = heartbeatPlan(licenses, 200);
        const rounds = await inRounds(options, async () => ({
          ours: await load.run(peer.cannedTarget, plan),
          limit: await load.run(peer.target, plan),
        }));
        const about = {
          name: 'load generator',
          unit: '/s',
          limitIs: 'bare Fastify handler',
          bar: undefined,
          notes: ['ours is a TLS socket that answers without reading: above 1, the generator is not what limits'],
        };
        return [makeFigure(about, rounds)];
      },
    ),
};
