import type { Moment } from './keeper-types.ts';

/**
 * The service's time, estimated from its last answer and the machine's two clocks. It follows the faster of them: the
 * monotonic clock may stop while a laptop sleeps, and the time of day may be set back.
 */
export class ServerClock {
  #serverMs: number;
  #at: Pick<Moment, 'monoMs' | 'wallMs'>;

  /** `seenMs` is the latest time ever seen from the service. The clock is never earlier. */
  constructor(at: Moment, seenMs = 0) {
    this.#at = at;
    this.#serverMs = Math.max(at.wallMs, seenMs);
  }

  /** Records the `Date` of an answer. */
  observe(serverMs: number, at: Moment): void {
    this.#at = at;
    this.#serverMs = serverMs;
  }

  nowMs({ monoMs, wallMs }: Pick<Moment, 'monoMs' | 'wallMs'>): number {
    return this.#serverMs + Math.max(monoMs - this.#at.monoMs, wallMs - this.#at.wallMs, 0);
  }
}
