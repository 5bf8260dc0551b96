import type { Moment } from './keeper-types.ts';

/**
 * The service's time, estimated from its last answer and the machine's two clocks. Time passes as fast as the faster of
 * them: the monotonic clock may stand still while a laptop sleeps, and the time of day may be set back.
 */
export class ServerClock {
  #serverMs: number;
  #at: Pick<Moment, 'monoMs' | 'wallMs'>;

  /** `seenMs` is the latest time of the service that was ever seen. It is never earlier. */
  constructor(at: Moment, seenMs = 0) {
    this.#at = at;
    this.#serverMs = Math.max(at.wallMs, seenMs);
  }

  /** Notes the `Date` of an answer. */
  observe(serverMs: number, at: Moment): void {
    this.#at = at;
    this.#serverMs = serverMs;
  }

  nowMs({ monoMs, wallMs }: Pick<Moment, 'monoMs' | 'wallMs'>): number {
    return this.#serverMs + Math.max(monoMs - this.#at.monoMs, wallMs - this.#at.wallMs, 0);
  }
}
