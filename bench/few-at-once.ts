import { type Bench, type BenchOptions, inRounds, makeFigure, median } from './rig/figure.ts';
import { type LoadWindow, type ProcessorTime, spentBy } from './rig/load.ts';
import type { LoadPlan } from './rig/load-plan.ts';
import type { Service } from './rig/service.ts';
import { measureSigning } from './rig/signing.ts';
import { heartbeatPlan, seatPlan, withGenerator, withInstallation } from './rig/stage.ts';

/** Connections of one organization at the same time. */
const AT_ONCE = [1, 2, 4] as const;

/** What a seat may cost when two ask at once, in milliseconds of processor time, besides the signature. */
const PAIR_BAR = 1.2;

/**
 * What an acquire + release and a heartbeat of one organization cost while few ask at once, when nothing can be gathered
 * into batches: processor time of Node.js and PostgreSQL together, for seats without the signature. What the service uses
 * while it is idle is left out, since few requests a second would each bear much of it.
 */
export const fewAtOnce: Bench = {
  name: 'few-at-once',
  measure: (options) =>
    withInstallation(
      options,
      { licenses: 1_000, seatsPerLicense: 10, heldPerLicense: 2, endedPerLicense: 0 },
      ({ service, licenses }) =>
        withGenerator(options, async (generator) => {
          const idle = await measureIdle(service, options.seconds);
          const plans = { pairs: seatPlan(licenses, 1_000), beats: heartbeatPlan(licenses, 2_000) };
          const rounds = await inRounds(options, async () => {
            const { processorMs: signature } = await measureSigning(options.seconds / 4);
            const measure = async (plan: LoadPlan, connections: number) =>
              withoutIdle(await generator.measure(service.target, plan, { connections }), idle);
            const windows = [];
            for (const connections of AT_ONCE) {
              windows.push({
                pair: await measure(plans.pairs, connections),
                beat: await measure(plans.beats, connections),
              });
            }
            return { signature, windows };
          });
          return AT_ONCE.flatMap((connections, index) => {
            const of = (kind: 'pair' | 'beat') =>
              rounds.flatMap(({ windows, signature }) => {
                const window = windows[index]?.[kind];
                return window === undefined ? [] : { ...window, signature: kind === 'pair' ? signature : 0 };
              });
            return [
              figureOf(
                `acquire + release, ${connections} at once`,
                of('pair'),
                connections === 2 ? PAIR_BAR : undefined,
                [
                  `idle, Node.js uses ${idle.node.toFixed(0)} ms a second and PostgreSQL ${idle.postgres.toFixed(0)} ms`,
                ],
              ),
              figureOf(`heartbeat, ${connections} at once`, of('beat'), undefined, []),
            ];
          });
        }),
      1,
    ),
};

type Measured = LoadWindow & { signature: number };

function figureOf(name: string, measured: readonly Measured[], bar: number | undefined, notes: readonly string[]) {
  const middle = (read: (each: Measured) => number) => median(measured.map(read)).toFixed(2);
  const parts = [
    `Node.js ${middle(({ cost, signature }) => cost.node - signature)}`,
    `PostgreSQL ${middle(({ cost }) => cost.postgres)}`,
    `the signature apart ${middle(({ signature }) => signature)}`,
  ];
  return makeFigure(
    {
      name,
      unit: 'ms',
      limitIs: '1 ms of processor time',
      bar,
      isAtMost: true,
      notes: [`${parts.join(', ')} ms; ${middle(({ perSecond }) => perSecond)} a second`, ...notes],
    },
    measured.map(({ cost, signature }) => ({ ours: cost.node + cost.postgres - signature, limit: 1 })),
  );
}

/** What the service and its PostgreSQL use in a second without requests. */
async function measureIdle({ target }: Service, seconds: BenchOptions['seconds']): Promise<ProcessorTime> {
  const before = spentBy(target);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const after = spentBy(target);
  return { node: (after.node - before.node) / seconds, postgres: (after.postgres - before.postgres) / seconds };
}

function withoutIdle({ perSecond, cost }: LoadWindow, idle: ProcessorTime): LoadWindow {
  const { node, postgres } = idle;
  return {
    perSecond,
    cost: { node: cost.node - node / perSecond, postgres: cost.postgres - postgres / perSecond },
  };
}
