import { type Bench, inRounds, makeFigure, median } from './rig/figure.ts';
import { preparePgbench } from './rig/pgbench.ts';
import { measureSigning } from './rig/signing.ts';
import { seatPlan, withStage } from './rig/stage.ts';

/**
 * Acquire + release over 1,000 licenses. The limit is one signature, two bare requests and the statements of both, done
 * one after the other at the rate that each of them reaches alone.
 */
export const acquireRelease: Bench = {
  name: 'acquire-release',
  measure: (options) =>
    withStage(
      options,
      { licenses: 1_000, seatsPerLicense: 10, heldPerLicense: 0, endedPerLicense: 0 },
      async ({ service, peer, generator, licenses, accounts }) => {
        const plan = seatPlan(licenses, 1_000);
        const pgbench = await preparePgbench(service, accounts);
        const rounds = await inRounds(options, async () => {
          const ours = await generator.run(service.target, plan);
          const bare = await generator.run(peer.target, plan);
          const database = await pgbench.run(options.seconds);
          const { perSecond: signing } = await measureSigning(options.seconds);
          return { ours, bare, database, signing, limit: 1 / (1 / signing + 1 / bare + 1 / database) };
        });
        const middle = (part: 'signing' | 'bare' | 'database') =>
          Math.round(median(rounds.map((round) => round[part]))).toLocaleString('en-US');
        const notes = [
          `one RS256 signature ${middle('signing')}/s, two bare requests ${middle('bare')}/s, statements by pgbench ${middle('database')}/s`,
          generator.costNote([service.target, plan], [peer.target, plan]),
          generator.note,
        ];
        const about = { name: 'acquire + release', unit: 'pairs/s', limitIs: 'signature + bare + pgbench', bar: 0.6 };
        return [makeFigure({ ...about, notes }, rounds)];
      },
    ),
};
