import type { BenchOptions } from './figure.ts';
import { LineProgram } from './line-program.ts';
import type { LoadOrder, LoadPlan, LoadResult, Target } from './load-plan.ts';

/** Connections that every window keeps open. */
const CONNECTIONS = 32;

/** The load generator, in a process of its own; the same one for everything that is compared. */
export class LoadGenerator {
  readonly #program = new LineProgram('generator', new URL('../programs/load-generator.ts', import.meta.url), []);
  readonly #options: Pick<BenchOptions, 'seconds' | 'warmUpSeconds'>;
  #busiest = 0;

  constructor(options: Pick<BenchOptions, 'seconds' | 'warmUpSeconds'>) {
    this.#options = options;
  }

  /** Answers per second (pairs per second for seats) of one window. Throws when any answer was no success. */
  async run(target: Target, plan: LoadPlan, seconds = this.#options.seconds): Promise<number> {
    const { warmUpSeconds } = this.#options;
    const order: LoadOrder = { target, plan, connections: CONNECTIONS, warmUpSeconds, seconds };
    const result: LoadResult = JSON.parse(await this.#program.ask(JSON.stringify(order)));
    if (result.fault !== null) {
      throw new Error(`under the load ${plan.kind}: ${result.fault}`);
    }
    this.#busiest = Math.max(this.#busiest, result.generatorBusy);
    return result.perSecond;
  }

  /** A sentence about the busiest window so far. */
  get note(): string {
    return `the generator used at most ${Math.round(this.#busiest * 100)} % of its core`;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}
