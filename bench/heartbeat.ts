import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import { heartbeatPlan, withStage } from './rig/stage.ts';

/** Heartbeats of 2,000 live sessions, against a bare handler that parses the same body and answers the same bytes. */
export const heartbeat: Bench = {
  name: 'heartbeat',
  measure: (options) =>
    withStage(
      options,
      { licenses: 40, seatsPerLicense: 60, heldPerLicense: 50, endedPerLicense: 0 },
      async ({ service, peer, generator, licenses }) => {
        const plan = heartbeatPlan(licenses, 2_000);
        const rounds = await inRounds(options, async () => ({
          ours: await generator.run(service.target, plan),
          limit: await generator.run(peer.target, plan),
        }));
        const about = { name: 'heartbeat', unit: '/s', limitIs: 'bare Fastify handler', bar: 0.6 };
        return [
          makeFigure(
            { ...about, notes: [generator.costNote([service.target, plan], [peer.target, plan]), generator.note] },
            rounds,
          ),
        ];
      },
    ),
};
