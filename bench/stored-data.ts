import { type Bench, type BenchOptions, inRounds, makeFigure } from './rig/figure.ts';
import { heartbeatPlan, seatPlan, withGenerator, withInstallation } from './rig/stage.ts';

/**
 * Heartbeats and acquire + release in a large installation against the same in a small one, both running, in turns. The
 * large one holds a million sessions twice over: so many that are live and so many in the history.
 */
export const storedData: Bench = {
  name: 'stored-data',
  measure: (options) =>
    withInstallation(options, seats(SMALL.licenses, SMALL.sessions), (small) =>
      withInstallation(options, seats(options.licenses, options.sessions), (large) =>
        withGenerator(options, async (generator) => {
          const beats = { small: heartbeatPlan(small.licenses, 1_000), large: heartbeatPlan(large.licenses, BEATING) };
          const pairs = { small: seatPlan(small.licenses, 1_000), large: seatPlan(large.licenses, 1_000) };
          const rounds = await inRounds(options, async () => ({
            beats: {
              ours: await generator.run(large.service.target, beats.large),
              limit: await generator.run(small.service.target, beats.small),
            },
            pairs: {
              ours: await generator.run(large.service.target, pairs.large),
              limit: await generator.run(small.service.target, pairs.small),
            },
          }));
          const notes = [describe(options), generator.note];
          const about = { limitIs: '1,000 sessions stored', bar: 0.8, notes };
          return [
            makeFigure(
              { ...about, name: 'heartbeat, much stored', unit: '/s' },
              rounds.map((round) => round.beats),
            ),
            makeFigure(
              { ...about, name: 'acquire + release, much stored', unit: 'pairs/s' },
              rounds.map((round) => round.pairs),
            ),
          ];
        }),
      ),
    ),
};

/** So many different ones that their pages do not stay in a cache by themselves. */
const BEATING = 50_000;

const SMALL = { licenses: 1_000, sessions: 1_000 };

function seats(licenses: number, sessions: number) {
  const perLicense = Math.ceil(sessions / licenses);
  return {
    licenses,
    seatsPerLicense: perLicense + 10,
    heldPerLicense: perLicense,
    endedPerLicense: perLicense,
  };
}

function describe({ licenses, sessions }: BenchOptions): string {
  const [many, most] = [licenses.toLocaleString('en-US'), sessions.toLocaleString('en-US')];
  const beating = Math.min(BEATING, sessions).toLocaleString('en-US');
  return `stored: ${many} licenses, ${most} live sessions and ${most} in the history; heartbeats of ${beating} at random`;
}
