/** A call that waits for its time. */
export interface Timed {
  readonly dueAtMs: number;
  /** Undefined once it was called or stopped. */
  call: (() => void) | undefined;
}

/**
 * Calls after a delay that is the same for all, so that they wait in a row and one timer serves them all. Thousands of attempts
 * run at a time, and almost none of their timeouts are ever reached.
 */
export class TimerQueue {
  readonly #delayMs: number;
  /** In the order of their times. */
  readonly #waiting = new Set<Timed>();
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  start(call: () => void): Timed {
    const timed: Timed = { dueAtMs: performance.now() + this.#delayMs, call };
    this.#waiting.add(timed);
    this.#timer ??= this.#wait(this.#delayMs);
    return timed;
  }

  /** Forgets the call as well: a set that lives long keeps what left it alive until a full garbage collection. */
  stop(timed: Timed): void {
    this.#waiting.delete(timed);
    timed.call = undefined;
  }

  /**
   * The timer is left to fire when nothing waits: setting it again for each attempt is what this is there to avoid. When the event
   * loop was blocked, its timers run before its sockets are read: an answer that arrived in time comes first.
   */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#callDue()), milliseconds).unref();
  }

  #callDue(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const timed of this.#waiting) {
      if (timed.dueAtMs > nowMs) {
        // Rounded up, since a timer that fires a fraction too early would be set again and again.
        this.#timer = this.#wait(Math.ceil(timed.dueAtMs - nowMs));
        return;
      }
      const { call } = timed;
      this.stop(timed);
      call?.();
    }
  }
}
