import type { BenchOptions } from './figure.ts';
import { LineProgram } from './line-program.ts';
import type { LoadOrder, LoadPlan, LoadResult, Target } from './load-plan.ts';
import { processorMsWithChildren, serviceProcessorMs } from './processor-time.ts';

/** Connections that a window keeps open unless it says otherwise. */
const CONNECTIONS = 32;

/** Processor time in milliseconds. */
export interface ProcessorTime {
  node: number;
  /** 0 where no PostgreSQL works for the target. */
  postgres: number;
}

/** What one window of load gave, and what it cost. */
export interface LoadWindow {
  perSecond: number;
  /** For each answer (each pair for seats). */
  cost: ProcessorTime;
}

/** The load generator, in a process of its own; the same one for everything that is compared. */
export class LoadGenerator {
  readonly #program = new LineProgram('generator', new URL('../programs/load-generator.ts', import.meta.url), []);
  readonly #options: Pick<BenchOptions, 'seconds' | 'warmUpSeconds'>;
  readonly #spent = new Map<string, ProcessorTime & { completed: number }>();
  #busiest = 0;

  constructor(options: Pick<BenchOptions, 'seconds' | 'warmUpSeconds'>) {
    this.#options = options;
  }

  /** Answers per second (pairs per second for seats) of one window. Throws when any answer was no success. */
  async run(target: Target, plan: LoadPlan, seconds = this.#options.seconds): Promise<number> {
    return (await this.measure(target, plan, { seconds })).perSecond;
  }

  /** The same with what it cost. */
  async measure(
    target: Target,
    plan: LoadPlan,
    { seconds = this.#options.seconds, connections = CONNECTIONS } = {},
  ): Promise<LoadWindow> {
    const { warmUpSeconds } = this.#options;
    const order: LoadOrder = { target, plan, connections, warmUpSeconds, seconds };
    const before = spentBy(target);
    const result: LoadResult = JSON.parse(await this.#program.ask(JSON.stringify(order)));
    if (result.fault !== null) {
      throw new Error(`under the load ${plan.kind}: ${result.fault}`);
    }
    const after = spentBy(target);
    const spent = { node: after.node - before.node, postgres: after.postgres - before.postgres };
    const { completed } = result;
    const name = nameOf(target, plan);
    const sum = this.#spent.get(name) ?? { completed: 0, node: 0, postgres: 0 };
    this.#spent.set(name, {
      completed: sum.completed + completed,
      node: sum.node + spent.node,
      postgres: sum.postgres + spent.postgres,
    });
    this.#busiest = Math.max(this.#busiest, result.generatorBusy);
    const cost = { node: spent.node / completed, postgres: spent.postgres / completed };
    return { perSecond: result.perSecond, cost };
  }

  /**
   * What was spent for each answer by each contender, all windows of the plans together. It hangs less on what else the
   * machine does than the rates: a share of them that is well below this one was lost in waiting, not in working.
   */
  costNote(ours: [Target, LoadPlan], limit: [Target, LoadPlan]): string {
    const [a, b] = [ours, limit].map((of) => this.#spent.get(nameOf(...of)));
    const micros = (ms = Number.NaN, completed = Number.NaN) => (ms * 1000) / completed;
    const [nodeOurs, nodeLimit] = [micros(a?.node, a?.completed), micros(b?.node, b?.completed)];
    const postgres = [a, b].map((spent) => Math.round(micros(spent?.postgres, spent?.completed)));
    const share = (nodeLimit / nodeOurs).toFixed(2);
    return (
      `processor time for each: ours ${nodeOurs.toFixed(0)} µs of Node.js and ${postgres[0]} µs of PostgreSQL, ` +
      `the limit's ${nodeLimit.toFixed(0)} µs of Node.js and ${postgres[1]} µs of PostgreSQL (ratio of Node.js ${share})`
    );
  }

  /** A sentence about the busiest window so far. */
  get note(): string {
    return `the generator used at most ${Math.round(this.#busiest * 100)} % of its core`;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}

/** What the processes of a target have used so far. */
export function spentBy({ pid, postgresPid }: Target): ProcessorTime {
  return {
    node: serviceProcessorMs(pid),
    postgres: postgresPid === undefined ? 0 : processorMsWithChildren(postgresPid),
  };
}

/** Two plans of one kind differ in their size, as a hot license is from a thousand. */
function nameOf({ pid }: Target, plan: LoadPlan): string {
  return `${pid} ${plan.kind} ${plan.kind === 'seats' ? plan.licenses.length : ''}`;
}
