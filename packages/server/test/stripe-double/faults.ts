/** How a request fails. */
export type Fault =
  /** It is executed, and the response is lost. */
  | { kind: 'lose_response' }
  /** It is lost before it is executed. */
  | { kind: 'drop' }
  /** It is executed, and answered this much later. */
  | { kind: 'latency'; milliseconds: number }
  /** Stripe's own failure, stored under the request's key. `commits`: after the request was executed. */
  | { kind: 'server_error'; hasBody: boolean; commits?: boolean }
  | { kind: 'rate_limit' }
  /** The key is in use by a request that is still running. */
  | { kind: 'in_use' }
  /** A proxy answers instead of Stripe. `commits`: after Stripe executed the request. */
  | { kind: 'gateway'; status: number; body: string; commits?: boolean }
  /** It is executed, and the response is cut off. */
  | { kind: 'truncate' };

/** The faults waiting for requests, in order. */
export class Faults {
  readonly #waiting: Array<{ fault: Fault; on: RegExp; times: number }> = [];

  /** The next `times` requests whose `METHOD /path` matches get this fault. */
  add(fault: Fault, { on = /./, times = 1 }: { on?: RegExp; times?: number } = {}): void {
    this.#waiting.push({ fault, on, times });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  take(request: string): Fault | undefined {
    const index = this.#waiting.findIndex(({ on, times }) => times > 0 && on.test(request));
    const found = this.#waiting[index];
    if (found === undefined) {
      return undefined;
    }
    found.times -= 1;
    if (found.times === 0) {
      this.#waiting.splice(index, 1);
    }
    return found.fault;
  }
}
