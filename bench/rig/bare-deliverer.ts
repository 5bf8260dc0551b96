import { LineProgram } from './line-program.ts';
import type { BareDelivery, BareOrder, BareResult } from './webhook-orders.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** The bare loop of undici, in a process of its own on the contenders' core. */
export class BareDeliverer {
  readonly #program: LineProgram;

  constructor(delivery: BareDelivery) {
    this.#program = new LineProgram('contender', new URL('../programs/bare-deliverer.ts', import.meta.url), [
      JSON.stringify(delivery),
    ]);
  }

  get pid(): number {
    return this.#program.pid;
  }

  async run(order: BareOrder): Promise<BareResult> {
    return JSON.parse(await this.#program.ask(JSON.stringify(order)));
  }

  stop(): Promise<void> {
    return this.#program.stop();
  }
}

/** What the receiver got first, to be posted again: the same headers and bytes, signed again each time. */
export async function captureDelivery(receiver: WebhookReceiver, secret: string): Promise<BareDelivery> {
  const { sample } = await receiver.tell();
  if (sample === null) {
    throw new Error('the receiver has got nothing yet');
  }
  return { url: `https://localhost:${receiver.port}/hook`, ca: receiver.ca, secret, ...sample };
}
