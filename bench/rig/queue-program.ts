import { LineProgram } from './line-program.ts';
import type { QueueOrder, QueueResult, QueueSettings } from './webhook-orders.ts';

/** A queue that runs jobs, in a process of its own on the contenders' core. */
export class QueueProgram {
  readonly #program: LineProgram;

  constructor(settings: QueueSettings) {
    this.#program = new LineProgram('contender', new URL('../programs/queue-worker.ts', import.meta.url), [
      JSON.stringify(settings),
    ]);
  }

  /** Jobs per second. */
  async run(order: QueueOrder): Promise<number> {
    const result: QueueResult = JSON.parse(await this.#program.ask(JSON.stringify(order)));
    return result.perSecond;
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}
