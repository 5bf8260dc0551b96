import { LineProgram } from './line-program.ts';
import type { PacedOrder, PacedResult } from './webhook-orders.ts';

/** Load at a fixed rate, in a process of its own. */
export class PacedLoad {
  readonly #program = new LineProgram('generator', new URL('../programs/paced-load.ts', import.meta.url), []);

  /** The time that each took, in milliseconds. Throws when any answer was no success. */
  async run(order: PacedOrder): Promise<number[]> {
    const result: PacedResult = JSON.parse(await this.#program.ask(JSON.stringify(order)));
    if (result.fault !== null) {
      throw new Error(`under the paced load ${order.plan.kind}: ${result.fault}`);
    }
    return result.latenciesMs;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}
