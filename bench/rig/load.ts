import type { BenchOptions } from './figure.ts';
import { LineProgram } from './line-program.ts';
import type { LoadOrder, LoadPlan, LoadResult, Target } from './load-plan.ts';
import { serviceProcessorMs } from './processor-time.ts';

/** Connections that every window keeps open. */
const CONNECTIONS = 32;

/** The load generator, in a process of its own; the same one for everything that is compared. */
export class LoadGenerator {
  readonly #program = new LineProgram('generator', new URL('../programs/load-generator.ts', import.meta.url), []);
  readonly #options: Pick<BenchOptions, 'seconds' | 'warmUpSeconds'>;
  readonly #spent = new Map<number, { completed: number; ms: number }>();
  #busiest = 0;

  constructor(options: Pick<BenchOptions, 'seconds' | 'warmUpSeconds'>) {
    this.#options = options;
  }

  /** Answers per second (pairs per second for seats) of one window. Throws when any answer was no success. */
  async run(target: Target, plan: LoadPlan, seconds = this.#options.seconds): Promise<number> {
    return (await this.measure(target, plan, seconds)).perSecond;
  }

  /** The same, and what one answer cost the processes behind the target, warm-up included. */
  async measure(target: Target, plan: LoadPlan, seconds = this.#options.seconds) {
    const { warmUpSeconds } = this.#options;
    const order: LoadOrder = { target, plan, connections: CONNECTIONS, warmUpSeconds, seconds };
    const before = serviceProcessorMs(target.pid);
    const result: LoadResult = JSON.parse(await this.#program.ask(JSON.stringify(order)));
    if (result.fault !== null) {
      throw new Error(`under the load ${plan.kind}: ${result.fault}`);
    }
    const spent = this.#spent.get(target.pid) ?? { completed: 0, ms: 0 };
    const ms = serviceProcessorMs(target.pid) - before;
    this.#spent.set(target.pid, { completed: spent.completed + result.completed, ms: spent.ms + ms });
    this.#busiest = Math.max(this.#busiest, result.generatorBusy);
    return { perSecond: result.perSecond, processorMicroseconds: (ms * 1_000) / result.completed };
  }

  /**
   * What was spent by each contender's own process, all windows together. Less hangs on what else the machine does than
   * with the rates: a share of them that is well below this one was lost in waiting, not in working.
   */
  costNote(ours: Target, limit: Target): string {
    const [a, b] = [ours, limit].map(({ pid }) => this.#spent.get(pid) ?? { completed: 0, ms: 0 });
    const micros = (spent: typeof a) => ((spent?.ms ?? 0) * 1000) / (spent?.completed ?? 0);
    const share = (micros(b) / micros(a)).toFixed(2);
    return `processor time of the Node.js process for each: ours ${micros(a).toFixed(0)} µs, the limit's ${micros(b).toFixed(0)} µs (ratio ${share})`;
  }

  /** A sentence about the busiest window so far. */
  get note(): string {
    return `the generator used at most ${Math.round(this.#busiest * 100)} % of its core`;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}
