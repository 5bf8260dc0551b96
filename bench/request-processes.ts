import { type Bench, inRounds, makeFigure } from './rig/figure.ts';
import { heartbeatPlan, type Installation, withGenerator, withInstallation } from './rig/stage.ts';

/**
 * Heartbeats of two request processes against those of one process. Few machines have cores for both, the load and
 * PostgreSQL, so what is compared is what a core's second of processor time is good for, times the processes: the
 * supervisor, through which connections and rate limits go, counts on the side of the two.
 */
export const requestProcesses: Bench = {
  name: 'request-processes',
  measure: (options) => {
    const open = <Result>(processes: number, work: (installation: Installation) => Promise<Result>) =>
      withInstallation(options, SEATS, work, undefined, { SEATHOLD_PROCESSES: String(processes) });
    return open(1, (one) =>
      open(2, (two) =>
        withGenerator(options, async (generator) => {
          const plans = { one: heartbeatPlan(one.licenses, 2_000), two: heartbeatPlan(two.licenses, 2_000) };
          const windows = await inRounds(options, async () => ({
            two: await generator.measure(two.service.target, plans.two),
            one: await generator.measure(one.service.target, plans.one),
          }));
          const rounds = windows.map((window) => ({
            ours: 2_000 / window.two.cost.node,
            limit: 1_000 / window.one.cost.node,
          }));
          const rates = windows.map(({ two: a, one: b }) => `${a.perSecond.toFixed(0)} and ${b.perSecond.toFixed(0)}`);
          const notes = [
            `for each second of processor time; as the machine ran, ${rates.join(', ')} a second`,
            generator.costNote([two.service.target, plans.two], [one.service.target, plans.one]),
            generator.note,
          ];
          const about = { name: 'heartbeats, two processes', unit: '/s', limitIs: 'one process', bar: 1.7, notes };
          return [makeFigure(about, rounds)];
        }),
      ),
    );
  },
};

const SEATS = { licenses: 40, seatsPerLicense: 60, heldPerLicense: 50, endedPerLicense: 0 };
